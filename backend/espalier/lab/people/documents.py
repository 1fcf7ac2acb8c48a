"""A study's answers beside the measures of the same items, as documents."""

from typing import Literal

from pydantic import BaseModel, Field

from espalier.lab.documents import MeasureColumn
from espalier.statistics.documents import Correlation
from espalier.store.evaluations import EvaluationStatus

Verdict = Literal["with", "against", "undecided", "alike", "too-few"]


class MeasuringRun(BaseModel):
    """The run of the Lab that measures a study's items."""

    evaluation: str = Field(description="The run's id, under /v1/evaluations.")
    status: EvaluationStatus
    done: int
    total: int = Field(description="Texts times models.")
    seconds_left: float | None


class MeasuredItem(BaseModel):
    """A text explained in one way: what people made of it, and what it measures."""

    item: str
    text: str
    model: str
    method: str
    right: int = Field(description="Guesses that equal the model's prediction.")
    guesses: int
    values: dict[str, float | None] = Field(description="By measure; none where it cannot be measured.")


class AgainstPeople(BaseModel):
    """A measure against the share of right guesses, over the items of one model."""

    measure: str
    model: str
    method: str | None = Field(description="None: all methods together.")
    correlation: Correlation = Field(description="Groups are texts.")
    corrected: float | None = Field(description="p after Holm's correction over all correlations of the study.")
    verdict: Verdict = Field(
        description="Whether people guess better where the measure is better (with), or worse (against); alike: one of "
        "the two is the same for all items."
    )
    says: str


class PeopleAndMeasures(BaseModel):
    study: str
    simulated: bool = Field(description="Answers of a rehearsal.")
    run: MeasuringRun | None = Field(description="None: the items have not been measured.")
    expected_evaluations: int | None = Field(
        description="Without a run: at most about so many texts will the models be asked about."
    )
    measures: list[MeasureColumn]
    items: list[MeasuredItem] = Field(description="Those with answers that count.")
    unmeasured: dict[str, int] = Field(description="Items with answers that have no measures, by the reason.")
    correlations: list[AgainstPeople] = Field(description="Once the run has ended.")
    fewest_texts: int = Field(description="Texts below which nothing is correlated.")
    says: str
    seed: int
