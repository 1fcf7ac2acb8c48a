import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import log_softmax, softmax

from espalier.games.scales import summarise, to_scale

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
