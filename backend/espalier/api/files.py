"""Tables as files that a browser keeps."""

import json
from collections.abc import Iterator
from typing import Any, Literal

from fastapi.responses import StreamingResponse

from espalier.datasets.tables import csv_lines

FileForm = Literal["csv", "json"]

MEDIA: dict[FileForm, str] = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {}, "application/json": {}}}}


def table_file(rows: Iterator[dict[str, object]], form: FileForm, name: str) -> StreamingResponse:
    """A row at a time: nobody waits until all of it is written."""
    lines = csv_lines(rows) if form == "csv" else _list(rows)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, headers=headers, media_type=MEDIA[form])


def _list(rows: Iterator[dict[str, object]]) -> Iterator[str]:
    """A list in JSON, a row at a time."""
    between = "["
    for row in rows:
        yield between + json.dumps(row, ensure_ascii=False, allow_nan=False)
        between = ",\n"
    yield "[]" if between == "[" else "]"
