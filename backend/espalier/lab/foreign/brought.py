"""What a file of explanations says of a run's texts and models."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from espalier.compact_json import compact
from espalier.lab.foreign.alignment import aligned
from espalier.lab.foreign.forms import ExplanationFile, KeptExplanations
from espalier.measure.request import Given
from espalier.problems import BadParameter, quoted

MISSING = "is not explained in the file"


@dataclass(frozen=True, slots=True)
class Brought:
    """For each text of a run what was brought of it, aligned; and what of the file the run has no use for."""

    of_texts: tuple[tuple[Given, ...], ...]
    warnings: tuple[str, ...] = ()


def brought(
    explanations: ExplanationFile | KeptExplanations | None, texts: Sequence[str], models: Sequence[str]
) -> Brought:
    """Lines of other texts and models are left; what cannot be aligned is refused with its line."""
    if explanations is None:
        return Brought(((),) * len(texts))
    if isinstance(explanations, KeptExplanations):
        raise BadParameter("no explanations: got those that another run keeps, possible is a file")
    places = {text.strip(): place for place, text in reversed(list(enumerate(texts)))}
    found: list[list[Given]] = [[] for _ in texts]
    other_texts = other_models = 0
    for line in explanations.lines:
        if line.model is not None and line.model not in models:
            other_models += 1
        elif (place := places.get(line.text)) is None:
            other_texts += 1
        else:
            found[place].append(aligned(line))
    if not any(found):
        named = sorted({line.model for line in explanations.lines if line.model is not None})
        raise BadParameter(
            f"nothing of {explanations.name} is of this run: got {other_texts} explanations of other texts and "
            f"{other_models} of other models ({', '.join(map(quoted, named[:5])) or 'none named'}), possible are those "
            f"of its texts on {', '.join(models)}"
        )
    said = []
    if other_models:
        said.append(f"{other_models} explanations of {explanations.name} are of models that are not in this run")
    if other_texts:
        said.append(f"{other_texts} explanations of {explanations.name} are of texts that are not in this run")
    for name in explanations.explainers:
        explained = sum(any(given.method == name and given.problem is None for given in each) for each in found)
        if explained < len(texts):
            said.append(f"{name} explains {explained:,} of {len(texts):,} texts; its line has no others")
    return Brought(tuple(tuple(each) for each in found), tuple(said))


def packed(found: Sequence[Given]) -> str | None:
    """As a run keeps it with its text."""
    return compact([each.model_dump(mode="json", exclude_defaults=True) for each in found]) if found else None


def unpacked(held: str | None) -> tuple[Given, ...]:
    return () if held is None else tuple(Given.model_validate(each) for each in json.loads(held))


def of_model(found: Iterable[Given], explainers: Sequence[str], names: Sequence[str], model: str) -> tuple[Given, ...]:
    """One for each explainer under its name in the run: what is said of this model before what is said of any."""
    held = list(found)
    chosen = []
    for explainer, name in zip(explainers, names, strict=True):
        own = [each for each in held if each.method == explainer and each.model in (model, None)]
        best = min(own, key=lambda each: each.model is None, default=Given(method=name, problem=MISSING))
        chosen.append(best.model_copy(update={"method": name}))
    return tuple(chosen)
