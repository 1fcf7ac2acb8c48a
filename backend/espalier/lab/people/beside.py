"""Each item of a coherence study with both of its scores: the share of people who guessed right, and the measures."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from espalier.lab.design import EvaluationDesign
from espalier.lab.people.documents import AgainstPeople, MeasuredItem, Verdict
from espalier.measure.registry import Measure
from espalier.statistics.correlation import FEWEST, spearman_interval
from espalier.statistics.documents import Correlation
from espalier.store.evaluations import StoredRow
from espalier.studies.documents import ItemDocument
from espalier.studies.results import ItemResult

SIGNIFICANT = 0.05

OTHERWISE = "explained otherwise now than when people were asked"
NOT_YET = "not measured"

Place = tuple[str, str, str]
"""Text, model and method."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a run found of one item."""

    top: tuple[int, ...]
    values: dict[str, float | None]
    problem: str | None


def found_by(design: EvaluationDesign, texts: Sequence[str], rows: Iterable[StoredRow]) -> dict[Place, Found]:
    """The rows of a run by what they are about; not its baselines."""
    conditions = design.conditions
    found = {}
    for row in rows:
        if row.condition < len(conditions):
            content = json.loads(row.content)
            place = (texts[row.text], design.models[row.model], conditions[row.condition].method)
            found[place] = Found(tuple(content.get("top", ())), content.get("values", {}), content.get("problem"))
    return found


def beside(
    answered: Sequence[ItemResult], shown: Sequence[ItemDocument], found: dict[Place, Found]
) -> tuple[list[MeasuredItem], dict[str, int]]:
    """Items with answers, in the order of the study, and why some have no measures.

    A model may have changed since the study was prepared: where its top phrase is another now, the measures would be of
    something that nobody has seen.
    """
    phrases = {
        (item.text, each.model, each.method): tuple(each.words)
        for item in shown
        if item.kind == "task"
        for each in item.shown
    }
    order = {place: number for number, place in enumerate(phrases)}
    items, unmeasured = [], Counter[str]()
    for result in sorted(answered, key=lambda each: order.get((each.text, each.model or "", each.method or ""), 0)):
        if result.model is None or result.method is None or result.prediction is None:
            continue
        place = (result.text, result.model, result.method)
        values: dict[str, float | None] = {}
        if (measured := found.get(place)) is None:
            unmeasured[NOT_YET] += 1
        elif measured.problem is not None:
            unmeasured[measured.problem] += 1
        elif measured.top != phrases.get(place):
            unmeasured[OTHERWISE] += 1
        else:
            values = measured.values
        items.append(
            MeasuredItem(
                item=result.item,
                text=result.text,
                model=result.model,
                method=result.method,
                right=result.votes.get(result.prediction, 0),
                guesses=sum(result.votes.values()),
                values=values,
            )
        )
    return items, dict(unmeasured)


def correlations(items: Sequence[MeasuredItem], measures: Sequence[Measure], seed: int) -> list[AgainstPeople]:
    """For each model, since raw measures of two models must not be compared: over all methods together, where there are
    several, and for each. Holm's correction runs over all of them."""
    from espalier.statistics.paired import holm  # statsmodels takes seconds to import

    made = []
    for model in _once(item.model for item in items):
        inside = [item for item in items if item.model == model]
        methods = _once(item.method for item in inside)
        cells: list[str | None] = [*([None] if len(methods) > 1 else []), *methods]
        made += [
            (measure, model, method, _correlation(inside, measure.name, method, seed))
            for measure in measures
            for method in cells
        ]
    tested = [found.p for *_, found in made if found.p is not None]
    corrected = iter(holm(tested))
    return [
        _against(measure, model, method, found, next(corrected) if found.p is not None else None)
        for measure, model, method, found in made
    ]


def _correlation(items: Sequence[MeasuredItem], measure: str, method: str | None, seed: int) -> Correlation:
    """A text is a row, and its explanations stand in the same order in every row."""
    chosen = [item for item in items if method in (None, item.method)]
    texts, methods = _once(item.text for item in chosen), _once(item.method for item in chosen)
    rows, columns = ({name: number for number, name in enumerate(names)} for names in (texts, methods))
    people, values = np.full((2, len(texts), len(methods)), np.nan)
    for item in chosen:
        place = rows[item.text], columns[item.method]
        people[place] = item.right / item.guesses
        values[place] = np.nan if (value := item.values.get(measure)) is None else value
    return spearman_interval(people, values, seed)


def _against(
    measure: Measure, model: str, method: str | None, found: Correlation, corrected: float | None
) -> AgainstPeople:
    verdict = _verdict(measure, found, corrected)
    return AgainstPeople(
        measure=measure.name,
        model=model,
        method=method,
        correlation=found,
        corrected=corrected,
        verdict=verdict,
        says=_says(measure, found, verdict),
    )


def _verdict(measure: Measure, found: Correlation, corrected: float | None) -> Verdict:
    if found.groups < FEWEST:
        return "too-few"
    if found.rho is None or corrected is None:
        return "alike"
    if corrected >= SIGNIFICANT:
        return "undecided"
    return "with" if (found.rho > 0) == (measure.kind.better == "higher") else "against"


def _says(measure: Measure, found: Correlation, verdict: Verdict) -> str:
    if verdict == "too-few":
        return f"Too few: {found.groups} texts with both scores, and at least {FEWEST} are needed."
    if verdict == "alike":
        return "One of the two scores is the same for every item: nothing can go with it."
    numbers = f"rho {found.rho:.2f}, 95% interval {found.low:.2f} to {found.high:.2f}, {found.groups} texts"
    if verdict == "undecided":
        return f"Undecided: whether {measure.title} goes with people's guesses could be chance ({numbers})."
    more = "more" if verdict == "with" else "less"
    return f"Where {measure.title} is better, people guess the prediction {more} often ({numbers})."


def summary(found: Sequence[AgainstPeople], titles: dict[str, str]) -> str:
    """What all of it says, in a sentence for each model: of all methods together where there are several."""
    said = []
    for model in _once(each.model for each in found):
        inside = [each for each in found if each.model == model]
        together = any(each.method is None for each in inside)
        by: dict[Verdict, list[str]] = {}
        for each in inside:
            if each.method is None or not together:
                by.setdefault(each.verdict, []).append(titles[each.measure])
        parts = [f"{' and '.join(by[verdict])} {words}" for verdict, words in _NAMED.items() if verdict in by]
        parts += [f"{_measures(len(by[verdict]))} {words}" for verdict, words in _COUNTED.items() if verdict in by]
        said.append(f"On {model}: {'; '.join(parts)}.")
    return " ".join(said)


_NAMED: dict[Verdict, str] = {"with": "went with people’s guesses", "against": "went against people’s guesses"}
_COUNTED: dict[Verdict, str] = {
    "undecided": "could not be told from chance",
    "alike": "could not be compared, since all items are alike",
    "too-few": f"had fewer than {FEWEST} texts",
}


def _measures(count: int) -> str:
    return "1 measure" if count == 1 else f"{count} measures"


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
