"""Weighted least squares on a local sample, and how far its coefficients would move with another sample.

The values of a game carry no noise: what is random is which coalitions were drawn. So the covariance is the sandwich
of White (1980), which holds for a model that does not fit perfectly, with each draw counted once however often its
coalition came.
"""

import numpy as np
from scipy.linalg import lstsq, pinvh

from espalier.explain.plan import FloatArray


def least_squares(design: FloatArray, targets: FloatArray, weights: FloatArray) -> FloatArray:
    """Coefficients with the least weighted squared error; of several, the smallest ones."""
    roots = np.sqrt(weights)
    solution = lstsq(design * roots[:, None], targets * roots, lapack_driver="gelsy")
    return np.asarray(solution[0], dtype=np.float64)


def sampling_covariance(
    design: FloatArray,
    residuals: FloatArray,
    counts: FloatArray,
    kernel: FloatArray,
    left_out: float = 0.0,
    penalty: FloatArray | None = None,
) -> FloatArray:
    """Covariance of the coefficients over repeated samples.

    `left_out` is the share of the drawn coalitions that was held out of the fit at random: which ones they are moves
    the coefficients too, and more so the more often each was drawn. `penalty` is the ridge on each coefficient.
    """
    gram = design.T @ (design * (counts * kernel)[:, None])
    if penalty is not None:
        gram = gram + np.diag(penalty)
    bread = pinvh(gram)
    scores = design * (residuals * kernel * np.sqrt(counts * (1 + left_out * counts)))[:, None]
    draws = counts.sum()
    # Residuals of a fit are smaller than errors: the usual correction for the coefficients spent.
    correction = draws / max(draws - design.shape[1], 1.0)
    return np.asarray(correction * bread @ (scores.T @ scores) @ bread, dtype=np.float64)


def r_squared(targets: FloatArray, residuals: FloatArray, weights: FloatArray) -> float:
    """Share of the weighted variance that a fit explains; 1 for a perfect fit to constant values."""
    left = float(np.average(residuals**2, weights=weights))
    spread = variance(targets, weights)
    if spread <= rounding(targets):
        return 1.0 if left <= rounding(targets) else 0.0
    return 1 - left / spread


def variance(values: FloatArray, weights: FloatArray) -> float:
    return float(np.average((values - np.average(values, weights=weights)) ** 2, weights=weights))


def rounding(values: FloatArray) -> float:
    """The variance that values of a single-precision model can have from rounding alone."""
    return float((4 * np.finfo(np.float32).eps * np.abs(values).max()) ** 2)
