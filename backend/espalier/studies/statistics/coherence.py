"""Coherence: the share of guesses that equal the model's prediction (HEDGE, section 4.4)."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from espalier.statistics.bootstrap import bootstrap_p, interval, item_bootstrap
from espalier.statistics.paired import exact_mcnemar, holm, majority
from espalier.statistics.shares import share
from espalier.studies.design import NO_GUESS
from espalier.studies.results import Coherence, PairedTest
from espalier.studies.statistics.judgements import Judgement


def coherence(rows: Sequence[Judgement], models: Sequence[str], methods: Sequence[str], seed: int) -> list[Coherence]:
    """For each model and method; then, where there are several, for each model over all methods and the reverse."""
    cells: list[tuple[str | None, str | None]] = [(model, method) for model in models for method in methods]
    if len(methods) > 1:
        cells += [(model, None) for model in models]
    if len(models) > 1:
        cells += [(None, method) for method in methods]
    return [_cell(rows, model, method, seed) for model, method in cells]


def _cell(rows: Sequence[Judgement], model: str | None, method: str | None, seed: int) -> Coherence:
    inside = [row for row in rows if model in (None, row.model) and method in (None, row.method)]
    by_item = _by_item(inside)
    low = high = None
    if by_item:
        means, votes = _means(list(by_item.values()))
        low, high = interval(item_bootstrap(means, votes, seed))
    return Coherence(
        model=model,
        method=method,
        coherent=share(sum(row.coherent for row in inside), len(inside)),
        no_guess=sum(row.answer == NO_GUESS for row in inside),
        items=len(by_item),
        item_low=low,
        item_high=high,
        median_milliseconds=float(np.median([row.milliseconds for row in inside])) if inside else None,
    )


def comparisons(
    rows: Sequence[Judgement], models: Sequence[str], methods: Sequence[str], seed: int
) -> list[PairedTest]:
    """Every two methods on each model, and every two models with each method, on the items both have.

    Holm's correction runs within each of the two families, and for each of the two tests.
    """
    found = [
        _pair(rows, "methods", model, first, second, seed)
        for model in models
        for first, second in combinations(methods, 2)
    ]
    found += [
        _pair(rows, "models", method, first, second, seed)
        for method in methods
        for first, second in combinations(models, 2)
    ]
    for family in ("methods", "models"):
        for test in ("mcnemar", "bootstrap"):
            _holm([each for each in found if each.family == family], test)
    return found


def _pair(rows: Sequence[Judgement], family: str, within: str, first: str, second: str, seed: int) -> PairedTest:
    def side(name: str) -> dict[int, list[bool]]:
        model, method = (within, name) if family == "methods" else (name, within)
        return _by_item([row for row in rows if row.model == model and row.method == method])

    left, right = side(first), side(second)
    shared = sorted(set(left) & set(right))
    test = PairedTest.model_validate(
        {"family": family, "within": within, "first": first, "second": second, "items": len(shared)}
        | dict.fromkeys(("difference", "low", "high", "mcnemar", "mcnemar_holm", "bootstrap", "bootstrap_holm"))
        | {"only_first": 0, "only_second": 0}
    )
    if not shared:
        return test
    one, two = [left[item] for item in shared], [right[item] for item in shared]
    differences = _means(one)[0] - _means(two)[0]
    draws = item_bootstrap(differences, np.ones(len(shared)), seed)
    # An item is one pair: votes of several people on one text are not independent. Its side is that of most votes.
    majorities = [
        (a, b) for a, b in zip(map(majority, one), map(majority, two), strict=True) if a is not None and b is not None
    ]
    test.only_first = sum(a and not b for a, b in majorities)
    test.only_second = sum(b and not a for a, b in majorities)
    test.difference = float(differences.mean())
    test.low, test.high = interval(draws)
    test.bootstrap = bootstrap_p(draws)
    test.mcnemar = exact_mcnemar(test.only_first, test.only_second)
    return test


def _holm(family: list[PairedTest], test: str) -> None:
    tested = [each for each in family if getattr(each, test) is not None]
    for each, value in zip(tested, holm([getattr(each, test) for each in tested]), strict=True):
        setattr(each, f"{test}_holm", value)


def _by_item(rows: Sequence[Judgement]) -> dict[int, list[bool]]:
    items: dict[int, list[bool]] = defaultdict(list)
    for row in rows:
        items[row.sentence].append(row.coherent)
    return dict(items)


def _means(items: list[list[bool]]) -> tuple[np.ndarray, np.ndarray]:
    """The share of coherent votes of each item, and the number of votes."""
    return np.array([np.mean(votes) for votes in items]), np.array([len(votes) for votes in items], dtype=np.float64)
