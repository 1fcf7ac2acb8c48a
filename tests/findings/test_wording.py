import pytest
from hypothesis import given
from hypothesis import strategies as st

from espalier.findings.wording import Numbers, group, percent, phrase, printable, shortened


@pytest.mark.parametrize(
    ("largest", "value", "written"),
    [
        (2.0, 1.234, "+1.23"),
        (2.0, -1.234, "−1.23"),
        (2.0, 0.004, "0.00"),
        (2.0, -0.004, "0.00"),
        (0.04, 0.0123, "+0.012"),
        (0.0, 0.0, "0.00"),
        (120.0, -120.0, "−120.00"),
    ],
)
def test_numbers_carry_a_sign_unless_they_round_to_zero(largest, value, written):
    assert Numbers.like([largest, value]).signed(value) == written


@pytest.mark.parametrize(
    ("share", "written"),
    [(0.5, "50.0%"), (0.99999, ">99.9%"), (0.9999, ">99.9%"), (0.9995, ">99.9%"), (1e-6, "<0.1%"), (1.0, "100.0%")],
)
def test_a_probability_is_never_rounded_to_certainty(share, written):
    assert percent(share) == written


@given(st.text(max_size=200), st.integers(8, 60))
def test_what_is_shortened_fits_and_begins_as_the_text_does(text, most):
    short = shortened(text, most)
    assert len(short) <= most
    assert short == text or "…" in short


def test_the_middle_of_a_long_phrase_is_left_out():
    assert shortened("one two three four five six", 17) == "one two … six"
    assert shortened("not … heartwarming … entertaining", 24) == "not … entertaining"


@given(st.text(max_size=50))
def test_nothing_that_is_printed_can_steer_a_terminal(text):
    controls = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))}
    assert not controls & set(printable(text))
    assert "\x1b" not in printable("\x1b[31m" + text)


def test_phrases_are_quoted_as_they_were_written(judged):
    explanation = judged("leave-one-out")
    assert phrase(explanation, 2, 6) == "is lovely, but"
    assert group(explanation, (9, 3, 2)) == "is lovely … not"


@pytest.mark.parametrize(
    ("word", "seen"), [("\n", "↵"), (" \r\n", "↵"), (" ", "␣"), ("\t", "␣"), (" a", "a"), ("", "")]
)
def test_a_next_word_that_is_white_space_can_be_seen(word, seen):
    assert printable(word) == seen
