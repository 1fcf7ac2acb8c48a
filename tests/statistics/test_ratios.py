"""Ratios of means: the number itself by hand, and intervals that cover the truth."""

import numpy as np
import pytest

from espalier.statistics import ratios
from espalier.statistics.ratios import ratio_intervals

OVER, UNDER = (0, 1), (2, 3)


def test_a_ratio_is_of_means_over_all_that_was_counted() -> None:
    # Sums and counts: words 2 + 4 of two, and 9 of one; nodes 10 of five, 2 of two, 6 of three.
    values = np.array([[6.0, 2, 10, 5], [0, 0, 2, 2], [9, 1, 6, 3]])
    (found,) = ratio_intervals(values, [(OVER, UNDER)], seed=0)
    assert found.ratio == pytest.approx((15 / 3) / (18 / 10))
    assert (found.sentences, found.count) == (2, 3)
    assert found.low is None  # two sentences say nothing of others
    (nothing,) = ratio_intervals(values * [0, 0, 1, 1], [(OVER, UNDER)], seed=0)
    assert nothing.ratio is None


@pytest.mark.slow
def test_intervals_cover_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratios, "DRAWS", 1_000)
    generator = np.random.default_rng(4)
    covered = []
    for each in range(1_000):
        counts = generator.integers(1, 30, size=120)
        there = generator.random(120) < 0.3
        words = np.where(there, generator.exponential(3.0, 120), 0.0)
        nodes = np.array([generator.exponential(2.0, count).sum() for count in counts])
        values = np.column_stack([words, there, nodes, counts]).astype(np.float64)
        (found,) = ratio_intervals(values, [(OVER, UNDER)], seed=each)
        assert found.low is not None
        assert found.high is not None
        covered.append(found.low <= 1.5 <= found.high)
    assert 0.90 <= np.mean(covered) <= 0.98
