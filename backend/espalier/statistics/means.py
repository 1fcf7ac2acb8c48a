"""Means over sentences with bootstrap intervals, and paired tests of their differences by flipping signs.

Sentences are the unit: what was measured on one belongs together. Draws are made a part at a time: ten thousand of ten
thousand sentences do not fit in memory at once.

SciPy's statistics are imported where they are asked for, here and in the modules beside: to read them takes as long as
all else that a server imports, and every process that speaks of a diagnosis imports this.
"""

import numpy as np
from numpy.typing import NDArray

from espalier.statistics.bootstrap import DRAWS
from espalier.statistics.documents import MeanInterval

FloatArray = NDArray[np.float64]

PART = 4_000_000
"""Numbers drawn at a time."""

LARGE = 2_000
"""Sentences above which a mean is normal to far more digits than draws give: no draws are made then."""

FLIPS = 9_999
"""With the observed signs as one more, p values are multiples of one in ten thousand."""


def mean_intervals(values: FloatArray, seed: int, draws: int = DRAWS) -> list[MeanInterval]:
    """For each column of float[sentences, columns] its mean with a 95% BCa bootstrap interval. NaN is "not measured":
    such a sentence is left out of that column. All columns of one set of sentences share their draws."""
    found: list[MeanInterval | None] = [None] * values.shape[1]
    there = ~np.isnan(values)
    for pattern in {column.tobytes() for column in there.T}:
        columns = [index for index in range(values.shape[1]) if there[:, index].tobytes() == pattern]
        chosen = values[there[:, columns[0]]][:, columns]
        for index, interval in zip(columns, _intervals(chosen, seed, draws), strict=True):
            found[index] = interval
    return [each for each in found if each is not None]


def _intervals(values: FloatArray, seed: int, count_of_draws: int) -> list[MeanInterval]:
    count = len(values)
    if count == 0:
        return [MeanInterval(mean=None, low=None, high=None, n=0)] * values.shape[1]
    means = values.mean(axis=0)
    if count == 1:
        return [MeanInterval(mean=float(mean), low=None, high=None, n=1) for mean in means]
    if count > LARGE:
        from scipy.stats import norm

        half = norm.ppf(0.975) * values.std(axis=0, ddof=1) / np.sqrt(count)
        return [
            MeanInterval(mean=float(mean), low=float(mean - each), high=float(mean + each), n=count)
            for mean, each in zip(means, half, strict=True)
        ]
    draws = resampled_means(values, seed, count_of_draws)
    return [
        MeanInterval(mean=float(mean), low=low, high=high, n=count)
        for mean, (low, high) in (
            (means[column], _bca(values[:, column], means[column], draws[:, column])) for column in range(len(means))
        )
    ]


def resampled_means(values: FloatArray, seed: int, draws: int) -> FloatArray:
    """float[draws, columns]: means over as many sentences, drawn with replacement."""
    generator = np.random.default_rng(seed)
    count = len(values)
    even = np.full(count, 1 / count)
    parts = []
    for start in range(0, draws, size := max(1, PART // count)):
        drawn = generator.multinomial(count, even, size=min(size, draws - start))
        parts.append(drawn @ values / count)
    return np.concatenate(parts)


def _bca(values: FloatArray, mean: float, draws: FloatArray) -> tuple[float, float]:
    """Efron's bias-corrected and accelerated interval. Of a mean the jackknife has a closed form: its acceleration is a
    sixth of the skewness over the root of n."""
    from scipy.stats import norm

    off = values - mean
    spread = float((off**2).sum())
    if spread < 1e-24 * max(1.0, mean**2) * len(values):
        return float(mean), float(mean)
    acceleration = float((off**3).sum()) / (6 * spread**1.5)
    below = ((draws < mean).mean() + (draws <= mean).mean()) / 2
    bias = float(norm.ppf(np.clip(below, 1e-4, 1 - 1e-4)))
    ends = []
    for tail in (0.025, 0.975):
        shifted = bias + float(norm.ppf(tail))
        ends.append(float(norm.cdf(bias + shifted / (1 - acceleration * shifted))))
    low, high = np.quantile(draws, ends)
    return float(low), float(high)


def sign_flips(differences: FloatArray, seed: int) -> list[float]:
    """Two-sided p values that the mean of each column of float[sentences, columns] is zero.

    If nothing but chance told two conditions apart, each difference might as well have the other sign. (b + 1)/(m + 1),
    so that no p value is zero. The same flips for all columns.
    """
    count = len(differences)
    if count == 0:
        return [1.0] * differences.shape[1]
    if count > LARGE:
        from scipy.stats import norm

        spread = np.sqrt((differences**2).sum(axis=0))
        scores = np.abs(differences.sum(axis=0)) / np.maximum(spread, 1e-300)
        return [float(max(2 * norm.sf(score), 1 / (FLIPS + 1))) for score in scores]
    generator = np.random.default_rng(seed)
    observed = np.abs(differences.sum(axis=0))
    # Sums of the same numbers in another order differ in their last bits: those are as large as the observed one.
    reached = observed * (1 - 1e-12) - 1e-15
    beyond = np.zeros(differences.shape[1], dtype=np.int64)
    for start in range(0, FLIPS, size := max(1, PART // count)):
        signs = generator.integers(0, 2, size=(min(size, FLIPS - start), count), dtype=np.int8) * 2 - 1
        beyond += (np.abs(signs.astype(np.float64) @ differences) >= reached).sum(axis=0)
    return [float((each + 1) / (FLIPS + 1)) for each in beyond]
