import pytest
from hypothesis import given
from hypothesis import strategies as st

from espalier.pictures.colour import STOPS, Colour, ColourScale

SCALE = ColourScale.over([0.5, -2.0])


def test_the_domain_is_symmetric_around_a_pale_zero():
    assert SCALE.limit == 2
    assert SCALE.fill(0) == STOPS[5]
    assert (SCALE.fill(-2), SCALE.fill(2)) == (STOPS[0], STOPS[-1])


def test_values_between_two_stops_have_a_colour_between_theirs():
    # Halves go up, as in the browser.
    assert SCALE.fill(0.2) == Colour(*((a + b + 1) // 2 for a, b in zip(STOPS[5], STOPS[6], strict=True)))


def test_a_picture_of_zeros_is_pale():
    assert ColourScale.over([0.0, 0.0]).fill(0.0) == STOPS[5]


@given(st.floats(-3, 3))
def test_orange_is_below_zero_and_purple_above(value):
    red, _, blue = SCALE.fill(value)
    # Nearer to zero than a hundredth of the limit, both round to the same grey.
    assert (blue > red) if value > 0.02 else (red > blue) if value < -0.02 else True


@given(st.floats(-2, 2))
def test_text_on_any_colour_has_the_contrast_that_accessibility_asks_for(value):
    fill = SCALE.fill(value)
    assert fill.contrast(fill.ink) >= 4.5


def test_contrast_is_that_of_the_guidelines():
    assert Colour(0, 0, 0).contrast(Colour(255, 255, 255)) == pytest.approx(21)
    # #767676 is the lightest grey that the guidelines allow on white.
    assert Colour(0x76, 0x76, 0x76).contrast(Colour(255, 255, 255)) == pytest.approx(4.54, abs=0.005)
