"""What an engine is to the service: it takes explanations as jobs, does them somewhere else, and says how they go.

Whatever crew does the work, the promise is the same: a job is written before it is accepted, it is done at least once,
and its result is addressed by content, so that doing it again changes nothing.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from espalier.engine.messages import Prediction, Predictions, StandInTexts, Surprised, Tree, WorkerStatus
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Event, Job
from espalier.measure.units import FoundUnit, UnitRequest


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What an operator and the readiness check look at. `queued` counts jobs no worker has begun."""

    ready: bool
    queued: int
    running: int
    workers: tuple[WorkerStatus, ...] = field(default=())
    taken_over: int = 0
    """Jobs whose server let its claim lapse and that were taken by this one."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of a job that a worker of this server did, and how long it waited for the model."""

    job: Job
    model_seconds: float = 0.0


class Engine(Protocol):
    """The protocol. Identities are those `submit` gave; an unknown one raises UnknownJob."""

    on_end: Callable[[End], None]
    """Called at the end of every job that was done here."""

    async def start(self) -> None:
        """Go on with what is unfinished. Returns before workers are ready."""
        ...

    async def stop(self, seconds: float) -> None:
        """Let jobs finish for a while; what is left waits in the store for the next start, or for another server."""
        ...

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

    def events(self, identity: str, after: int = 0) -> AsyncGenerator[Event, None]:
        """What happened after the event `after`, then what happens, until the job has finished."""
        ...

    async def status(self) -> EngineStatus: ...

    async def load(self, model: str) -> None:
        """Have a model in memory, so that the first question to it need not wait."""
        ...

    async def predict(
        self, model: str, text: str, pair: str | None = None, outcomes: tuple[str, ...] = (), count: int | None = None
    ) -> Prediction: ...

    async def surprise(self, model: str, text: str, count: int) -> Surprised: ...

    async def stand_ins(self, request: ExplanationRequest, absent: tuple[int, ...]) -> StandInTexts:
        """What stands in for absent players of a text, in words."""
        ...

    async def predict_all(self, model: str, instances: Sequence[tuple[str, str | None]]) -> Predictions:
        """Probabilities by class for many texts, each with the second one of a pair or None, in order."""
        ...

    async def measure(self, request: UnitRequest, client: str = "") -> FoundUnit:
        """Explain one text in several ways and measure each, or diagnose a model on it, behind everybody's jobs. Not to
        wait stops it."""
        ...

    async def parse(self, text: str) -> Tree: ...
