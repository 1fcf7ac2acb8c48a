"""Shares with intervals, and tests of a share against one half."""

import numpy as np

from espalier.statistics.documents import Binomial, Share


def share(count: int, of: int) -> Share:
    """With its 95% Wilson score interval."""
    if of == 0:
        return Share(count=count, of=of, share=None, low=None, high=None)
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(count, of, alpha=0.05, method="wilson")
    return Share(count=count, of=of, share=count / of, low=float(low), high=float(high))


def more_than_half(count: int, of: int) -> Binomial:
    """Exact binomial tests, and the one-sided normal approximation that the MAHE paper reports as p."""
    if of == 0:
        return Binomial(exact_one_sided=None, exact_two_sided=None, normal_one_sided=None)
    from scipy.stats import binomtest, norm

    standard_score = (count - of / 2) / (np.sqrt(of) / 2)
    return Binomial(
        exact_one_sided=float(binomtest(count, of, alternative="greater").pvalue),
        exact_two_sided=float(binomtest(count, of).pvalue),
        normal_one_sided=float(norm.sf(standard_score)),
    )
