"""The line under every picture: how sure, what it cost, and what to repeat it with."""

from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.registry import methods
from espalier.findings.certainty import certainty
from espalier.findings.wording import fixed, percent, printable
from espalier.games.references import references
from espalier.games.references.language import is_doubtful
from espalier.models.next_words import OTHER

OWN_MODEL = "own"
"""What a model is called that came as a function or a pipeline, not from the catalog."""


def provenance(explanation: Explanation[Any]) -> str:
    evaluations = explanation.evaluations
    counted = f"{evaluations.distinct:,} evaluation{'' if evaluations.distinct == 1 else 's'}"
    if evaluations.reused:
        counted += f" ({evaluations.reused:,} reused)"
    return " · ".join(
        (
            certainty(explanation),
            counted,
            f"{fixed(explanation.seconds.total, 2)} s",
            scale_name(explanation),
            f"{stand_in(explanation.reference)}{_how_it_reads(explanation)}",
            f"seed {explanation.seed}",
        )
    )


def stand_in(name: str) -> str:
    """What is done to absent words. A client may be told of a reference that only the service has."""
    known = references().get(name)
    return known.in_short if known is not None and known.in_short else f"absent words by {printable(name)}"


def _how_it_reads(explanation: Explanation[Any]) -> str:
    """A model that fills in goes by the words that it knows. One that would have thought of few of them was perhaps
    made for another language, which nothing else would show."""
    filler = printable(explanation.filler or "the model")
    said = ""
    if unread := len(explanation.unread):
        said += f", {unread} word{'' if unread == 1 else 's'} unknown to {filler}"
    words = sum(word.text.isalpha() for word in explanation.words)
    if (expected := explanation.expected_words) is not None and words:
        said += f", {filler} expects {expected} of {words} words"
        if is_doubtful(expected, words):
            said += ": is it of this language?"
    return said


def scale_name(explanation: Explanation[Any]) -> str:
    said = f"{explanation.scale.replace('_', ' ')} of {printable(explanation.target_class)}"
    if explanation.against is not None:
        said += f" rather than {printable(explanation.classes[explanation.against])}"
    return said


def subject(explanation: Explanation[Any]) -> str:
    """What is explained: method, model, prediction, and the class if it is another."""
    # All other words together are no prediction, however likely.
    words = [index for index, name in enumerate(explanation.classes) if name != OTHER]
    best = max(words, key=lambda index: explanation.probabilities[index])
    said = f"{printable(explanation.classes[best])} {percent(explanation.probabilities[best])}"
    model = "your model" if explanation.model == OWN_MODEL else printable(explanation.model)
    # A client may be told of a method that only the service has.
    known = methods().get(explanation.method)
    parts = [printable(explanation.method) if known is None else known.title, f"{model} says {said}"]
    if best != explanation.target:
        probability = percent(explanation.probabilities[explanation.target])
        parts.append(f"explaining {printable(explanation.target_class)} ({probability})")
    return " · ".join(parts)
