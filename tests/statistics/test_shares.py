"""Shares and tests of one half, against closed formulas and the numbers of the papers."""

from math import comb, sqrt

import numpy as np
import pytest

from espalier.statistics.bootstrap import bootstrap_p, interval, item_bootstrap
from espalier.statistics.shares import more_than_half, share


def wilson(count: int, of: int) -> tuple[float, float]:
    z, p = 1.959963984540054, count / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return middle - half, middle + half


@pytest.mark.parametrize(("count", "of"), [(89, 100), (85, 100), (0, 7), (7, 7), (1, 3)])
def test_intervals_are_wilson_s(count: int, of: int) -> None:
    found = share(count, of)
    assert (found.low, found.high) == pytest.approx(wilson(count, of))


def test_hedge_s_and_lime_s_published_scores_overlap() -> None:
    hedge, lime = share(89, 100), share(85, 100)
    assert hedge.low is not None
    assert lime.high is not None
    assert hedge.low < lime.high


def test_nothing_counted_has_no_share() -> None:
    assert share(0, 0).share is None
    assert more_than_half(0, 0).exact_two_sided is None


def test_twenty_six_of_forty_is_what_mahe_s_paper_counts() -> None:
    found = more_than_half(26, 40)
    exact = sum(comb(40, k) for k in range(26, 41)) / 2**40
    assert found.exact_one_sided == pytest.approx(exact)
    assert round(exact, 4) == 0.0403
    assert found.exact_two_sided == pytest.approx(2 * exact)
    assert found.exact_two_sided is not None
    assert round(found.exact_two_sided, 4) == 0.0807
    assert found.normal_one_sided is not None
    assert round(found.normal_one_sided, 4) == 0.0289


def test_the_item_bootstrap_is_about_as_wide_as_the_normal_interval_of_a_mean() -> None:
    values = np.random.default_rng(0).normal(0.2, 1, size=400)
    low, high = interval(item_bootstrap(values, np.ones(400), seed=1))
    half = 1.96 * values.std() / sqrt(400)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.01)


def test_no_difference_anywhere_has_p_one() -> None:
    assert bootstrap_p(item_bootstrap(np.zeros(20), np.ones(20), seed=0)) == 1


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.arange(10.0)
    assert interval(item_bootstrap(values, np.ones(10), 7)) == interval(item_bootstrap(values, np.ones(10), 7))
