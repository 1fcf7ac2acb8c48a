import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import log_softmax, softmax

from espalier.games import scales
from espalier.games.scales import SCALES, summarise, to_scale, value_error

LOGITS = arrays(np.float64, (5, 1, 3), elements=st.floats(-20, 20))


@given(LOGITS)
def test_scales_of_one_draw_are_the_textbook_ones(logits):
    summary = summarise(logits)
    probability = softmax(logits[:, 0], axis=1)
    np.testing.assert_allclose(to_scale(summary, "probability"), probability, atol=1e-12)
    np.testing.assert_allclose(to_scale(summary, "log_probability"), log_softmax(logits[:, 0], axis=1), atol=1e-9)
    np.testing.assert_allclose(to_scale(summary, "logit"), logits[:, 0])
    for row, values in zip(probability, to_scale(summary, "margin"), strict=True):
        expected = [row[c] - max(np.delete(row, c)) for c in range(3)]
        np.testing.assert_allclose(values, expected, atol=1e-12)


def test_log_odds_of_a_certain_class_are_not_lost_in_rounding():
    summary = summarise(np.array([[[60.0, 0.0]]]))
    np.testing.assert_allclose(to_scale(summary, "log_odds"), [[60.0, -60.0]])


def test_several_draws_average_probabilities():
    logits = np.array([[[2.0, 0.0], [-1.0, 0.5]]])
    expected = softmax(logits[0], axis=1).mean(axis=0)
    np.testing.assert_allclose(to_scale(summarise(logits), "probability")[0], expected)
    np.testing.assert_allclose(to_scale(summarise(logits), "log_odds")[0], np.log(expected / (1 - expected)))


@pytest.mark.parametrize("classes", [2, 5])
def test_the_margin_is_zero_at_a_tie(classes):
    values = to_scale(summarise(np.zeros((1, 1, classes))), "margin")
    np.testing.assert_allclose(values, 0, atol=1e-12)


@pytest.mark.parametrize("outcomes", [2, 8, 9, 40])
def test_many_outcomes_added_up_from_both_sides_equal_each_left_out(outcomes, monkeypatch):
    logits = np.random.default_rng(outcomes).normal(0, 15, (30, 3, outcomes))
    monkeypatch.setattr("espalier.games.scales.FEW", 0)
    from_both_sides = summarise(logits)
    monkeypatch.setattr("espalier.games.scales.FEW", 100)
    np.testing.assert_allclose(from_both_sides, summarise(logits), rtol=1e-12, atol=1e-12)


def test_log_odds_of_a_certain_outcome_among_many_are_not_lost_in_rounding():
    logits = np.zeros((1, 1, 50))
    logits[0, 0, 20] = 60.0
    assert to_scale(summarise(logits), "log_odds")[0, 20] == pytest.approx(60 - np.log(49), abs=1e-12)


def test_the_work_for_many_outcomes_grows_with_their_number_and_not_with_its_square(monkeypatch):
    added: list[int] = []
    for name in ("_log_sum", "_others"):
        monkeypatch.setattr(scales, name, _counting(getattr(scales, name), added))
    work = []
    for outcomes in (500, 5000):
        added.clear()
        summarise(np.zeros((1, 2, outcomes)))
        work.append(sum(added))
    assert work[1] == 10 * work[0]


def _counting(function, sizes):
    def counted(values, *others, **options):
        sizes.append(values.size)
        return function(values, *others, **options)

    return counted


@given(LOGITS, arrays(np.float64, (5, 1, 3), elements=st.floats(-1, 1)), st.floats(0, 3), st.sampled_from([*SCALES]))
def test_no_value_moves_further_than_scores_let_it(logits, moves, error, scale):
    before, after = (to_scale(summarise(each), scale) for each in (logits, logits + error * moves))
    assert np.abs(after - before).max() <= value_error(error, scale) + 1e-9


@pytest.mark.parametrize(("scale", "logits"), [("log_odds", [0.0, 0.0]), ("log_probability", [-9.0, 9.0])])
def test_scores_that_move_apart_move_a_value_as_far_as_is_said(scale, logits):
    before, after = (np.array([[each]]) for each in (logits, np.add(logits, [0.1, -0.1])))
    moved = to_scale(summarise(after), scale) - to_scale(summarise(before), scale)
    assert moved[0, 0] == pytest.approx(value_error(0.1, scale), rel=1e-6)
