"""What an engine is to the service: it takes explanations as jobs, does them somewhere else, and says how they go.

Every engine (the embedded one, a cluster) keeps this promise: a job is written before it is accepted, it is done at
least once, and its result is addressed by content, so that doing it again changes nothing.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from espalier.explain.request import ExplanationRequest
from espalier.problems import Problem

JobStatus = Literal["queued", "running", "succeeded", "failed", "cancelled"]

FINISHED: frozenset[str] = frozenset({"succeeded", "failed", "cancelled"})


class UnknownJob(Problem):
    """An explanation that is not there."""

    code = "not-found"
    status = 404

    def __init__(self, identity: str) -> None:
        super().__init__(f"no such explanation: got {identity!r}, possible is the id of one that was accepted here")


class WorkerUnavailable(Problem):
    """No worker can answer now; one is being started."""

    code = "not-ready"
    status = 503


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
    """Something that happened to a job. Ids rise within a job, also across a restart; `data` is JSON, and None at the
    end, where the finished job itself is the data."""

    id: int
    name: Literal["status", "prepared", "progress", "partial", "finished"]
    data: str | None = None


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """One worker process and what it has to do."""

    device: str
    state: Literal["starting", "ready", "stopped"]
    running: int
    restarts: int
    memory_bytes: int | None = None
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What an operator and the readiness check look at. `queued` counts jobs no worker has begun."""

    ready: bool
    queued: int
    running: int
    workers: tuple[WorkerStatus, ...] = field(default=())


class Engine(Protocol):
    """The protocol. Identities are those `submit` gave; an unknown one raises UnknownJob."""

    async def submit(
        self,
        request: ExplanationRequest,
        *,
        client: str = "",
        lease: float | None = None,
        idempotency_key: str | None = None,
    ) -> Job: ...

    async def job(self, identity: str) -> Job: ...

    async def wait(self, identity: str, seconds: float) -> Job:
        """The job when it has finished, or as it is after so many seconds."""
        ...

    async def cancel(self, identity: str) -> Job: ...

    def events(self, identity: str, after: int = 0) -> AsyncIterator[Event]:
        """What happened after the event `after`, then what happens, until the job has finished."""
        ...

    async def status(self) -> EngineStatus: ...

    async def load(self, model: str) -> None:
        """Have a model in memory, so that the first question to it need not wait."""
        ...

    async def predict(self, model: str, text: str, pair: str | None = None) -> dict[str, Any]: ...

    async def parse(self, text: str) -> dict[str, Any]: ...
