"""Whatever reads a result reads the errors of the reference's draws, too: there is one reading."""

import csv
import io
from math import hypot

import pytest
from rich.console import Console

from espalier.explain.explanation import DrawErrors
from espalier.explain.reading import PairScore, SpanScore
from espalier.findings.document import document
from espalier.findings.finding import finding
from espalier.findings.table import csv_of
from espalier.pictures.bars import draw_bars
from espalier.pictures.svg.page import svg
from espalier.studies.features import Explained, shows

HUGE = 50.0


def drawn(explanation, error=HUGE):
    """The same explanation as if the draws of its reference had added this error to every number."""
    reading = explanation.result.reading()
    errors = DrawErrors(spans=(error,) * len(reading.spans), pairs=(error,) * len(reading.pairs))
    return explanation.model_copy(update={"draw_errors": errors})


@pytest.mark.parametrize(("error", "drawn_error", "whole"), [(3.0, 4.0, 5.0), (3.0, None, 3.0), (None, 4.0, 4.0)])
def test_two_independent_errors_add_up_by_their_squares(error, drawn_error, whole):
    span = SpanScore(start=0, end=1, score=1.0, error=error, level=0, parent=None, draw_error=drawn_error)
    pair = PairScore(first=0, second=1, score=1.0, error=error, draw_error=drawn_error)
    assert span.whole_error == pair.whole_error == whole


def test_what_nobody_doubts_has_no_error():
    assert SpanScore(start=0, end=1, score=1.0, error=None, level=0, parent=None).whole_error is None


@pytest.mark.parametrize("method", ["leave-one-out", "shap", "asiv"])
def test_a_number_within_the_error_of_its_draws_is_no_clear_finding(judged, method):
    sure = judged(method)
    assert not finding(sure).startswith("No ")
    assert finding(drawn(sure)).startswith("No word clearly")


def test_a_sampled_number_has_both_errors(judged):
    sampled = drawn(judged("sampled-shapley"), 0.25)
    assert "± 0.25" not in finding(judged("sampled-shapley"))
    assert all(word.whole_error == hypot(word.error, 0.25) for word in sampled.read().words)


def test_the_table_has_a_column_for_the_error_of_the_draws(judged):
    rows = list(csv.DictReader(io.StringIO(csv_of(drawn(judged("shap"), 0.125)), newline="")))
    assert {row["draw_error"] for row in rows if row["kind"] == "word"} == {"0.125"}
    assert {row["draw_error"] for row in rows if row["kind"] in ("base", "full")} == {""}


def test_bars_show_it(judged):
    explanation = drawn(judged("shap"), 0.125)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(draw_bars(explanation))
    assert "± 0.13" in console.export_text()
    assert 'data-error="0.125"' in svg(explanation)


def test_a_study_reads_the_reading_that_was_stored(judged):
    stored = document(judged("ls-tree"))
    # A study must not need the type of a result: only the reading is asked.
    shown = shows(Explained.model_validate({**stored, "result": None}))
    assert (shown.method, shown.prediction) == ("ls-tree", "positive")
    assert shown.top.words == tuple(stored["reading"]["top"]["players"])
    assert len(shown.groups) == len(stored["reading"]["groups"])
