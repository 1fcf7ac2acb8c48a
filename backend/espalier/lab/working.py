"""Works through a run in this process, and keeps it in a file of lines of JSON where one is named.

The first line is the run's design, each further one the rows of a text on a model. A run that was stopped goes on where
it ended.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from espalier.compact_json import compact
from espalier.engine.explainer import Explainer
from espalier.engine.many import each_of
from espalier.engine.units import begin
from espalier.lab.work import Labelled, Work, stored_rows
from espalier.measure.units import FoundUnit
from espalier.problems import BadParameter, Problem
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, StoredRow

Advance = Callable[[int, int], None]
"""Is told units done and units there are."""


def worked_through(
    evaluation: Evaluation,
    design: BaseModel,
    work: Work,
    texts: Sequence[Labelled],
    held: Sequence[str | None],
    explainer: Explainer,
    out: Path | None,
    advance: Advance,
) -> tuple[Evaluation, list[StoredRow]]:
    """The run at its end, and its rows. `held` is for each text what came with it."""
    kept = {key: value for key, value in evaluation.design.items() if key != "left_out"}
    stored: list[StoredRow] = []
    wanted = evaluated = failed = 0
    done: set[tuple[int, int]] = set()
    for record in _before(out, design):
        rows = [StoredRow(*each) for each in record["rows"]]
        stored += rows
        done.add((rows[0].text, rows[0].model))
        wanted, evaluated = wanted + record["wanted"], evaluated + record["evaluated"]
        failed += record["failed"]
    advance(len(done), evaluation.total)
    left = [place for place in work.places(len(texts)) if place not in done]

    def found(place: tuple[int, int]) -> FoundUnit:
        text, model = place
        name = work.models[model]
        try:
            return begin(explainer, work.request(text, texts[text], name, held[text])).run()
        except Problem as problem:
            return work.failed(name, problem.message)

    for (text, model), unit in zip(left, each_of(left, found), strict=True):
        rows = stored_rows(text, model, work.lines(work.models[model]), unit)
        nothing = all(row.problem is not None for row in unit.rows)
        stored += rows
        wanted, evaluated, failed = wanted + unit.wanted, evaluated + unit.evaluated, failed + nothing
        if out is not None:
            _append(out, kept, rows, unit.wanted, unit.evaluated, nothing)
        done.add((text, model))
        advance(len(done), evaluation.total)
    ended = replace(
        evaluation,
        status="finished",
        done=evaluation.total,
        failed=failed,
        wanted=wanted,
        evaluated=evaluated,
        finished=now(),
    )
    return ended, stored


def _before(out: Path | None, design: BaseModel) -> Iterator[dict[str, Any]]:
    """Units that an earlier run has written. A last line that was cut off in the middle is taken away."""
    if out is None or not out.exists():
        return
    content = out.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with out.open("r+b") as file:
            file.truncate(len(whole))
    lines = whole.splitlines()
    try:
        records = [json.loads(line) for line in lines]
        # Read as a design: one that was written before a field was added is the same run without it.
        first = type(design).model_validate(records[0]["design"]) if records else None
    except (ValueError, KeyError, TypeError):
        raise BadParameter(
            f"--out is not a run: got {str(out)!r}, possible is one that this command wrote, or a new file"
        ) from None
    if first is not None and first != type(design).model_validate(design.model_dump(mode="json")):
        raise BadParameter(
            f"--out holds another run: got {str(out)!r} with other texts or settings, possible are the same file and "
            "options, or a new --out"
        )
    yield from records[1:]


def _append(
    out: Path, kept: dict[str, Any], rows: Sequence[StoredRow], wanted: int, evaluated: int, failed: bool
) -> None:
    new = not out.exists() or out.stat().st_size == 0
    with out.open("a", encoding="utf-8") as file:
        if new:
            file.write(compact(kept) + "\n")
        values = [[row.text, row.model, row.condition, row.content, row.seconds] for row in rows]
        file.write(compact({"rows": values, "wanted": wanted, "evaluated": evaluated, "failed": failed}) + "\n")
