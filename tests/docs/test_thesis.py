"""The thesis' claims, as numbers: what counts as right, what as zero, and how long it still takes."""

import io

from benchmarks.thesis.claims import FIVE_DIGITS, estimate, table, zeros_left_out
from benchmarks.thesis.measured import Explained, Run, begins
from benchmarks.thesis.page import rows, verdicts
from benchmarks.thesis.time_left import TimeLeft
from rich.console import Console

SAMPLED = Run("word-lstm-lm", 192, 1.0)
DRAWN = Run("word-lstm-lm", 192, 1.0, "conditional", most=1)


def explained(index: int, left_out: list[float]) -> Explained:
    """Sampled values are never zero: noise is on every one of them."""
    return Explained(index, False, [1e-3, -2e-3, 0.5, 1.0], [0.01] * 4, [0.1, 0.2, 0.3, -1.0], left_out)


def test_the_first_token_of_the_word_that_came_is_right():
    assert begins((7,), (7,))
    assert begins((7,), (7, 8))
    assert not begins((7,), (8, 7))
    assert not begins((7, 8), (7,))
    assert not begins((7,), ())


def test_zeros_are_counted_where_nothing_is_sampled_as_well():
    found = [explained(0, [0.0, 0.0, 1e-7, 1.0]), explained(1, [0.0, 0.0, 0.0, 1.0])]
    assert estimate([0.0]).mean == 0
    assert zeros_left_out(found).mean == (0.5 + 0.75) / 2
    assert zeros_left_out(found, FIVE_DIGITS).mean == 0.75
    said = "\n".join(verdicts({SAMPLED: found}))
    assert "0.0% of the sampled values are, and 62.5% of the exact ones of one word left out" in said
    assert "That none is (its GPT-2) did not hold" in said


def test_what_was_not_measured_is_left_empty():
    found = {SAMPLED: [explained(0, [0.0] * 4)], DRAWN: [explained(0, [])]}
    line = next(row for row in table({"a": found[SAMPLED], "b": found[DRAWN]}) if row[0].startswith("one word left"))
    assert line[1].startswith("1.00")
    assert line[2] == ""
    assert rows(found).columns == ("", "word-lstm-lm 192", "word-lstm-lm 192 conditional")


def test_the_time_left_follows_the_pace_of_this_machine():
    clock, out = [0.0], io.StringIO()
    left = TimeLeft(600, Console(file=out), now=lambda: clock[0])
    assert left.minutes == 10
    clock[0] = 40.0
    left.advance(20, "smollm2")
    assert left.minutes == 580 * 2 / 60
    assert "smollm2: about 19 minutes left" in out.getvalue()
    clock[0] = 41.0
    left.advance(20, "smollm2")
    assert out.getvalue().count("left") == 1
