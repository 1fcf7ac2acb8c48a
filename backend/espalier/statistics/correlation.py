"""Spearman's correlation of two scores of the same items, with a bootstrap interval over the groups they come in.

Items of one group belong together: a sentence explained in four ways is four items, and drawn whole or not at all.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from espalier.statistics.bootstrap import DRAWS, bootstrap_p, interval
from espalier.statistics.documents import Correlation
from espalier.statistics.means import LARGE, PART
from espalier.statistics.ratios import FEWER_DRAWS

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FEWEST = 10
"""Groups: a correlation of fewer can be almost anything by chance."""


def spearman_interval(first: FloatArray, second: FloatArray, groups: Sequence[int], seed: int) -> Correlation:
    """Of float[items] each; NaN is "not measured", and such items are left out. A 95% percentile interval and the
    two-sided p value of the same draws; draws in which either score is everywhere the same have no correlation."""
    there = ~(np.isnan(first) | np.isnan(second))
    names, members = np.unique(np.asarray(groups, dtype=np.int64)[there], return_inverse=True)
    first, second = first[there], second[there]
    found = Correlation(rho=None, low=None, high=None, p=None, items=len(first), groups=len(names))
    if len(names) < FEWEST:
        return found
    rho = spearman_draws(first, second, np.ones((1, len(first)), dtype=np.int64))[0]
    if np.isnan(rho):
        return found
    draws = _resampled(first, second, members, len(names), seed)
    draws = draws[~np.isnan(draws)]
    low, high = interval(draws)
    return found.model_copy(update={"rho": float(rho), "low": low, "high": high, "p": bootstrap_p(draws)})


def _resampled(first: FloatArray, second: FloatArray, members: IntArray, groups: int, seed: int) -> FloatArray:
    """As many groups, drawn with replacement; a part at a time, since not all draws of many items fit in memory."""
    generator = np.random.default_rng(seed)
    even = np.full(groups, 1 / groups)
    draws = DRAWS if len(first) <= LARGE else FEWER_DRAWS
    parts = []
    for start in range(0, draws, size := max(1, PART // len(first))):
        drawn = generator.multinomial(groups, even, size=min(size, draws - start))
        parts.append(spearman_draws(first, second, drawn[:, members]))
    return np.concatenate(parts)


def spearman_draws(first: FloatArray, second: FloatArray, times: IntArray) -> FloatArray:
    """Spearman's rho of each row of int[draws, items], which says how often each item was drawn; NaN where it is not
    defined. Nothing is sorted again: in every draw the items stand in the same order, only more or less often."""
    drawn = times.sum(axis=1, keepdims=True)
    ranks = [_ranks(each, times) - (drawn + 1) / 2 for each in (first, second)]
    both, one, two = ((times * ranks[a] * ranks[b]).sum(axis=1, dtype=np.float64) for a, b in ((0, 1), (0, 0), (1, 1)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where((one > 0) & (two > 0), both / np.sqrt(one * two), np.nan))


def _ranks(values: FloatArray, times: IntArray) -> FloatArray:
    """Ranks from 1 in every draw; equal values share the mean of theirs."""
    _, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    counts = np.add.reduceat(times[:, order], starts, axis=1)
    below = np.cumsum(counts, axis=1) - counts
    return np.asarray((below + (counts + 1) / 2)[:, place])
