"""Rows of a run as numbers: for each line of its table a column of sentences."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from espalier.lab.design import EvaluationDesign
from espalier.measure.curves import PERCENTS
from espalier.store.evaluations import StoredRow

FloatArray = NDArray[np.float64]


@dataclass(slots=True)
class Column:
    """One line of the table: a model and a condition. NaN is "not measured"."""

    model: int
    condition: int
    values: dict[str, FloatArray] = field(default_factory=dict)
    curves: dict[str, FloatArray] = field(default_factory=dict)
    evaluations: FloatArray = field(default_factory=lambda: np.empty(0))
    seconds: FloatArray = field(default_factory=lambda: np.empty(0))
    rankings: dict[int, list[int]] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)


def columns_of(design: EvaluationDesign, texts: int, rows: Iterable[StoredRow]) -> list[Column]:
    """In the order of models, then of the table's lines."""
    found: dict[tuple[int, int], Column] = {}
    for row in rows:
        key = (row.model, row.condition)
        if key not in found:
            found[key] = _empty(design, texts, *key)
        _take(found[key], row)
    return [found[key] for key in sorted(found)]


def _empty(design: EvaluationDesign, texts: int, model: int, condition: int) -> Column:
    made = Column(model, condition)
    for measure in design.measured():
        made.values[measure.name] = np.full(texts, np.nan)
        if measure.kind.has_curve:
            made.curves[measure.name] = np.full((texts, len(PERCENTS)), np.nan)
    made.evaluations, made.seconds = np.full(texts, np.nan), np.full(texts, np.nan)
    return made


def _take(column: Column, row: StoredRow) -> None:
    content = json.loads(row.content)
    if (problem := content.get("problem")) is not None:
        column.problems[problem] += 1
        return
    for name, value in content.get("values", {}).items():
        if value is not None and name in column.values:
            column.values[name][row.text] = value
    for name, curve in content.get("curves", {}).items():
        if name in column.curves:
            column.curves[name][row.text] = curve
    if "ranking" in content:
        if not content.get("brought"):
            column.evaluations[row.text] = content.get("evaluations", 0)
            column.seconds[row.text] = row.seconds
        column.rankings[row.text] = content["ranking"]
