"""Two independent groups: is the second one's mean larger than chance would make it?"""

import numpy as np
from numpy.typing import NDArray

from espalier.statistics.means import FLIPS, PART

FloatArray = NDArray[np.float64]


def larger_mean(first: FloatArray, second: FloatArray, seed: int, permutations: int = FLIPS) -> float:
    """One-sided p value that the second group's mean is not above the first one's.

    If nothing told the groups apart, each value might as well be in the other one. (b + 1)/(m + 1): the observed groups
    are one of the possible ones, so that no p value is zero.
    """
    if len(first) == 0 or len(second) == 0:
        return 1.0
    # Deviations from the common mean: sums of large numbers would lose the digits that decide.
    both = np.concatenate([second, first])
    both = both - both.mean()
    # All permutations have the same values in both groups together: the sum of one of them says all.
    observed = both[: len(second)].sum()
    reached = observed - 1e-12 * np.abs(both).sum()
    generator = np.random.default_rng(seed)
    beyond = 0
    for start in range(0, permutations, size := max(1, PART // len(both))):
        rows = min(size, permutations - start)
        shuffled = generator.permuted(np.broadcast_to(both, (rows, len(both))), axis=1)
        beyond += int((shuffled[:, : len(second)].sum(axis=1) >= reached).sum())
    return (beyond + 1) / (permutations + 1)
