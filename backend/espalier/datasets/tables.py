"""Tables to take home, as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from espalier.shared import APPEARANCE

FORMULAS: tuple[str, ...] = tuple(APPEARANCE["formulas"])
"""Beginnings of what spreadsheets compute instead of showing it."""


def to_csv(rows: Iterable[dict[str, Any]]) -> str:
    """With a header; an empty table is an empty file. What somebody wrote and a spreadsheet would take for a formula
    gets an apostrophe before it, which says that it is text."""
    return "".join(csv_lines(rows))


def csv_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The same a line at a time."""
    coming = iter(rows)
    first = next(coming, None)
    if first is None:
        return
    yield _line([*first])
    for row in chain([first], coming):
        yield _line([harmless(value) for value in row.values()])


def _line(values: list[Any]) -> str:
    # Written with the longer ending: a carriage return inside a text is quoted only then.
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(values)
    return out.getvalue().removesuffix("\r\n") + "\n"


def harmless(value: Any) -> Any:
    """What is no text stays what it is: a number may begin with a minus."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
