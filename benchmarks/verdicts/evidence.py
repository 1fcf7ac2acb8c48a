"""What a part of the measurement leaves to be judged: columns of numbers, tests of its own, and what else it saw."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from espalier.lab.matrix import Column
from espalier.statistics.documents import MeanInterval

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A comparison that has a test of its own: its unit is not the text, or its numbers are no two means.

    `smallest` is the smallest p value that so many units can give; 0 where there is no such limit."""

    first: float
    second: float
    difference: MeanInterval
    p: float
    smallest: float = 0.0


@dataclass(slots=True)
class Evidence:
    """`columns` are by model and line, `outcomes` by model and measure. `notes` are said under the paper's table."""

    columns: dict[Key, Column] = field(default_factory=dict)
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def take(self, other: "Evidence") -> None:
        self.columns |= other.columns
        self.outcomes |= other.outcomes
        self.notes += other.notes

    def to_json(self) -> str:
        return json.dumps(
            {
                "columns": [[*key, _plain(column)] for key, column in self.columns.items()],
                "outcomes": [
                    [*key, each.first, each.second, each.difference.model_dump(), each.p, each.smallest]
                    for key, each in self.outcomes.items()
                ],
                "notes": self.notes,
            }
        )

    @classmethod
    def from_json(cls, content: str) -> "Evidence":
        held = json.loads(content)
        return cls(
            {(model, line): _column(column) for model, line, column in held["columns"]},
            {
                (model, measure): Outcome(first, second, MeanInterval.model_validate(difference), p, smallest)
                for model, measure, first, second, difference, p, smallest in held["outcomes"]
            },
            held["notes"],
        )


def _plain(column: Column) -> dict[str, Any]:
    return {
        "values": {name: np.asarray(values).tolist() for name, values in column.values.items()},
        "curves": {name: values.tolist() for name, values in column.curves.items()},
        "problems": column.problems,
    }


def _column(held: dict[str, Any]) -> Column:
    values, curves = ({name: np.array(each) for name, each in held[kind].items()} for kind in ("values", "curves"))
    return Column(0, 0, values, curves, problems=Counter(held["problems"]))
