"""Explanations on the wire: jobs, their events and their results, as OpenAPI and the generated clients know them."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import BaseModel, ConfigDict, Field, create_model

from espalier.api.problems import MakingDocument, ProblemDocument
from espalier.compact_json import compact as compact
from espalier.explain.explanation import Explanation, Record
from espalier.explain.reading import Reading
from espalier.explain.registry import MethodResult, house_methods
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job, JobStatus


class OtherResult(MethodResult):
    """The result of a method that another package brings. What it says is in the explanation's `reading`."""

    model_config = ConfigDict(frozen=True, extra="allow")


if TYPE_CHECKING:
    AnyResult = MethodResult
else:
    # Every method's own result, told apart by its `method`. What other packages add is not known when clients are
    # generated: it has a form of its own, and the same reading as all.
    HouseResult = Annotated[
        Union[tuple(method.result for _, method in sorted(house_methods().items()))],  # noqa: UP007
        Field(discriminator="method"),
    ]
    AnyResult = HouseResult | OtherResult


class ExplanationDocument(Explanation[MethodResult]):
    """A finished explanation: what the method found, and everything needed to trust it, draw it and make it again."""

    result: AnyResult
    reading: Reading = Field(description="What the result says, in one form for all methods.")
    finding: str | None = Field(description="The headline: the strongest finding in one sentence.")
    certainty: str = Field(description="How sure the numbers are: exact, with standard errors, or approximate.")
    provenance: str = Field(description="In one line how sure, what it cost, and what to repeat it with.")


LATER = frozenset({"result", "reading", "evaluations", "seconds", "finding", "certainty", "provenance"})
"""What is not known before the method has run."""

PreparedDocument: type[BaseModel] = create_model(
    "PreparedDocument",
    __base__=Record,
    __doc__="What is known of an explanation before its method has run.",
    __module__=__name__,
    **{
        name: (field.annotation, field) for name, field in ExplanationDocument.model_fields.items() if name not in LATER
    },  # type: ignore[call-overload]
)


class ProgressDocument(BaseModel):
    """Evaluations of the model: done, and expected in the end once the method knows."""

    evaluated: int = Field(ge=0)
    expected: int | None = None


class JobDocument(BaseModel):
    """An explanation that was asked for. Exactly one of `explanation` and `problem` is there once it succeeded or
    failed; neither before that, nor when it was cancelled."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: str
    status: JobStatus
    request: ExplanationRequest
    created: datetime
    started: datetime | None = None
    finished: datetime | None = None
    progress: ProgressDocument
    explanation: ExplanationDocument | None = None
    problem: ProblemDocument | None = None


class StatusEvent(BaseModel):
    """Data of the event `status`."""

    status: JobStatus
    making: MakingDocument | None = Field(
        default=None, description="How far the model is, where it has to be made ready for its first use."
    )


class PartialEvent(BaseModel):
    """Data of the event `partial`: of the same type as the final result, with the headline so far."""

    result: AnyResult
    reading: Reading
    finding: str | None
    certainty: str


EVENTS: dict[str, type[BaseModel]] = {
    "status": StatusEvent,
    "prepared": PreparedDocument,
    "progress": ProgressDocument,
    "partial": PartialEvent,
    "finished": JobDocument,
}
"""What the data of each event is."""


def job_json(job: Job) -> str:
    """A JobDocument in JSON, with the explanation exactly as it was stored."""
    before = {
        "id": job.id,
        "status": job.status,
        "request": job.request.model_dump(mode="json"),
        "created": _time(job.created),
        "started": _time(job.started),
        "finished": _time(job.finished),
        "progress": {"evaluated": job.evaluated, "expected": job.expected},
    }
    return f'{compact(before)[:-1]},"explanation":{job.explanation or "null"},"problem":{compact(job.problem)}}}'


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
