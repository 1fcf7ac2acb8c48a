"""Ratios of means over sentences, with bootstrap intervals."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from espalier.statistics.bootstrap import DRAWS
from espalier.statistics.documents import RatioInterval
from espalier.statistics.means import LARGE, resampled_means

FloatArray = NDArray[np.float64]

FEWEST = 5
"""Sentences with something above the line: draws from fewer say nothing of others."""

FEWER_DRAWS = 1_000
"""For more than two thousand sentences: the ends of an interval are close to its middle then."""

Means = tuple[int, int]
"""A column of sums and a column of counts."""


def ratio_intervals(values: FloatArray, ratios: Sequence[tuple[Means, Means]], seed: int) -> list[RatioInterval]:
    """For each ratio (over, under) of means of float[sentences, columns] its value and 95% percentile interval.

    A mean is a sum over all sentences through a count over all sentences, such as the scores of words through how many
    words there are. Sentences are drawn whole and for all ratios at once, so that what is above the line and what is
    below it stay together.
    """
    totals = values.sum(axis=0)
    enough = len(values) >= FEWEST
    draws = resampled_means(values, seed, DRAWS if len(values) <= LARGE else FEWER_DRAWS) if enough else None
    found = []
    for over, under in ratios:
        sentences, count = int((values[:, over[1]] > 0).sum()), int(totals[over[1]])
        value = _ratio(totals[None], over, under)
        if not len(value):
            found.append(RatioInterval(ratio=None, low=None, high=None, sentences=sentences, count=count))
            continue
        low = high = None
        if draws is not None and sentences >= FEWEST:
            low, high = (float(end) for end in np.quantile(_ratio(draws, over, under), [0.025, 0.975]))
        found.append(RatioInterval(ratio=float(value[0]), low=low, high=high, sentences=sentences, count=count))
    return found


def _ratio(means: FloatArray, over: Means, under: Means) -> FloatArray:
    """Where both means are there: a draw may have none of the sentences with a rare word."""
    chosen = means[(means[:, over[1]] > 0) & (means[:, under[0]] > 0)]
    return np.asarray((chosen[:, over[0]] / chosen[:, over[1]]) / (chosen[:, under[0]] / chosen[:, under[1]]))
