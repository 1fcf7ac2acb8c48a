"""One text on one model, explained in several ways and measured: the unit in which datasets are worked through."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from espalier.explain.request import ExplanationRequest
from espalier.fields import MOST_PARAMETERS, Name
from espalier.games.references import USUAL_REFERENCE, ReferenceName

RANDOM = "random-order"
BEST = "best-order"
"""What stands beside every method: orders that know nothing, and the best order that a search finds."""


LONGEST = 400
"""Words of a text that is measured: no method ranks the words of a longer one."""


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Condition(Record):
    """A method with its settings, and what stands in for absent words while it explains."""

    method: Name
    reference: ReferenceName = USUAL_REFERENCE
    parameters: Annotated[dict[str, Any], Field(max_length=MOST_PARAMETERS)] = {}

    def request(self, text: str, model: str, seed: int) -> ExplanationRequest:
        return ExplanationRequest(
            text=text,
            model=model,
            method=self.method,
            reference=self.reference,
            parameters=self.parameters,
            seed=seed,
        )


class Given(Record):
    """An explanation that was made elsewhere, over the words of the text; or why there is none of this text."""

    method: Name
    model: Name | None = None
    target: Name | None = None
    ranking: tuple[int, ...] = ()
    top: tuple[int, ...] = ()
    problem: str | None = None


class MeasureRequest(Record):
    """Everything that decides the rows of one text on one model."""

    text: str
    model: Name
    conditions: tuple[Condition, ...]
    given: tuple[Given, ...] = ()
    measures: tuple[Name, ...]
    seed: int = 0
    best_order: bool = True


class Measured(Record):
    """One text under one condition. `values` and `curves` are by measure; None is "cannot be measured here"."""

    method: str
    reference: str = ""
    words: int = 0
    target: str = ""
    probability: float = 0.0
    ranking: tuple[int, ...] = ()
    top: tuple[int, ...] = ()
    exact: bool = True
    evaluations: int = Field(default=0, description="Different coalitions the method asked for: its price alone.")
    values: dict[str, float | None] = {}
    curves: dict[str, tuple[float, ...]] = {}
    problem: str | None = None
    brought: bool = Field(default=False, description="Whether the explanation was made elsewhere: no price is known.")


class Unit(Record):
    """What was found of one text on one model. `wanted` counts evaluations as if its parts had shared nothing,
    `evaluated` what the model really did."""

    revision: str
    seconds: tuple[float, ...] = Field(description="For each row; the only numbers that differ between two runs.")
    wanted: int
    evaluated: int


class MeasuredUnit(Unit):
    """All conditions of one text on one model, in order; then what was given, and the baselines."""

    rows: tuple[Measured, ...]
