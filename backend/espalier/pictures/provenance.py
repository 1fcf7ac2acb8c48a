"""The line under every picture: how sure, what it cost, and what to repeat it with."""

from typing import Any

from espalier.explain.explanation import Explanation
from espalier.pictures.wording import percent, printable

OWN_MODEL = "own"
"""What a model is called that came as a function or a pipeline, not from the catalog."""

STAND_INS = {
    "pad": "absent words hidden (pad)",
    "mask": "absent words masked (mask)",
    "delete": "absent words cut out (delete)",
    "marginal": "absent words from other sentences (marginal)",
}


def provenance(explanation: Explanation[Any]) -> str:
    evaluations = explanation.evaluations
    counted = f"{evaluations.distinct:,} evaluation{'' if evaluations.distinct == 1 else 's'}"
    if evaluations.reused:
        counted += f" ({evaluations.reused:,} reused)"
    return " · ".join(
        (
            certainty(explanation),
            counted,
            f"{explanation.seconds.total:.2f} s",
            scale_name(explanation),
            STAND_INS[explanation.reference],
            f"seed {explanation.seed}",
        )
    )


def certainty(explanation: Explanation[Any]) -> str:
    """Exact numbers, sampled ones with standard errors, or an approximation that has none."""
    if explanation.result.exact:
        return "exact"
    sampled = any("standard_error" in name and value is not None for name, value in explanation.result)
    return "± standard error" if sampled else "approximate"


def scale_name(explanation: Explanation[Any]) -> str:
    return f"{explanation.scale.replace('_', ' ')} of {printable(explanation.target_class)}"


def subject(explanation: Explanation[Any], title: str) -> str:
    """What is explained: method, model, prediction, and the class if it is another."""
    best = max(range(len(explanation.classes)), key=lambda index: explanation.probabilities[index])
    said = f"{printable(explanation.classes[best])} {percent(explanation.probabilities[best])}"
    model = "your model" if explanation.model == OWN_MODEL else printable(explanation.model)
    parts = [title, f"{model} says {said}"]
    if best != explanation.target:
        probability = percent(explanation.probabilities[explanation.target])
        parts.append(f"explaining {printable(explanation.target_class)} ({probability})")
    return " · ".join(parts)
