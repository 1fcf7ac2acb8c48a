"""What a worker says: of itself, of questions and of jobs."""

from dataclasses import dataclass
from typing import Literal

from espalier.engine.messages.answers import About
from espalier.engine.messages.trouble import Trouble


@dataclass(frozen=True, slots=True)
class Ready:
    """The parser and the first model are loaded."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """The process lives. `busy` is how long its longest batch has been with a model, in seconds."""

    busy: float


@dataclass(frozen=True, slots=True)
class Answer:
    """To a question; the body is JSON."""

    number: int
    body: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    number: int
    trouble: Trouble


@dataclass(frozen=True, slots=True)
class Waiting:
    """No worker has the job: not yet, or not any more. `making` says how far its model is (parts done, of how many)
    where that has to be made ready first."""

    job: str
    making: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Began:
    """A worker has the job."""

    job: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """The request is checked and the text predicted; the body is what is known of the explanation."""

    job: str
    about: About
    body: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    job: str
    evaluated: int
    expected: int | None


@dataclass(frozen=True, slots=True)
class PartialResult:
    job: str
    body: str = ""


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The body is the whole explanation."""

    job: str
    evaluated: int
    model_seconds: float
    body: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    job: str
    trouble: Trouble


@dataclass(frozen=True, slots=True)
class Cancelled:
    job: str


@dataclass(frozen=True, slots=True)
class Exhausted:
    """There was no memory left for this job, by its own doing or that of its neighbours."""

    job: str


@dataclass(frozen=True, slots=True)
class Postponed:
    """Its model is being made ready, so far: the job is given back, and should be given again in a moment."""

    job: str
    done: int
    count: int


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """One worker and what it has to do. `name` and `node` say which it is where there are several machines."""

    device: str
    state: Literal["starting", "ready", "stopped"]
    running: int
    restarts: int
    memory_bytes: int | None = None
    name: str = ""
    node: str = ""
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Sighted:
    """The workers of a cluster, as a courier sees them."""

    workers: tuple[WorkerStatus, ...]


JobSaid = Waiting | Began | Prepared | Progress | PartialResult | Succeeded | Failed | Cancelled | Exhausted | Postponed
Said = Ready | Pulse | Answer | Refusal | Sighted | JobSaid
