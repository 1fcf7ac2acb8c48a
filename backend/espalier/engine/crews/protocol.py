"""What a crew is to the ledger: somebody who runs jobs somewhere, and says how they go."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from espalier.engine.messages import (
    Answered,
    Asking,
    Began,
    Cancelled,
    Failed,
    PartialResult,
    Prepared,
    Progress,
    Succeeded,
    Waiting,
    WorkerStatus,
)
from espalier.explain.request import ExplanationRequest
from espalier.problems import Problem


class WorkerUnavailable(Problem):
    """No worker can answer now; one is being started."""

    code = "not-ready"
    status = 503
    retry_after = 2


class WorkerLost(WorkerUnavailable):
    """The worker ended before it answered. Asked again, another one will, unless the question was the reason."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One job for a crew."""

    job: str
    request: ExplanationRequest
    client: str = ""


Happening = Waiting | Began | Prepared | Progress | PartialResult | Succeeded | Failed | Cancelled
"""What a crew says of a job. The last three are ends, and exactly one of them is the last that is said."""

ENDS = (Succeeded, Failed, Cancelled)


@dataclass(frozen=True, slots=True)
class CrewStatus:
    """`waiting` counts jobs no worker has begun."""

    ready: bool
    waiting: int
    workers: tuple[WorkerStatus, ...] = ()


class Crew(Protocol):
    """Everything is called on one event loop. A job that a worker took to its grave is begun again by the crew."""

    async def start(self) -> None:
        """Returns before anybody is ready."""
        ...

    async def stop(self, seconds: float) -> None:
        """Begin nothing new, let jobs finish for a while; streams of the others just end."""
        ...

    def run(self, assignment: Assignment) -> AsyncGenerator[Happening, None]:
        """Do a job, and say what happens until its end. Closing the stream stops the job."""
        ...

    def cancel(self, job: str) -> None:
        """Stop a job within one batch; its stream then says Cancelled."""
        ...

    async def ask(self, question: Asking[Answered]) -> Answered:
        """A small question; WorkerUnavailable when nobody can answer it in time, a Problem when it is refused."""
        ...

    def status(self) -> CrewStatus: ...
