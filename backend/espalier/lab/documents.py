"""What a run shows, as documents."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from espalier.lab.design import EvaluationDesign, LeftOut
from espalier.statistics.documents import MeanInterval
from espalier.store.evaluations import EvaluationStatus

SIGNIFICANT = 0.05


class RunDocument(BaseModel):
    """A run, and how far it is."""

    id: str
    status: EvaluationStatus
    texts: int
    total: int = Field(description="Units of work: texts times models.")
    done: int
    failed: int = Field(description="Units among them in which nothing could be explained; their rows say why.")
    seconds_left: float | None = Field(description="Where it can be known.")
    evaluations: int = Field(description="Texts the models have been asked about.")
    problem: str | None
    created: datetime
    finished: datetime | None
    example: bool = Field(description="Whether it ships with the project.")


class EvaluationDocument(RunDocument):
    """A run that measures explanations."""

    design: EvaluationDesign


class EvaluationList(BaseModel):
    evaluations: list[EvaluationDocument]


class MeasureColumn(BaseModel):
    name: str
    title: str
    description: str
    better: Literal["higher", "lower"]
    operator: str | None
    has_curve: bool


class Cell(BaseModel):
    """A measure's mean over sentences. `best` only where it beats every other method after Holm's correction."""

    measure: str
    interval: MeanInterval
    best: bool = False


class CurvePoint(BaseModel):
    percent: int
    mean: float
    low: float | None
    high: float | None


class Curve(BaseModel):
    measure: str
    points: list[CurvePoint]


class TableLine(BaseModel):
    """A line of the table: a method on a model. What was brought and the baselines have no reference."""

    model: str
    method: str
    reference: str
    baseline: bool
    cells: list[Cell]
    curves: list[Curve]
    evaluations: MeanInterval = Field(description="Different coalitions the method asked for, a text.")
    seconds: float | None = Field(description="Mean time to explain a text here, what was shared not paid twice.")
    problems: dict[str, int] = Field(description="Why texts are left out of this line, and how many.")
    brought: bool = Field(default=False, description="Whether its explanations were made elsewhere.")
    not_measured: dict[str, str] = Field(default={}, description="Of what was brought: measures that it has not, why.")


class OperatorCell(BaseModel):
    """The gauge of one line of the table: bits a word beyond those of the whole text, without the line's top words."""

    method: str
    reference: str
    interval: MeanInterval


class OperatorLine(BaseModel):
    """How surprised a language model is by the texts that an operator makes on a model. `reason` says why there are no
    such texts."""

    model: str
    operator: str
    description: str
    cells: list[OperatorCell]
    reason: str | None = None


class AgreementLine(BaseModel):
    """Two methods on one model: Kendall's tau of their rankings, and the share of top words they have in common."""

    model: str
    first: str
    second: str
    reference: str
    kendall: MeanInterval
    overlap: MeanInterval


class PairComparison(BaseModel):
    """The best line of a column against another one, on the sentences that both have."""

    model: str
    measure: str
    best: str
    other: str
    difference: float
    n: int
    p: float
    corrected: float = Field(description="After Holm's correction over all tests of the table.")

    @property
    def is_significant(self) -> bool:
        return self.corrected < SIGNIFICANT

    def is_won(self, better: str) -> bool:
        """Whether the line with the best mean is better, too, on the sentences that both have. It need not be where the
        other one has more of them."""
        return self.is_significant and (self.difference > 0) == (better == "higher")


class EvaluationResults(BaseModel):
    """Everything is computed from rows."""

    evaluation: str
    texts: int
    complete: bool
    draws: int
    seed: int
    measures: list[MeasureColumn]
    lines: list[TableLine]
    operators: list[OperatorLine] = Field(
        default=[], description="The gauge beside every operator of the measures; none in runs without it."
    )
    agreement: list[AgreementLine]
    tests: list[PairComparison]
    shared: float | None = Field(description="Evaluations wanted for each that the models did: what sharing saves.")
    left_out: list[LeftOut]
    warnings: list[str]
    paragraph: str = Field(description="For a paper.")


class Points(BaseModel):
    """One measure, sentence by sentence: values[line][k] is that of the text texts[k]."""

    measure: str
    lines: list[dict[str, str]]
    texts: list[int]
    values: list[list[float | None]]


class RowDocument(BaseModel):
    """One text under one condition."""

    text: int
    model: str
    method: str
    reference: str
    seconds: float
    measured: dict[str, Any]


class TextRows(BaseModel):
    """A text and all its rows."""

    index: int
    text: str
    label: str | None
    rows: list[RowDocument]


class RowList(BaseModel):
    texts: list[TextRows]
    after: int | None = Field(description="Where the next page begins; none at the end.")
