"""Rows and tables to take home."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from espalier.lab.design import EvaluationDesign
from espalier.lab.documents import EvaluationResults
from espalier.store.evaluations import StoredRow


def raw_rows(
    design: EvaluationDesign, texts: Sequence[tuple[str, str | None]], rows: Iterable[StoredRow]
) -> Iterator[dict[str, Any]]:
    """One for each text under each condition: nothing is left out. Every row has the same fields."""
    for row in rows:
        content = json.loads(row.content)
        method, reference = design.labels[row.condition]
        text, label = texts[row.text]
        values = content.get("values", {})
        yield {
            "text": row.text,
            "sentence": text,
            "label": label,
            "model": design.models[row.model],
            "method": method,
            "reference": reference,
            "words": content.get("words"),
            "target": content.get("target"),
            "probability": content.get("probability"),
            "evaluations": content.get("evaluations"),
            **{measure.name: values.get(measure.name) for measure in design.recorded()},
            "ranking": " ".join(map(str, content.get("ranking", ()))),
            "problem": content.get("problem"),
            "seconds": row.seconds,
        }


def table_rows(results: EvaluationResults) -> Iterator[dict[str, Any]]:
    """Every mean of the table on a line of its own."""
    for line in results.lines:
        for cell in line.cells:
            yield {
                "model": line.model,
                "method": line.method,
                "reference": line.reference,
                "measure": cell.measure,
                "mean": cell.interval.mean,
                "low": cell.interval.low,
                "high": cell.interval.high,
                "n": cell.interval.n,
                "best": cell.best,
                "evaluations": line.evaluations.mean,
                "seconds": line.seconds,
            }
    shown = {measure.name for measure in results.measures}
    for gauged in results.operators:
        # Asked for as a measure, too, it has its lines already.
        for beside in () if f"surprise-{gauged.operator}" in shown else gauged.cells:
            yield {
                "model": gauged.model,
                "method": beside.method,
                "reference": beside.reference,
                "measure": f"surprise-{gauged.operator}",
                "mean": beside.interval.mean,
                "low": beside.interval.low,
                "high": beside.interval.high,
                "n": beside.interval.n,
                "best": False,
                "evaluations": None,
                "seconds": None,
            }
