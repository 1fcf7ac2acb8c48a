"""Files as people have them: each gets a clear answer with the number of the line."""

from pathlib import Path

import pytest

from espalier.datasets import uploads
from espalier.datasets.forms import File
from espalier.datasets.rows import rows_of
from espalier.datasets.tables import to_csv
from espalier.datasets.uploads import read_file
from espalier.problems import BadParameter


def refusal(name: str, content: str) -> str:
    with pytest.raises(BadParameter) as refused:
        rows_of(File(name=name, content=content))
    return refused.value.message


def test_a_missing_column_is_answered_with_those_there_are() -> None:
    said = refusal("a.tsv", "title\tstars\nx\t1\n")
    assert said == "line 1 of a.tsv has no column text or sentence or review: got title, stars"
    said = refusal("a.jsonl", '{"text": "fine"}\n{"title": "x"}\n')
    assert said == "line 2 of a.jsonl has no column text or sentence or review: got title"


def test_a_line_of_a_million_characters_is_named() -> None:
    for name, content in (
        ("a.csv", "text\nfine\n" + "x" * 1_000_000 + "\n"),
        ("a.tsv", "text\nfine\n" + "x" * 1_000_000 + "\n"),
        ("a.jsonl", '{"text": "fine"}\n\n{"text": "' + "x" * 1_000_000 + '"}\n'),
    ):
        said = refusal(name, content)
        assert said.startswith(f"line 3 of {name} is too long: got a text of 1,000,000 characters")
        assert len(said) < 400


def test_bytes_that_were_not_utf_8_are_named_by_their_line(tmp_path: Path) -> None:
    assert "line 3 of a.csv cannot be read" in refusal("a.csv", "text\nfine\nna\ufffdve\n")
    file = tmp_path / "latin.csv"
    file.write_bytes("text\nfine\nnaïve\n".encode("latin-1"))
    with pytest.raises(BadParameter, match=r"line 3 of latin.csv is not UTF-8: got the byte 0xef"):
        read_file(file)
    wide = tmp_path / "wide.csv"
    wide.write_bytes("text\nfine\n".encode("utf-16"))
    with pytest.raises(BadParameter, match=r"line 1 of wide.csv is not UTF-8"):
        read_file(wide)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_from_a_browser_is_called_by_its_name(name: str, encoding: str) -> None:
    """A browser's `file.text()` reads whatever there is as UTF-8, and replaces what is none."""
    content = '{"text": "fine"}\n' if name == "a.jsonl" else "text\nfine\n"
    said = refusal(name, content.encode(encoding).decode("utf-8", errors="replace"))
    assert said.startswith(f"line 1 of {name} is not UTF-8: got UTF-16, as it seems (")
    assert said.endswith("possible is the file saved as UTF-8")


def test_a_header_in_another_encoding_is_refused_before_its_columns_are_looked_for() -> None:
    said = refusal("a.csv", "größe,stars\nx,1\n".encode("latin-1").decode("utf-8", errors="replace"))
    assert said.startswith("line 1 of a.csv is not UTF-8: got another encoding than UTF-8, as it seems ('gr")


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "large.tsv"
    with file.open("wb") as sparse:
        sparse.truncate(200_000_000)
    monkeypatch.setattr(uploads.Path, "read_bytes", lambda self: pytest.fail("it was read"))
    with pytest.raises(BadParameter, match=r"too large a file: got large.tsv of 200,000,000 bytes"):
        read_file(file)


def test_empty_rows_are_left_out_and_a_row_without_its_field_is_named() -> None:
    content = "text,label\nfine,a\n\n   ,b\ndull,c\n"
    assert [row.text for row in rows_of(File(name="a.csv", content=content))] == ["fine", "dull"]
    assert "line 2 of a.jsonl has no text: got 7" in refusal("a.jsonl", '{"text": "fine"}\n{"text": 7}\n')


def test_formulas_are_texts_on_the_way_in_and_out() -> None:
    (row,) = rows_of(File(name="a.csv", content='text\n"=HYPERLINK(""http://x"")"\n'))
    assert row.text.startswith("=HYPERLINK")
    assert "'=HYPERLINK" in to_csv([{"text": row.text}])


def test_a_header_of_many_columns_is_refused_before_a_row_is_made_as_wide() -> None:
    """Each of thousands of short rows was filled up to the header's width."""
    said = refusal("a.csv", "text" + ",x" * 500_000 + "\n" + "a\n" * 5_000)
    assert said == "line 1 has too many columns: got 500,001, possible are up to 100"
    fine = File(name="a.csv", content="text" + ",x" * 99 + "\nA film.\n")
    assert [row.text for row in rows_of(fine)] == ["A film."]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl"])
def test_no_more_is_read_than_one_text_too_many(name: str) -> None:
    """Also of texts that are there many times, of which one would be kept."""
    header, row = ("", '{"text": "dull"}\n') if name.endswith("jsonl") else ("text\n", "dull\n")
    rest = "this is not JSON\n" if name.endswith("jsonl") else "x" * 1_000_000 + "\n"
    said = refusal(name, header + row * 20_001 + rest)
    assert said == f"line {20_001 + bool(header):} of {name} is one too many: possible are up to 20,000 texts"
    assert [each.text for each in rows_of(File(name=name, content=header + row * 20_000))] == ["dull"]


def test_millions_of_empty_lines_are_not_looked_at() -> None:
    assert refusal("a.jsonl", "\n" * 2_000_000) == (
        "too long a file: got 2,000,000 lines in a.jsonl, possible are up to 1,000,000"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[" * 100_000, "line 2 of a.jsonl is nested too deeply"),
        ('{"text": ' * 100_000, "line 2 of a.jsonl is nested too deeply"),
        ('{"text": "a", "label": ' + "9" * 5_000 + "}", "line 2 of a.jsonl is not JSON"),
        ('{"text": "\\ud83d"}', "line 2 of a.jsonl cannot be read"),
        ('{"text": "a\\u0000b"}', "line 2 of a.jsonl cannot be read"),
        ('{"text": "a", "label": "\\ud83d"}', "line 2 of a.jsonl cannot be read"),
        ('{"text": "a", "label": "\\u0000"}', "line 2 of a.jsonl cannot be read"),
        ('{"text": "a", "label": [[["b"]]]}', "line 2 of a.jsonl has no label: got list"),
        ('{"text": "a", "label": "' + "b" * 300 + '"}', "line 2 of a.jsonl has too long a label: got 300 characters"),
    ],
)
def test_a_line_that_python_cannot_take_is_named(line: str, said: str) -> None:
    assert refusal("a.jsonl", '{"text": "fine"}\n' + line + "\n").startswith(said)


def test_an_unusual_line_separator_within_a_text_ends_no_line() -> None:
    content = '{"text": "one\u2028two"}\r\n{"text": "three"}\r\n'
    assert [row.text for row in rows_of(File(name="a.jsonl", content=content))] == ["one\u2028two", "three"]
