"""Finished runs that ship with the project, so that the first visit shows something. `espalier gallery` makes them."""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any

from espalier.compact_json import compact
from espalier.store.evaluations import Evaluation, StoredRow

SHELF = resources.files(__name__.rpartition(".")[0]) / "examples"
BEGINNING = "example-"


@dataclass(frozen=True, slots=True)
class Example:
    """A run with everything that was measured."""

    evaluation: Evaluation
    texts: list[tuple[str, str | None]]
    stored: list[StoredRow]
    results: str

    def rows(self, after: int = 0, texts: int | None = None) -> Iterator[StoredRow]:
        last = len(self.texts) if texts is None else after + texts
        return (row for row in self.stored if after <= row.text < last)


@cache
def examples() -> dict[str, Example]:
    """By name, in the order of their names."""
    if not SHELF.is_dir():
        return {}
    files = sorted((each for each in SHELF.iterdir() if each.name.endswith(".json.gz")), key=lambda each: each.name)
    found = [read(each.read_bytes()) for each in files]
    return {each.evaluation.id: each for each in found}


def write(evaluation: Evaluation, texts: Sequence[Any], rows: Sequence[StoredRow], results: str) -> bytes:
    """The same run gives the same bytes."""
    kept = {
        "id": evaluation.id,
        "kind": evaluation.kind,
        "design": evaluation.design,
        "total": evaluation.total,
        "failed": evaluation.failed,
        "wanted": evaluation.wanted,
        "evaluated": evaluation.evaluated,
        "created": evaluation.created.isoformat(),
        "finished": None if evaluation.finished is None else evaluation.finished.isoformat(),
        "texts": [list(each) for each in texts],
        "rows": [[r.text, r.model, r.condition, json.loads(r.content), round(r.seconds, 3)] for r in rows],
        "results": json.loads(results),
    }
    return gzip.compress(compact(kept).encode(), compresslevel=9, mtime=0)


def read(content: bytes) -> Example:
    kept = json.loads(gzip.decompress(content))
    evaluation = Evaluation(
        id=kept["id"],
        kind=kept.get("kind", "evaluation"),
        client="",
        design=kept["design"],
        texts=len(kept["texts"]),
        total=kept["total"],
        created=datetime.fromisoformat(kept["created"]),
        status="finished",
        done=kept["total"],
        failed=kept["failed"],
        wanted=kept["wanted"],
        evaluated=kept["evaluated"],
        finished=None if kept["finished"] is None else datetime.fromisoformat(kept["finished"]),
    )
    rows = [StoredRow(text, model, line, compact(found), took) for text, model, line, found, took in kept["rows"]]
    return Example(evaluation, [(text, label) for text, label in kept["texts"]], rows, compact(kept["results"]))
