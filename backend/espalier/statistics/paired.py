"""Two conditions on the same items: majorities, the exact McNemar test, and Holm's correction of many tests."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Vote = TypeVar("Vote")


def majority(votes: Sequence[Vote]) -> Vote | None:
    """What most votes are for; None for a tie."""
    ranked = Counter(votes).most_common(2)
    return None if len(ranked) > 1 and ranked[0][1] == ranked[1][1] else ranked[0][0]


def exact_mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided, from the items on which the two conditions differ."""
    from statsmodels.stats.contingency_tables import mcnemar

    return float(mcnemar([[0, only_first], [only_second, 0]], exact=True).pvalue)


def holm(tests: Sequence[float]) -> list[float]:
    """The p values of a family of tests, corrected for there being so many."""
    from statsmodels.stats.multitest import multipletests

    return [float(value) for value in multipletests(list(tests), method="holm")[1]] if tests else []
