"""Texts for a study: a file that somebody uploads, or the project's own sentences."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any, Literal

from espalier import samples
from espalier.problems import BadParameter, BadText, Problem
from espalier.studies.design import MAX_DATASET, Dataset, File, Kept, Row, Rows, Samples
from espalier.studies.documents import DatasetReading
from espalier.text import read

TEXT_COLUMNS = ("text", "sentence", "review")
LABEL_COLUMNS = ("label", "class", "sentiment")
FORMATS = (".tsv", ".csv", ".jsonl")


def rows_of(dataset: Dataset) -> tuple[Row, ...]:
    """The texts, each once: a repeated text would be asked about twice."""
    if isinstance(dataset, Samples):
        found: Iterable[Row] = (Row(text=each.text, label=each.label) for each in samples.for_task(dataset.task))
    elif isinstance(dataset, Rows):
        found = dataset.rows
    elif isinstance(dataset, File):
        found = _file(dataset)
    else:
        raise BadParameter("no texts: got a dataset that another study keeps, possible are samples, rows and file")
    kept = {row.text: row for row in reversed(list(found)) if row.text}
    rows = tuple(reversed(kept.values()))
    if not 1 <= len(rows) <= MAX_DATASET:
        raise BadParameter(f"a dataset needs texts: got {len(rows)}, possible are 1 to {MAX_DATASET}")
    return rows


def kept(dataset: Dataset, rows: int) -> Dataset:
    """What a design keeps of its dataset once the texts are stored with the study."""
    if isinstance(dataset, Samples):
        return dataset
    return Kept(name=dataset.name if isinstance(dataset, File) else "rows", rows=rows)


def reading(dataset: Dataset) -> DatasetReading:
    """What a dataset holds, for the form in which its owner chooses it."""
    rows = rows_of(dataset)
    lengths: Counter[int] = Counter()
    for number, row in enumerate(rows, start=1):
        try:
            lengths[len(read(row.text).words)] += 1
        except Problem as problem:
            raise BadText(f"text {number} of the dataset cannot be read: {problem.message}") from problem
    return DatasetReading(
        rows=len(rows),
        labels=dict(Counter(row.label for row in rows if row.label is not None)),
        words=dict(sorted(lengths.items())),
        first=[row.text for row in rows[:5]],
    )


def _file(file: File) -> Iterator[Row]:
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
            raise BadParameter(f"line {number} of {file.name} has no text: got {text!r} in column {text_column!r}")
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
