"""Spearman's correlation of two scores of the same items, which come in groups: a sentence explained in four ways is
four items of one group. Groups are drawn whole, and shuffled whole."""

import numpy as np
from numpy.typing import NDArray

from espalier.statistics.bootstrap import DRAWS, interval
from espalier.statistics.documents import Correlation
from espalier.statistics.means import FLIPS, LARGE, PART
from espalier.statistics.ratios import FEWER_DRAWS

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FEWEST = 10
"""Groups: a correlation of fewer can be almost anything by chance."""


def spearman_interval(first: FloatArray, second: FloatArray, seed: int) -> Correlation:
    """Of float[groups, items] each; NaN is "not measured", and such items are left out. A 95% percentile interval of a
    bootstrap over groups; draws in which either score is everywhere the same have no correlation."""
    there = ~(np.isnan(first) | np.isnan(second))
    chosen = there.any(axis=1)
    first, second, there = first[chosen], second[chosen], there[chosen]
    found = Correlation(rho=None, low=None, high=None, p=None, items=int(there.sum()), groups=len(there))
    if len(there) < FEWEST:
        return found
    rho = spearman_draws(first[there], second[there], np.ones((1, found.items), dtype=np.int64))[0]
    if np.isnan(rho):
        return found
    draws = _resampled(first, second, there, seed)
    low, high = interval(draws[~np.isnan(draws)])
    p = _shuffled(first, second, there, seed)
    return found.model_copy(update={"rho": float(rho), "low": low, "high": high, "p": p})


def _resampled(first: FloatArray, second: FloatArray, there: NDArray[np.bool_], seed: int) -> FloatArray:
    """As many groups, drawn with replacement; a part at a time, since not all draws of many items fit in memory."""
    generator = np.random.default_rng(seed)
    groups, items = len(there), int(there.sum())
    even, members = np.full(groups, 1 / groups), np.nonzero(there)[0]
    draws = DRAWS if items <= LARGE else FEWER_DRAWS
    parts = []
    for start in range(0, draws, size := max(1, PART // items)):
        drawn = generator.multinomial(groups, even, size=min(size, draws - start))
        parts.append(spearman_draws(first[there], second[there], drawn[:, members]))
    return np.concatenate(parts)


def _shuffled(first: FloatArray, second: FloatArray, there: NDArray[np.bool_], seed: int) -> float:
    """Two-sided p value, (b + 1)/(m + 1), that a correlation is as far from zero when groups are set beside each other
    at random: each among those that lack the same items. The bootstrap's own p values are too small for few groups.

    Ranks stay as they are, so every shuffle is a sum over a table of how well any two groups would go together.
    """
    once = np.ones((1, int(there.sum())), dtype=np.int64)
    ranks = []
    for score in (first, second):
        made = np.zeros(score.shape)
        made[there] = _ranks(score[there], once)[0] - (once.shape[1] + 1) / 2
        ranks.append(made)
    pairs = ranks[0] @ ranks[1].T
    reached = abs(np.trace(pairs)) * (1 - 1e-12)
    alike = [np.flatnonzero((there == pattern).all(axis=1)) for pattern in np.unique(there, axis=0)]
    generator = np.random.default_rng(seed)
    shuffles = FLIPS if len(there) <= LARGE else FEWER_DRAWS - 1
    beyond = 0
    for start in range(0, shuffles, size := max(1, PART // len(there))):
        sums = np.zeros(min(size, shuffles - start))
        for rows in alike:
            others = generator.permuted(np.tile(rows, (len(sums), 1)), axis=1)
            sums += pairs[others, rows].sum(axis=1)
        beyond += int((np.abs(sums) >= reached).sum())
    return float((beyond + 1) / (shuffles + 1))


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
