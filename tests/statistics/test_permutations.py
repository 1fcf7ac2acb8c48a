"""The test of two groups: exact where it can be counted, uniform where there is nothing, and able to see something."""

import itertools

import numpy as np
import pytest
from scipy import stats

from espalier.statistics.permutations import larger_mean


def test_p_values_are_uniform_where_the_groups_are_alike() -> None:
    generator = np.random.default_rng(11)
    found = []
    for each in range(2_000):
        # Skewed, and of different sizes, as variances of scores are.
        values = generator.exponential(size=37) ** 2
        found.append(larger_mean(values[:15], values[15:], seed=each, permutations=99))
    # Possible are 1/100, 2/100, …, 1: each as often as any other.
    counts = np.bincount(np.round(np.array(found) * 100).astype(int) - 1, minlength=100)
    assert stats.chisquare(counts.reshape(20, 5).sum(axis=1)).pvalue > 0.001
    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.05, abs=0.02)


def test_it_is_the_share_of_all_ways_to_deal_the_values() -> None:
    values = np.random.default_rng(2).normal(size=9)
    first, second = values[:5], values[5:]
    ways = [sum(values[list(chosen)]) for chosen in itertools.combinations(range(9), 4)]
    exact = np.mean([way >= second.sum() - 1e-12 for way in ways])
    assert larger_mean(first, second, seed=0, permutations=40_000) == pytest.approx(exact, abs=0.01)


def test_it_is_one_sided_and_never_zero() -> None:
    low, high = np.arange(30.0), np.arange(30.0) + 100
    assert larger_mean(low, high, seed=0, permutations=999) == 1 / 1000
    assert larger_mean(high, low, seed=0, permutations=999) == 1.0
    assert larger_mean(np.ones(4), np.ones(6), seed=0) == 1.0
