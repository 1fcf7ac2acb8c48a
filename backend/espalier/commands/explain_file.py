"""`espalier explain --file reviews.tsv --out results.jsonl`: every text of a file, one line of results for each.

A run that was stopped goes on where it ended: what is in the results already is not computed again.
"""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from espalier.problems import BadParameter, Problem

if TYPE_CHECKING:
    from espalier.explain.request import ExplanationRequest

Columns = dict[str, str]

TABLES = {".tsv": "\t", ".csv": ","}


def explain_file(
    file: Path, out: Path, column: str, make: Callable[[Columns], "ExplanationRequest"], lines: bool = False
) -> None:
    """`make` turns a row's text (and pair) into a request. Results are lines of JSON: index, request, and either an
    explanation or the problem with that one text; with `lines` words and their scores, as the Lab takes them."""
    requests = [make(row) for row in read_rows(file, column)]
    done = finished(out, requests)
    failed = 0
    with out.open("a", encoding="utf-8") as results, _bar(len(requests), len(done)) as advance:
        left = [(index, request) for index, request in enumerate(requests) if index not in done]
        for line, went_wrong in _explained(left, lines):
            failed += went_wrong
            results.write(line)
            results.flush()
            advance()
    _say(len(requests), len(done), failed, out)
    if failed:
        raise typer.Exit(1)


def _explained(requests: list[tuple[int, "ExplanationRequest"]], lines: bool) -> Iterator[tuple[str, bool]]:
    """A line for each, and whether it is a problem; several texts are on their way at once."""
    from espalier.engine.many import each_of
    from espalier.findings.document import document
    from espalier.lab.foreign.written import line_of, line_without
    from espalier.library import shared_explainer

    explainer = shared_explainer()

    def line(asked: tuple[int, "ExplanationRequest"]) -> tuple[str, bool]:
        index, request = asked
        record: dict[str, Any] = {"index": index, "request": request.model_dump(mode="json")}
        try:
            found = explainer.explain(request)
            record |= line_of(found) if lines else {"explanation": document(found), "problem": None}
        except Problem as problem:
            said = {"explanation": None, "problem": {"code": problem.code, "detail": problem.message}}
            record |= line_without(request, problem) if lines else said
        return json.dumps(record, ensure_ascii=False) + "\n", record.get("problem") is not None

    return each_of(requests, line)


def read_rows(file: Path, column: str) -> list[Columns]:
    """A table's column (and its column `pair`, if it has one), or every line of a plain text that is not empty."""
    try:
        content = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadParameter(f"cannot read --file: got {str(file)!r} ({error}), possible is a UTF-8 text file") from None
    if (separator := TABLES.get(file.suffix.lower())) is None:
        return [{"text": line} for line in content.split("\n") if line.strip()]
    lines = io.StringIO(content, newline="")
    # In a tab-separated table a quotation mark is a quotation mark: reviews are full of single ones.
    table = (
        csv.DictReader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
        if separator == "\t"
        else csv.DictReader(lines, delimiter=separator)
    )
    if column not in (table.fieldnames or ()):
        possible = ", ".join(table.fieldnames or ()) or "none"
        raise BadParameter(f"no such --column in {file.name}: got {column!r}, possible are {possible}")
    return [
        {"text": row[column] or ""} | ({"pair": row["pair"]} if row.get("pair") else {})
        for row in table
        if any(row.values())
    ]


def finished(out: Path, requests: list["ExplanationRequest"]) -> set[int]:
    """Rows that are in the results already. A last line that was cut off in the middle is taken away."""
    if not out.exists():
        if not os.access(out.parent, os.W_OK):
            raise BadParameter(f"cannot write --out: got {str(out)!r}, possible is a file in a folder you can write to")
        return set()
    kept = out.read_bytes()
    whole = kept[: kept.rfind(b"\n") + 1]
    done = {_row_of(line, out, requests) for line in whole.splitlines()}
    if len(whole) < len(kept):
        with out.open("r+b") as results:
            results.truncate(len(whole))
    return done


def _row_of(line: bytes, out: Path, requests: list["ExplanationRequest"]) -> int:
    try:
        record = json.loads(line)
        index, request = int(record["index"]), record["request"]
    except (ValueError, KeyError, TypeError):
        raise BadParameter(
            f"--out is not a file of results: got {str(out)!r}, possible is one that this command wrote, or a new one"
        ) from None
    if not 0 <= index < len(requests) or requests[index].model_dump(mode="json") != request:
        raise BadParameter(
            f"--out holds results of another run: got row {index} of {str(out)!r} with other text or settings, "
            "possible are the same file and options, or a new --out"
        )
    return index


class _Speed(ProgressColumn):
    """Texts a second, once that can be said."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.1f} a second")


@contextmanager
def _bar(total: int, done: int) -> Iterator[Callable[[], None]]:
    """On standard error while the work goes on; nothing where nobody looks."""
    console = Console(stderr=True)
    columns = (
        TextColumn("explaining"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("texts"),
        _Speed(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)


def _say(total: int, before: int, failed: int, out: Path) -> None:
    again = f", {before} of them before" if before else ""
    wrong = f"; {failed} could not be explained, each says why" if failed else ""
    typer.echo(f"{total} texts in {out}{again}{wrong}", err=True)
