"""A run without a server: the same design, the same rows, in this process, kept in a file of lines of JSON.

The first line is the design, each further one the rows of a text on a model. A run that was stopped goes on where it
ended.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from espalier.compact_json import compact
from espalier.engine.explainer import Explainer
from espalier.engine.many import each_of
from espalier.engine.measuring import Measuring
from espalier.lab.design import EvaluationDesign, check
from espalier.lab.documents import EvaluationResults
from espalier.lab.export import raw_rows
from espalier.lab.foreign.brought import brought
from espalier.lab.results import results
from espalier.lab.work import failed_unit, lines_of, stored_rows
from espalier.measure.request import MeasuredUnit
from espalier.models.describe import Shelf
from espalier.problems import BadParameter, Problem
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, StoredRow


@dataclass(slots=True)
class LocalRun:
    """What was measured: `results` has tables, tests and a paragraph; `rows` every text under every condition."""

    design: EvaluationDesign
    evaluation: Evaluation
    texts: list[tuple[str, str | None]]
    stored: list[StoredRow] = field(default_factory=list)

    @property
    def rows(self) -> list[dict[str, Any]]:
        ordered = sorted(self.stored, key=lambda row: (row.text, row.model, row.condition))
        return list(raw_rows(self.design, self.texts, ordered))

    @property
    def results(self) -> EvaluationResults:
        return results(self.evaluation, self.design, self.stored)


def run_here(
    design: EvaluationDesign,
    explainer: Explainer,
    shelf: Shelf,
    out: Path | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> LocalRun:
    """To its end. `advance` is told units done and units there are."""
    suited, left_out = check(design, shelf)
    texts = [(row.text, row.label) for row in design.texts()]
    given = brought(design.explanations, [text for text, _ in texts], design.models).of_texts
    total = len(texts) * len(design.models)
    kept = {"design": design.model_dump(mode="json"), "suited": suited}
    evaluation = Evaluation(
        "local", "", kept | {"left_out": [each.model_dump() for each in left_out]}, len(texts), total, now()
    )
    run = LocalRun(design, evaluation, texts)
    wanted = evaluated = failed = 0
    done: set[tuple[int, int]] = set()
    for record in _before(out, kept):
        rows = [StoredRow(*each) for each in record["rows"]]
        run.stored += rows
        done.add((rows[0].text, rows[0].model))
        wanted, evaluated = wanted + record["wanted"], evaluated + record["evaluated"]
        failed += record["failed"]
    advance(len(done), total)
    left = [(t, m) for t in range(len(texts)) for m in range(len(design.models)) if (t, m) not in done]

    def measured(place: tuple[int, int]) -> MeasuredUnit:
        text, model = place
        name = design.models[model]
        try:
            return Measuring(explainer, design.unit(texts[text][0], name, suited[name], given[text])).run()
        except Problem as problem:
            return failed_unit(design, lines_of(design, suited[name]), problem.message)

    for (text, model), unit in zip(left, each_of(left, measured), strict=True):
        rows = stored_rows(text, model, lines_of(design, suited[design.models[model]]), unit)
        nothing = all(row.problem is not None for row in unit.rows)
        run.stored += rows
        wanted, evaluated, failed = wanted + unit.wanted, evaluated + unit.evaluated, failed + nothing
        if out is not None:
            _append(out, kept, rows, unit.wanted, unit.evaluated, nothing)
        done.add((text, model))
        advance(len(done), total)
    run.evaluation = replace(
        evaluation,
        status="finished",
        done=total,
        failed=failed,
        wanted=wanted,
        evaluated=evaluated,
        finished=now(),
    )
    return run


def _before(out: Path | None, kept: dict[str, Any]) -> Iterator[dict[str, Any]]:
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
        first = EvaluationDesign.model_validate(records[0]["design"]) if records else None
    except (ValueError, KeyError, TypeError):
        raise BadParameter(
            f"--out is not a run: got {str(out)!r}, possible is one that this command wrote, or a new file"
        ) from None
    if first is not None and first != EvaluationDesign.model_validate(kept["design"]):
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
