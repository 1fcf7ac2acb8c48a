"""Kernel SHAP: Shapley values as the weighted regression of values on presence (Lundberg & Lee, 2017, Theorem 2).

The exact constraint form: values of the empty and of the whole text are met exactly instead of with a large weight.
The draw is in complementary pairs without repetition, small sizes exhausted first, each size scaled up to all its
coalitions.
"""

import numpy as np
from numpy.typing import NDArray

from espalier.explain.coalitions.draw import Draw
from espalier.explain.coalitions.estimate import Estimate
from espalier.explain.plan import FloatArray


def kernel_shap(draw: Draw, values: FloatArray) -> Estimate:
    """Constrained weighted least squares. `values` is float[side, pair], the empty and the whole text the first pair.

    With the sum of all values fixed to `change`, the two rows of a complementary pair say the same: the words of the
    smaller coalition are worth (v(S) - v(complement) + change) / 2.
    """
    change = float(values[1, 0] - values[0, 0])
    inner = draw.strata > 0
    strata, present = draw.strata[inner], draw.members[inner].astype(np.float64)
    targets = (values[0, inner] - values[1, inner] + change) / 2
    kernel = _kernel_weights(draw)
    weights = (kernel * draw.population / draw.taken)[strata]
    system = (present * weights[:, None]).T @ present
    # The sum of all values is fixed, so any weight on it changes nothing but that two players can be solved, too.
    inverse = np.linalg.inv(system + np.trace(system))
    ones = inverse.sum(axis=1)
    free = inverse @ (present * weights[:, None]).T @ targets
    found = free + ones * (change - free.sum()) / ones.sum()
    # Directions the constraint leaves open: what a change of one target does to the values.
    influence = present @ (inverse - np.outer(ones, ones) / ones.sum())
    leverage = weights * (influence * present).sum(axis=1)
    residuals = (targets - present @ found) / np.maximum(1 - leverage, np.finfo(np.float64).eps)
    return Estimate(found, _errors(draw, strata, influence * (kernel[strata] * residuals)[:, None]))


def _kernel_weights(draw: Draw) -> FloatArray:
    """Shapley kernel of one pair in each stratum: (n-1) / (C(n,s) s (n-s)); halves pair up with each other."""
    size = draw.size
    sizes = np.arange(len(draw.taken))
    pairs_with_itself = np.where(2 * sizes == size, 2.0, 1.0)
    weights: FloatArray = (size - 1) / (draw.population * pairs_with_itself * np.maximum(sizes * (size - sizes), 1))
    return weights


def _errors(draw: Draw, strata: NDArray[np.int64], contributions: FloatArray) -> FloatArray:
    """Standard error of the sum over strata of population times mean contribution, drawn without replacement."""
    variance = np.zeros(draw.size)
    for stratum in np.flatnonzero(~draw.exhausted):
        here = contributions[strata == stratum]
        taken, population = float(draw.taken[stratum]), float(draw.population[stratum])
        variance += population * (population - taken) / taken * here.var(axis=0, ddof=1)
    return np.sqrt(variance)
