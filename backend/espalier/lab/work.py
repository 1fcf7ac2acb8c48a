"""What the runner has to know of a run, whatever it finds out; and of one that measures explanations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Protocol

from espalier.compact_json import compact
from espalier.lab.design import EvaluationDesign, check, kept_design, plan, settled
from espalier.lab.foreign.brought import brought, packed, unpacked
from espalier.measure.request import Measured, MeasuredUnit
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.describe import Shelf
from espalier.store.evaluations import Evaluation, RunKind, StoredRow

Labelled = tuple[str, str | None]
"""A text, and its label where it has one."""


@dataclass(frozen=True, slots=True)
class NewRun:
    """What is written of a run before it begins. `kept` holds its design and what follows from it; `brought` is for
    each text what came with it."""

    kind: RunKind
    kept: dict[str, Any]
    texts: Sequence[Labelled]
    units: int
    brought: Sequence[str | None] | None = field(default=None)


class Work(Protocol):
    """A run that was written down. A unit is one of its texts on one of its models."""

    @property
    def models(self) -> tuple[str, ...]: ...

    @property
    def has_brought(self) -> bool:
        """Whether something came with the texts."""
        ...

    def places(self, texts: int) -> Iterator[tuple[int, int]]:
        """The text and the model of every unit, in the order in which they are begun."""
        ...

    def request(self, text: int, given: Labelled, model: str, held: str | None) -> UnitRequest:
        """What is asked about a text; `held` is what came with it."""
        ...

    def lines(self, model: str) -> list[int]:
        """The numbers under which a unit's rows are stored."""
        ...

    def failed(self, model: str, problem: str) -> FoundUnit:
        """The unit of a text that nothing could be found out about."""
        ...


def new_evaluation(design: EvaluationDesign, shelf: Shelf) -> NewRun:
    """What is wrong for all texts, or too much, is refused."""
    planned = plan(design, shelf)
    design = settled(design, shelf)
    suited, left_out = check(design, shelf)
    texts = design.texts()
    found = brought(design.explanations, [row.text for row in texts], design.models)
    return NewRun(
        kind="evaluation",
        kept={
            "design": kept_design(design, len(texts)).model_dump(mode="json"),
            "suited": suited,
            "left_out": [each.model_dump() for each in left_out],
        },
        texts=[(row.text, row.label) for row in texts],
        units=planned.units,
        brought=[packed(each) for each in found.of_texts],
    )


class EvaluationWork:
    """Explanations that are measured: of each text a row for every condition, for what was brought, for baselines."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._design = EvaluationDesign.model_validate(evaluation.design["design"])
        self._suited: dict[str, list[int]] = evaluation.design["suited"]

    @property
    def models(self) -> tuple[str, ...]:
        return self._design.models

    @property
    def has_brought(self) -> bool:
        return self._design.explanations is not None

    def places(self, texts: int) -> Iterator[tuple[int, int]]:
        return product(range(texts), range(len(self.models)))

    def request(self, text: int, given: Labelled, model: str, held: str | None) -> UnitRequest:
        return self._design.unit(given[0], model, self._suited[model], unpacked(held))

    def lines(self, model: str) -> list[int]:
        return lines_of(self._design, self._suited[model])

    def failed(self, model: str, problem: str) -> FoundUnit:
        return failed_unit(self._design, self.lines(model), problem)


def lines_of(design: EvaluationDesign, suited: list[int]) -> list[int]:
    """The lines of the table that a model has: the conditions that suit it, what was brought, and the baselines."""
    return [*suited, *range(len(design.conditions), len(design.labels))]


def failed_unit(design: EvaluationDesign, lines: list[int], problem: str) -> MeasuredUnit:
    rows = tuple(
        Measured(method=design.labels[line][0], reference=design.labels[line][1], problem=problem) for line in lines
    )
    return MeasuredUnit(revision="", rows=rows, seconds=(0.0,) * len(rows), wanted=0, evaluated=0)


def stored_rows(text: int, model: int, lines: list[int], unit: FoundUnit) -> list[StoredRow]:
    return [
        StoredRow(text, model, line, compact(row.model_dump(mode="json", exclude_defaults=True)), seconds)
        for line, row, seconds in zip(lines, unit.rows, unit.seconds, strict=True)
    ]
