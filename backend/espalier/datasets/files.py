"""Texts from the contents of a file: a table with a header line (TSV, CSV), or one object a line (JSONL)."""

import csv
import io
import json
import re
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import PurePath
from typing import Any, Literal

from espalier.datasets.forms import MAX_DATASET, File, Row
from espalier.fields import LONGEST_NAME, LONGEST_TEXT
from espalier.problems import BadParameter, quoted

TEXT_COLUMNS = ("text", "sentence", "review")
LABEL_COLUMNS = ("label", "class", "sentiment")
FORMATS = (".tsv", ".csv", ".jsonl")

MOST_COLUMNS = 100
"""Every row of a table is as wide as its header, however little it holds."""

MOST_LINES = 1_000_000
"""A text may have many, and some lines are empty."""

csv.field_size_limit(100_000_000)  # the library's own limit is met before ours and does not say what is possible

REPLACED = "\ufffd"
"""What stands where a byte could not be read as UTF-8."""

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character: JSON can write it, and nothing can keep it."""


def rows_of_file(file: File) -> Iterator[Row]:
    """Every line that is a text, in order; what cannot be read is refused with its line."""
    ending = PurePath(file.name).suffix.lower()
    if ending not in FORMATS:
        raise BadParameter(
            f"unknown format of {file.name!r}: got {ending or 'no ending'}, possible are {', '.join(FORMATS)}"
        )
    # A spreadsheet's CSV begins with a byte order mark.
    content = file.content.removeprefix("\ufeff")
    if (found := content.count("\n") + content.count("\r")) > MOST_LINES:
        raise BadParameter(f"too long a file: got {found:,} lines in {file.name}, possible are up to {MOST_LINES:,}")
    _check_encoding(content, file.name)
    # Counted before anything is made of them: a million lines are refused in the time that a thousand take.
    if (beyond := _one_too_many(content, ending)) is not None:
        raise BadParameter(f"line {beyond} of {file.name} is one too many: possible are up to {MAX_DATASET:,} texts")
    for number, line in objects(content, f" of {file.name}") if ending == ".jsonl" else _table(content, ending):
        where = f"line {number} of {file.name}"
        named = where if ending == ".jsonl" else f"line 1 of {file.name}"  # a table has its columns' names there
        text_column = _column(file.text_column, TEXT_COLUMNS, line, named, needed=True)
        label_column = _column(file.label_column, LABEL_COLUMNS, line, named, needed=file.label_column is not None)
        text = text_of(line.get(text_column or ""), where, text_column)
        yield Row(text=text, label=_label(line.get(label_column or ""), where))


def _check_encoding(content: str, name: str) -> None:
    """Refuses what was no UTF-8 from its first line on. A browser reads any file as UTF-8 and says nothing: of UTF-16
    it makes a NUL for every other byte, of its mark two replaced ones."""
    first = content[: min(2_000, len(content))].splitlines()[:1]
    if not first or not (REPLACED in first[0] or "\0" in first[0]):
        return
    guess = "UTF-16" if "\0" in first[0] else "another encoding than UTF-8"
    raise BadParameter(
        f"line 1 of {name} is not UTF-8: got {guess}, as it seems ({quoted(first[0])}), possible is the file saved as "
        "UTF-8"
    )


def _one_too_many(content: str, ending: str) -> int | None:
    """The line of the first text that a dataset has no place for."""
    if ending == ".jsonl":
        texts = (number for number, line in enumerate(io.StringIO(content, newline=None), 1) if not line.isspace())
        return next(islice(texts, MAX_DATASET, None), None)
    reader = _reader(content, ending)
    try:
        beyond = next(islice(filter(None, reader), MAX_DATASET + 1, None), None)  # the first one is the header
    except csv.Error:
        return None  # whatever it is, reading will say it
    return None if beyond is None else reader.line_num


def text_of(text: Any, where: str, column: str | None) -> str:
    """Without the space around it."""
    if not isinstance(text, str):
        raise BadParameter(f"{where} has no text: got {quoted(text)} in column {column!r}")
    if len(text) > LONGEST_TEXT:
        raise BadParameter(
            f"{where} is too long: got a text of {len(text):,} characters, possible are up to {LONGEST_TEXT:,}; "
            "is a quotation mark not closed?"
        )
    return _readable(text, where)


def _label(label: Any, where: str) -> str | None:
    if label is None or label == "":
        return None
    if isinstance(label, dict | list):
        raise BadParameter(f"{where} has no label: got {type(label).__name__}, possible are a text or a number")
    said = str(label)
    if len(said) > LONGEST_NAME:
        raise BadParameter(
            f"{where} has too long a label: got {len(said):,} characters, possible are up to {LONGEST_NAME}"
        )
    return _readable(said, where)


def _readable(text: str, where: str) -> str:
    """Without the space around it; refused where it is no text at all."""
    if REPLACED in text or "\0" in text or _SURROGATE.search(text):
        raise BadParameter(
            f"{where} cannot be read: got bytes that are not UTF-8 text ({quoted(text)}), "
            "possible is the file saved as UTF-8"
        )
    return text.strip()


def _table(content: str, ending: str) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = _reader(content, ending)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        if len(header) > MOST_COLUMNS:
            raise BadParameter(
                f"line {reader.line_num} has too many columns: got {len(header):,}, possible are up to {MOST_COLUMNS}"
            )
        for row in filter(None, reader):
            yield reader.line_num, dict(zip_longest(header, row[: len(header)]))
    except csv.Error as error:
        raise BadParameter(f"line {reader.line_num} is not {ending[1:].upper()}: {error}") from error


def _reader(content: str, ending: str) -> Any:
    # In TSV files quotation marks belong to the sentences.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if ending == ".tsv" else csv.QUOTE_MINIMAL
    return csv.reader(io.StringIO(content), delimiter="\t" if ending == ".tsv" else ",", quoting=quoting)


def objects(content: str, of: str = "") -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line of JSON with its number; `of` says in errors which file it is, where there are several."""
    for number, line in enumerate(io.StringIO(content, newline=None), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except RecursionError:
            raise BadParameter(f"line {number}{of} is nested too deeply: possible is an object of texts") from None
        except ValueError as error:  # no JSON, or a number of thousands of digits
            raise BadParameter(f"line {number}{of} is not JSON: {error}") from error
        if not isinstance(found, dict):
            raise BadParameter(f"line {number}{of} is not an object: got {type(found).__name__}, possible is {{…}}")
        yield number, {name.lower(): value for name, value in found.items()}


def _column(asked: str | None, usual: tuple[str, ...], line: dict[str, Any], where: str, needed: bool) -> str | None:
    names = (asked.strip().lower(),) if asked else usual
    found = next((name for name in names if name in line), None)
    if found is None and needed:
        raise BadParameter(f"{where} has no column {' or '.join(names)}: got {', '.join(map(str, line)) or 'none'}")
    return found
