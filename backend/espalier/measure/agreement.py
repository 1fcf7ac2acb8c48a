"""How alike two rankings of the same words are: two methods', or one method's with two seeds."""

from collections.abc import Sequence

import numpy as np

from espalier.measure.curves import count_of

TOP_PERCENT = 20


def kendall(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Kendall's tau: 1 for the same ranking, -1 for the reverse; nothing of a single word."""
    if len(first) < 2:
        return None
    ranks = [np.argsort(ranking) for ranking in (first, second)]
    same = np.prod([np.sign(each[:, None] - each) for each in ranks], axis=0)
    return float(same.sum() / (len(first) * (len(first) - 1)))


def overlap(first: Sequence[int], second: Sequence[int], percent: int = TOP_PERCENT) -> float:
    """The share of the top words that both rankings have there."""
    top = count_of(percent, len(first))
    return len(set(first[:top]) & set(second[:top])) / top
