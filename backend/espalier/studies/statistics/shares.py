"""Shares with intervals, and tests of a share against one half."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm
from statsmodels.stats.proportion import proportion_confint

from espalier.studies.results import Binomial, Share

DRAWS = 10_000
"""Bootstrap samples: the ends of a 95% interval are then good to about a percent of its width."""


def share(count: int, of: int) -> Share:
    """With its 95% Wilson score interval."""
    if of == 0:
        return Share(count=count, of=of, share=None, low=None, high=None)
    low, high = proportion_confint(count, of, alpha=0.05, method="wilson")
    return Share(count=count, of=of, share=count / of, low=float(low), high=float(high))


def more_than_half(count: int, of: int) -> Binomial:
    """Exact binomial tests, and the one-sided normal approximation that the MAHE paper reports as p."""
    if of == 0:
        return Binomial(exact_one_sided=None, exact_two_sided=None, normal_one_sided=None)
    standard_score = (count - of / 2) / (np.sqrt(of) / 2)
    return Binomial(
        exact_one_sided=float(binomtest(count, of, alternative="greater").pvalue),
        exact_two_sided=float(binomtest(count, of).pvalue),
        normal_one_sided=float(norm.sf(standard_score)),
    )


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
