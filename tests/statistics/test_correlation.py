"""Spearman's correlation against SciPy's, draw by draw, and its interval against the truth."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from espalier.statistics import correlation
from espalier.statistics.correlation import FEWEST, spearman_draws, spearman_interval


def tied(items: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Shares of three votes, which are often equal, and a number that has a little to do with them."""
    generator = np.random.default_rng(seed)
    shares = generator.binomial(3, 0.7, items) / 3
    return shares, np.round(shares + generator.normal(0, 0.5, items), 1)


def test_the_correlation_is_scipys() -> None:
    for seed in range(20):
        first, second = tied(30, seed)
        found = spearman_interval(first[:, None], second[:, None], seed)
        assert found.rho == pytest.approx(spearmanr(first, second).statistic)
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
    found = spearman_interval(first.reshape(12, 3), second.reshape(12, 3), 9)
    drawn = np.random.default_rng(9).multinomial(12, np.full(12, 1 / 12), size=2_000)
    by_hand = []
    for times in drawn:
        chosen = [item for item in range(36) for _ in range(times[groups[item]])]
        by_hand.append(spearmanr(first[chosen], second[chosen]).statistic)
    assert np.allclose(spearman_draws(first, second, drawn[:, groups]), by_hand)
    low, high = np.quantile(by_hand, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.04)
    assert found.high == pytest.approx(high, abs=0.04)


def test_the_p_value_is_that_of_shuffled_groups() -> None:
    first, second = tied(36, 6)
    left, right = first.reshape(12, 3), second.reshape(12, 3)
    found = spearman_interval(left, right, 4)
    generator = np.random.default_rng(11)
    rhos = [abs(spearmanr(left[generator.permutation(12)].ravel(), second).statistic) for _ in range(2_000)]
    assert found.rho is not None
    assert found.p == pytest.approx(np.mean(np.array(rhos) >= abs(found.rho) - 1e-12), abs=0.03)


def test_a_group_that_lacks_an_item_is_shuffled_among_its_like() -> None:
    """Of two groups of one item each and ten of two, the two can only change places with each other."""
    first, second = tied(24, 7)
    left, right = first.reshape(12, 2), second.reshape(12, 2)
    right[[0, 1], 1] = np.nan
    found = spearman_interval(left, right, 4)
    there = ~np.isnan(right)
    generator, rhos = np.random.default_rng(12), []
    for _ in range(2_000):
        order = [*generator.permutation(2), *(2 + generator.permutation(10))]
        rhos.append(abs(spearmanr(left[order][there], right[there]).statistic))
    assert found.items == 22
    assert found.rho is not None
    assert found.p == pytest.approx(np.mean(np.array(rhos) >= abs(found.rho) - 1e-12), abs=0.03)


@pytest.mark.slow
def test_the_interval_covers_the_truth_and_chance_is_rarely_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of normal numbers with correlation r the truth is 6/pi asin(r/2)."""
    monkeypatch.setattr(correlation, "DRAWS", 1_000)
    monkeypatch.setattr(correlation, "FLIPS", 999)
    r, covered = 0.5, 0
    truth = 6 / np.pi * np.arcsin(r / 2)
    for seed in range(300):
        first, second = np.random.default_rng(seed).multivariate_normal([0, 0], [[1, r], [r, 1]], size=60).T
        found = spearman_interval(first[:, None], second[:, None], seed)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert 0.90 <= covered / 300 <= 0.98
    # Two methods on fourteen texts, whose scores belong together but have nothing to do with the other score.
    smallest = []
    for seed in range(400):
        generator = np.random.default_rng(seed)
        scores = [generator.normal(size=(14, 1)) + generator.normal(0, 0.5, (14, 2)) for _ in range(2)]
        smallest.append(spearman_interval(*scores, seed).p)
    assert 0.02 <= np.mean(np.array(smallest) <= 0.05) <= 0.08
    assert 0.42 <= np.mean(np.array(smallest) <= 0.5) <= 0.58


def test_what_is_not_measured_is_left_out() -> None:
    first, second = tied(30, 3)
    second[[4, 7]] = np.nan
    there = ~np.isnan(second)
    found = spearman_interval(first[:, None], second[:, None], 0)
    assert found.rho == pytest.approx(spearmanr(first[there], second[there]).statistic)
    assert (found.items, found.groups) == (28, 28)


def test_too_few_groups_have_no_correlation_however_many_items() -> None:
    first, second = tied(4 * (FEWEST - 1), 4)
    found = spearman_interval(first.reshape(-1, 4), second.reshape(-1, 4), 0)
    assert (found.rho, found.low, found.p) == (None, None, None)
    assert (found.items, found.groups) == (4 * (FEWEST - 1), FEWEST - 1)


def test_where_everybody_is_right_nothing_goes_with_it() -> None:
    found = spearman_interval(np.ones((20, 1)), np.arange(20.0)[:, None], 0)
    assert (found.rho, found.groups) == (None, 20)
