"""What the service says, as typed objects."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator

from espalier.client.problems import Cancelled, ServiceProblem
from espalier.explain.explanation import Explanation, WordRecord
from espalier.explain.reading import Reading
from espalier.explain.registry import MethodResult, methods

Status = Literal["queued", "running", "succeeded", "failed", "cancelled"]


class OtherResult(MethodResult):
    """The result of a method that the service has and this machine has not, with the reading that came with it."""

    model_config = ConfigDict(frozen=True, extra="allow")

    _reading: Reading = PrivateAttr()

    def reading(self) -> Reading:
        return self._reading


def explanation_of(document: dict[str, Any]) -> Explanation[Any]:
    """An explanation as `espalier.explain` gives it: the result has the type of its method."""
    known = methods().get(document["method"])
    typed: Any = Explanation[known.result if known else OtherResult]  # type: ignore[misc]
    explanation: Explanation[Any] = typed.model_validate(document)
    if known is None:
        explanation.result._reading = Reading.model_validate(document["reading"])
    return explanation


class Document(BaseModel):
    """A newer service may say more than this client knows; what it does not know it leaves out."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Progress(Document):
    """Evaluations of the model: done, and expected in all where that is known yet."""

    evaluated: int
    expected: int | None = None


class JobDocument(Document):
    """A job as the service sees it."""

    id: str
    status: Status
    request: dict[str, Any]
    created: datetime
    started: datetime | None = None
    finished: datetime | None = None
    progress: Progress
    explanation: Explanation[Any] | None = None
    problem: dict[str, Any] | None = None

    @field_validator("explanation", mode="before")
    @classmethod
    def _typed(cls, given: Any) -> Any:
        return explanation_of(given) if isinstance(given, dict) else given

    @property
    def done(self) -> bool:
        return self.status in ("succeeded", "failed", "cancelled")

    def result(self) -> Explanation[Any]:
        """The explanation of a job that has ended, or why there is none."""
        if self.explanation is not None:
            return self.explanation
        if self.status == "cancelled":
            raise Cancelled(self.id)
        raise ServiceProblem.of(self.problem or {"detail": f"the job has no result: got status {self.status}"})


class BatchLine(Document):
    """What became of one text of a batch."""

    index: int
    text: str
    explanation: Explanation[Any] | None = None
    problem: dict[str, Any] | None = None

    @field_validator("explanation", mode="before")
    @classmethod
    def _typed(cls, given: Any) -> Any:
        return explanation_of(given) if isinstance(given, dict) else given

    def result(self) -> Explanation[Any]:
        """The explanation, or why there is none."""
        if self.explanation is not None:
            return self.explanation
        raise ServiceProblem.of(self.problem or {"detail": f"text {self.index} has no result"})


class ClassProbability(Document):
    name: str
    probability: float


class Prediction(Document):
    """What a model says of a text."""

    model: str
    revision: str
    label: str
    classes: tuple[ClassProbability, ...]
    words: tuple[WordRecord, ...]
    tokens: int

    @property
    def probabilities(self) -> dict[str, float]:
        return {each.name: each.probability for each in self.classes}


class Event(Document):
    """One step of a job. `data` depends on `name`: status, prepared, progress, partial or finished."""

    name: str
    id: str = ""
    data: dict[str, Any] = Field(default_factory=dict)

    @property
    def job(self) -> JobDocument | None:
        return JobDocument.model_validate(self.data) if self.name == "finished" else None
