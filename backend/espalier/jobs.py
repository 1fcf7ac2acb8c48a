"""Explanations as jobs: what was asked for, and what happened to it. A leaf that engine, store and service share."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from espalier.explain.request import ExplanationRequest
from espalier.problems import Problem, quoted

JobStatus = Literal["queued", "running", "succeeded", "failed", "cancelled"]
EventName = Literal["status", "prepared", "progress", "partial", "finished"]

FINISHED: frozenset[str] = frozenset({"succeeded", "failed", "cancelled"})


class UnknownJob(Problem):
    """An explanation that is not there."""

    code = "not-found"
    status = 404

    def __init__(self, identity: str) -> None:
        super().__init__(
            f"no such explanation: got {quoted(identity)}, possible is the id of one that was accepted here"
        )


class KeyReused(Problem):
    """An idempotency key that came with another request before."""

    code = "idempotency-key-reused"
    status = 422


@dataclass(frozen=True, slots=True)
class Job:
    """An explanation that was asked for, as it stands. `explanation` is the finished document in JSON."""

    id: str
    status: JobStatus
    request: ExplanationRequest
    created: datetime
    client: str = ""
    lease: float | None = None
    started: datetime | None = None
    finished: datetime | None = None
    evaluated: int = 0
    expected: int | None = None
    explanation: str | None = None
    problem: dict[str, Any] | None = None

    @property
    def is_finished(self) -> bool:
        return self.status in FINISHED


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a job. Ids rise within a job, also when another server goes on with it; `data` is
    JSON, and None at the end, where the finished job itself is the data."""

    id: int
    name: EventName
    data: str | None = None


def problem_document(code: str, status: int, message: str) -> dict[str, Any]:
    """A problem of a job in the form of RFC 9457, as the service answers with problems of requests."""
    title = code.replace("-", " ").capitalize()
    detail = message.encode("utf-8", "backslashreplace").decode()
    return {"type": f"urn:espalier:problem:{code}", "title": title, "status": status, "detail": detail}
