"""Rows of a run as numbers: for each line of its table a column of sentences."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

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


class Matrix:
    """The columns of a run while its rows come: each row counts once, however often it is read."""

    def __init__(self, design: EvaluationDesign, texts: int) -> None:
        self._design, self._texts = design, texts
        self._columns: dict[tuple[int, int], Column] = {}
        self._there: dict[tuple[int, int], NDArray[np.bool_]] = {}
        self.rows = 0
        self.settled = 0
        """Texts at the beginning that are complete: what comes, comes after them."""

    @property
    def columns(self) -> list[Column]:
        """In the order of models, then of the table's lines."""
        return [self._columns[key] for key in sorted(self._columns)]

    def copied(self) -> list[Column]:
        """The same for somebody who reads them while more rows come."""
        return [
            replace(
                column,
                values={name: values.copy() for name, values in column.values.items()},
                curves={name: values.copy() for name, values in column.curves.items()},
                evaluations=column.evaluations.copy(),
                seconds=column.seconds.copy(),
                rankings=dict(column.rankings),
                problems=column.problems.copy(),
            )
            for column in self.columns
        ]

    def take(self, rows: Iterable[StoredRow]) -> None:
        for row in rows:
            key = (row.model, row.condition)
            if key not in self._columns:
                self._columns[key] = _empty(self._design, self._texts, *key)
                self._there[key] = np.zeros(self._texts, dtype=bool)
            if not self._there[key][row.text]:
                self._there[key][row.text] = True
                self.rows += 1
                _take(self._columns[key], row)
        self._settle()

    def _settle(self) -> None:
        """A text on a model is written as a whole: one of its rows says that all of them are there."""
        complete = np.ones(self._texts, dtype=bool)
        for model in range(len(self._design.models)):
            own = [there for (of, _), there in self._there.items() if of == model]
            complete &= np.any(own, axis=0) if own else False
        missing = np.flatnonzero(~complete)
        self.settled = int(missing[0]) if len(missing) else self._texts


def columns_of(design: EvaluationDesign, texts: int, rows: Iterable[StoredRow]) -> list[Column]:
    """Of all rows at once."""
    matrix = Matrix(design, texts)
    matrix.take(rows)
    return matrix.columns


def _empty(design: EvaluationDesign, texts: int, model: int, condition: int) -> Column:
    made = Column(model, condition)
    for measure in design.recorded():
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
