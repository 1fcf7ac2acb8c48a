"""Texts from the contents of a file: a table with a header line (TSV, CSV), or one object a line (JSONL)."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Literal

from espalier.datasets.forms import File, Row
from espalier.problems import BadParameter, quoted

TEXT_COLUMNS = ("text", "sentence", "review")
LABEL_COLUMNS = ("label", "class", "sentiment")
FORMATS = (".tsv", ".csv", ".jsonl")

LONGEST_TEXT = 100_000
"""Characters: more than any model here reads. A longer line is mostly a quotation mark that was never closed."""

csv.field_size_limit(100_000_000)  # the library's own limit is met before ours and does not say what is possible

REPLACED = "\ufffd"
"""What stands where a byte could not be read as UTF-8."""


def rows_of_file(file: File) -> Iterator[Row]:
    """Every line that is a text, in order; what cannot be read is refused with its line."""
    ending = PurePath(file.name).suffix.lower()
    if ending not in FORMATS:
        raise BadParameter(
            f"unknown format of {file.name!r}: got {ending or 'no ending'}, possible are {', '.join(FORMATS)}"
        )
    # A spreadsheet's CSV begins with a byte order mark.
    content = file.content.removeprefix("\ufeff")
    lines = _objects(content) if ending == ".jsonl" else _table(content, ending)
    for number, line in lines:
        text_column = _column(file.text_column, TEXT_COLUMNS, line, needed=True)
        label_column = _column(file.label_column, LABEL_COLUMNS, line, needed=file.label_column is not None)
        text, label = line.get(text_column or ""), line.get(label_column or "")
        if not isinstance(text, str):
            raise BadParameter(
                f"line {number} of {file.name} has no text: got {quoted(text)} in column {text_column!r}"
            )
        if len(text) > LONGEST_TEXT:
            raise BadParameter(
                f"line {number} of {file.name} is too long: got a text of {len(text):,} characters, possible are up to "
                f"{LONGEST_TEXT:,}; is a quotation mark not closed?"
            )
        if REPLACED in text or "\0" in text:
            raise BadParameter(
                f"line {number} of {file.name} cannot be read: got bytes that are not UTF-8 text ({quoted(text)}), "
                "possible is the file saved as UTF-8"
            )
        yield Row(text=text.strip(), label=None if label in (None, "") else str(label).strip())


def _table(content: str, ending: str) -> Iterator[tuple[int, dict[str, Any]]]:
    # In TSV files quotation marks belong to the sentences.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if ending == ".tsv" else csv.QUOTE_MINIMAL
    reader = csv.DictReader(io.StringIO(content), delimiter="\t" if ending == ".tsv" else ",", quoting=quoting)
    try:
        for row in reader:
            yield reader.line_num, {(name or "").strip().lower(): value for name, value in row.items()}
    except csv.Error as error:
        raise BadParameter(f"line {reader.line_num} is not {ending[1:].upper()}: {error}") from error


def _objects(content: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadParameter(f"line {number} is not JSON: {error}") from error
        if not isinstance(found, dict):
            raise BadParameter(f"line {number} is not an object: got {type(found).__name__}, possible is {{…}}")
        yield number, {name.lower(): value for name, value in found.items()}


def _column(asked: str | None, usual: tuple[str, ...], line: dict[str, Any], needed: bool) -> str | None:
    names = (asked.strip().lower(),) if asked else usual
    found = next((name for name in names if name in line), None)
    if found is None and needed:
        raise BadParameter(f"no column {' or '.join(names)}: got {', '.join(map(str, line)) or 'none'}")
    return found
