"""Means over resampled items, their intervals and their p values."""

import numpy as np
from numpy.typing import NDArray

DRAWS = 10_000
"""Bootstrap samples: the ends of a 95% interval are then good to about a percent of its width."""


def item_bootstrap(values: NDArray[np.float64], weights: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Weighted means over resampled items, DRAWS of them. Items are drawn, not votes: votes on one item belong
    together."""
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(values), np.full(len(values), 1 / len(values)), size=DRAWS)
    return np.asarray((drawn @ (values * weights)) / np.maximum(drawn @ weights, 1e-12), dtype=np.float64)


def interval(draws: NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(low), float(high)


def bootstrap_p(draws: NDArray[np.float64]) -> float:
    """Two-sided: twice the smaller share of draws on either side of zero, never exactly 0 from a finite number of
    draws."""
    tail = min(int((draws <= 0).sum()), int((draws >= 0).sum()))
    return float(min(1.0, 2 * (tail + 1) / (len(draws) + 1)))
