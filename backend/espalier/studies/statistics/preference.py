"""Preference: the share of items whose majority prefers the second method (MAHE, section 5.2.2)."""

from collections import defaultdict
from collections.abc import Sequence

from espalier.statistics.paired import majority
from espalier.statistics.shares import more_than_half, share
from espalier.studies.results import Preference
from espalier.studies.statistics.judgements import Judgement


def preference(rows: Sequence[Judgement], models: Sequence[str], methods: tuple[str, str]) -> list[Preference]:
    """For each model, and where there are several, for all of them."""
    chosen: list[str | None] = list(models)
    if len(models) > 1:
        chosen.append(None)
    return [_of(rows, model, methods) for model in chosen]


def _of(rows: Sequence[Judgement], model: str | None, methods: tuple[str, str]) -> Preference:
    inside = [row for row in rows if model in (None, row.model)]
    items: dict[str, list[str]] = defaultdict(list)
    for row in inside:
        items[row.item].append(row.method)
    majorities = [majority(votes) for votes in items.values()]
    first, second = methods
    decided = [each for each in majorities if each is not None]
    wins = decided.count(second)
    return Preference(
        model=model,
        first=first,
        second=second,
        majorities=share(wins, len(decided)),
        ties=len(majorities) - len(decided),
        test=more_than_half(wins, len(decided)),
        votes=share(sum(row.method == second for row in inside), len(inside)),
        shown_first=share(sum(row.position == 1 for row in inside), len(inside)),
    )
