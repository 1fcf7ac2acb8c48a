"""Texts for studies."""

import pytest

from espalier.datasets.forms import File, Row, Rows, Samples
from espalier.datasets.rows import reading, rows_of
from espalier.problems import BadParameter


def test_a_tsv_file_s_quotation_marks_belong_to_its_sentences() -> None:
    rows = rows_of(File(name="a.tsv", content='text\tlabel\n"Fine," he said.\tpositive\n'))
    assert rows == (Row(text='"Fine," he said.', label="positive"),)


def test_a_spreadsheet_s_csv_is_read_with_its_mark_quotes_and_capitals() -> None:
    rows = rows_of(File(name="A.CSV", content='\ufeffSentence,Class\n"Well, no.",negative\n'))
    assert rows == (Row(text="Well, no.", label="negative"),)


def test_jsonl_is_read_and_labels_may_be_missing() -> None:
    rows = rows_of(File(name="a.jsonl", content='{"text": "One."}\n\n{"text": "Two.", "label": 1}\n'))
    assert rows == (Row(text="One."), Row(text="Two.", label="1"))


def test_columns_can_be_named() -> None:
    file = File(name="a.csv", content="id,Body,Stars\n1,Fine.,5\n", text_column="body", label_column="stars")
    assert rows_of(file) == (Row(text="Fine.", label="5"),)


def test_a_repeated_text_is_taken_once() -> None:
    assert len(rows_of(Rows(rows=(Row(text="Same."), Row(text="Same."), Row(text="Other."))))) == 2


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.xlsx", "text\nx\n", "possible are .tsv, .csv, .jsonl"),
        ("a.csv", "words\nx\n", "no column text or sentence"),
        ("a.jsonl", "{oops\n", "line 1 of a.jsonl is not JSON"),
        ("a.jsonl", "[1]\n", "not an object"),
        ("a.tsv", "text\n", "needs texts: got 0"),
    ],
)
def test_what_cannot_be_read_is_said_with_what_can(name: str, content: str, says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        rows_of(File(name=name, content=content))


def test_the_project_s_sentences_are_a_dataset() -> None:
    found = reading(Samples(task="sentiment"))
    assert found.rows == 200
    assert found.labels == {"negative": 100, "positive": 100}
    assert sum(found.words.values()) == 200
