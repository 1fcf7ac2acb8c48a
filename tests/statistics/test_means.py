"""Intervals and tests of means against what they promise: coverage, and uniform p values where there is nothing."""

import itertools

import numpy as np
import pytest
from scipy import stats

from espalier.statistics import means
from espalier.statistics.means import mean_intervals, sign_flips


@pytest.mark.parametrize("draw", ["normal", "exponential", "uniform"])
def test_intervals_cover_the_truth(draw: str) -> None:
    generator = np.random.default_rng(5)
    truth = {"normal": 0.0, "exponential": 1.0, "uniform": 0.5}[draw]
    # Columns share their draws, which does not matter to the coverage of each.
    samples = getattr(generator, draw)(size=(60, 1_000))
    found = mean_intervals(samples, seed=1, draws=2_000)
    covered = np.mean([each.low <= truth <= each.high for each in found])  # type: ignore[operator]
    assert 0.90 <= covered <= 0.98


def test_an_interval_is_close_to_another_librarys() -> None:
    values = np.random.default_rng(3).gamma(2.0, size=80)
    (ours,) = mean_intervals(values[:, None], seed=0)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=10_000, method="BCa", rng=1).confidence_interval
    assert ours.mean == pytest.approx(values.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03)


def test_what_was_not_measured_is_left_out_of_its_column() -> None:
    values = np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 4.0]])
    first, second = mean_intervals(values, seed=0)
    assert (first.mean, first.n) == (3.0, 3)
    assert (second.mean, second.n) == (3.0, 2)
    (nothing,) = mean_intervals(np.full((3, 1), np.nan), seed=0)
    assert (nothing.mean, nothing.n) == (None, 0)


def test_parts_give_means_of_the_same_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(50, 2))
    monkeypatch.setattr(means, "PART", 50 * 7)
    draws = means.resampled_means(values, seed=1, draws=1_000)
    assert draws.shape == (1_000, 2)
    assert draws.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.03)


def test_flipped_signs_give_uniform_p_values_where_there_is_no_difference() -> None:
    differences = np.random.default_rng(7).standard_t(3, size=(30, 600))
    found = np.array(sign_flips(differences, seed=2))
    assert stats.kstest(found, "uniform").pvalue > 0.01
    assert (found <= 0.05).mean() == pytest.approx(0.05, abs=0.03)


def test_a_p_value_is_that_of_all_flips() -> None:
    differences = np.array([0.3, -0.1, 0.4, 0.2, 0.5, 0.15, -0.05, 0.35])
    sums = [abs(np.dot(signs, differences)) for signs in itertools.product((-1, 1), repeat=len(differences))]
    exact = np.mean(np.array(sums) >= abs(differences.sum()) - 1e-12)
    (found,) = sign_flips(differences[:, None], seed=0)
    assert found == pytest.approx(exact, abs=0.012)


def test_a_large_difference_is_found_and_no_p_value_is_zero() -> None:
    differences = np.random.default_rng(0).normal(2.0, 0.1, size=(100, 1))
    assert sign_flips(differences, seed=0) == [1 / 10_000]


def test_many_sentences_need_no_draws_for_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).exponential(size=(2_500, 1)) - 0.97
    (quick,), quick_p = mean_intervals(values, seed=0), sign_flips(values, seed=0)
    monkeypatch.setattr(means, "LARGE", 10_000)
    (drawn,), drawn_p = mean_intervals(values, seed=0, draws=2_000), sign_flips(values, seed=0)
    assert (quick.low, quick.high) == pytest.approx((drawn.low, drawn.high), abs=0.006)
    assert quick_p == pytest.approx(drawn_p, abs=0.02)
