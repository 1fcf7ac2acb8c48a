"""The reading of an explanation as a table, for spreadsheets and programs that want rows."""

import csv
import io
from typing import Any

from espalier.datasets.tables import harmless
from espalier.explain.explanation import Explanation
from espalier.findings.reading import called
from espalier.findings.wording import names

COLUMNS = ("kind", "text", "players", "level", "score", "standard_error", "draw_error")
Row = tuple[str | int | float | None, ...]


def rows(explanation: Explanation[Any]) -> list[Row]:
    """Words and phrases, then pairs, between the model's values of nothing and of the whole text where they are known.
    Players are counted from 0, in the order of the text."""
    reading = explanation.read()
    players = names(explanation)
    table: list[Row] = []
    if reading.base is not None:
        table.append(("base", "with nothing present", "", None, reading.base, None, None))
    for span in reading.spans:
        kind = "word" if span.level == 0 else "phrase"
        places = " ".join(map(str, range(span.start, span.end)))
        table.append((kind, called(explanation, span), places, span.level, span.score, span.error, span.draw_error))
    for pair in reading.pairs:
        text, places = f"{players[pair.first]} × {players[pair.second]}", f"{pair.first} {pair.second}"
        table.append(("pair", text, places, None, pair.score, pair.error, pair.draw_error))
    if reading.full is not None:
        table.append(("full", "whole text", "", None, reading.full, None, None))
    return table


def csv_of(explanation: Explanation[Any]) -> str:
    """As RFC 4180 has it. A text that a spreadsheet would take for a formula is kept from becoming one."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([harmless(cell) for cell in row] for row in rows(explanation))
    return out.getvalue()
