"""The reading as a table."""

import csv
import io

import pytest

from espalier.explain.registry import methods
from espalier.findings.table import COLUMNS, csv_of, rows

METHODS = sorted(name for name, method in methods().items() if not method.inspects)


def table(explanation):
    return list(csv.DictReader(io.StringIO(csv_of(explanation), newline="")))


@pytest.mark.parametrize("name", METHODS)
def test_every_number_of_a_reading_is_in_its_table_to_the_last_digit(judged, name):
    explanation = judged(name, "it is not a good film", tree="(S it (VP is (ADJP not (NP a good film))))")
    reading = explanation.result.reading()
    written = table(explanation)
    numbers = [float(row["score"]) for row in written if row["kind"] in ("word", "phrase")]
    assert numbers == [span.score for span in reading.spans]
    assert [float(row["score"]) for row in written if row["kind"] == "pair"] == [pair.score for pair in reading.pairs]
    assert all(len(row) == len(COLUMNS) for row in rows(explanation))


def test_a_phrase_has_its_words_and_its_players(judged):
    (row,) = [row for row in table(judged("ls-tree")) if row["text"] == "not good"]
    assert (row["kind"], row["players"], row["level"]) == ("phrase", "9 10", "1")


def test_no_word_becomes_a_formula(judged):
    explanation = judged("leave-one-out", "=1+1 +2 -3 @me good")
    texts = [row["text"] for row in table(explanation) if row["kind"] == "word"]
    assert not any(text.startswith(("=", "+", "-", "@")) for text in texts)
