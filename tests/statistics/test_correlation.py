"""Spearman's correlation against SciPy's, draw by draw, and its interval against the truth."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from espalier.statistics import correlation
from espalier.statistics.bootstrap import DRAWS
from espalier.statistics.correlation import FEWEST, spearman_draws, spearman_interval


def tied(items: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Shares of three votes, which are often equal, and a number that has a little to do with them."""
    generator = np.random.default_rng(seed)
    shares = generator.binomial(3, 0.7, items) / 3
    return shares, np.round(shares + generator.normal(0, 0.5, items), 1)


def test_the_correlation_is_scipys() -> None:
    for seed in range(20):
        first, second = tied(30, seed)
        found = spearman_interval(first, second, range(30), seed)
        assert found.rho is not None
        assert abs(found.rho - spearmanr(first, second).statistic) < 1e-12
        assert (found.items, found.groups) == (30, 30)


def test_every_draw_is_scipys_of_the_items_that_were_drawn() -> None:
    first, second = tied(24, 1)
    times = np.random.default_rng(5).multinomial(24, np.full(24, 1 / 24), size=200)
    found = spearman_draws(first, second, times)
    for drawn, rho in zip(times, found, strict=True):
        chosen = np.repeat(np.arange(24), drawn)
        assert abs(rho - spearmanr(first[chosen], second[chosen]).statistic) < 1e-12


def test_items_of_a_group_are_drawn_together() -> None:
    first, second = tied(36, 2)
    groups = np.repeat(np.arange(12), 3)
    found = spearman_interval(first, second, groups, 9)
    generator = np.random.default_rng(9)
    drawn = generator.multinomial(12, np.full(12, 1 / 12), size=DRAWS)[:500]
    by_hand = []
    for times in drawn:
        chosen = [item for item in range(36) for _ in range(times[groups[item]])]
        by_hand.append(spearmanr(first[chosen], second[chosen]).statistic)
    assert np.allclose(spearman_draws(first, second, drawn[:, groups]), by_hand)
    low, high = np.quantile(by_hand, [0.025, 0.975])
    assert found.low is not None
    assert found.high is not None
    assert abs(found.low - low) < 0.08
    assert abs(found.high - high) < 0.08


@pytest.mark.slow
def test_the_interval_covers_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of normal numbers with correlation r the truth is 6/pi asin(r/2)."""
    monkeypatch.setattr(correlation, "DRAWS", 1_000)
    r, covered = 0.5, 0
    truth = 6 / np.pi * np.arcsin(r / 2)
    for seed in range(300):
        first, second = np.random.default_rng(seed).multivariate_normal([0, 0], [[1, r], [r, 1]], size=60).T
        found = spearman_interval(first, second, range(60), seed)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert 0.90 <= covered / 300 <= 0.98


def test_what_is_not_measured_is_left_out() -> None:
    first, second = tied(30, 3)
    second[[4, 7]] = np.nan
    there = ~np.isnan(second)
    found = spearman_interval(first, second, range(30), 0)
    assert found.rho is not None
    assert abs(found.rho - spearmanr(first[there], second[there]).statistic) < 1e-12
    assert found.items == 28


def test_too_few_groups_have_no_correlation_however_many_items() -> None:
    first, second = tied(4 * (FEWEST - 1), 4)
    found = spearman_interval(first, second, np.repeat(np.arange(FEWEST - 1), 4), 0)
    assert (found.rho, found.low, found.p) == (None, None, None)
    assert (found.items, found.groups) == (4 * (FEWEST - 1), FEWEST - 1)


def test_where_everybody_is_right_nothing_goes_with_it() -> None:
    found = spearman_interval(np.ones(20), np.arange(20.0), range(20), 0)
    assert (found.rho, found.groups) == (None, 20)
