"""All that the service and a worker process say to each other, and how it travels: one frame for each message.

A frame is a short line (kind, bytes of fields, bytes of body), the fields in JSON, and the body. Nothing that somebody
wrote is ever in the line, so that no text is too long for it. Documents are bodies: they are written by the worker once
and stored and served as they are.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, BinaryIO, Generic, Literal, TypeVar, get_args

from pydantic import BeforeValidator, Field, PlainSerializer, TypeAdapter

from espalier.explain.request import ExplanationRequest
from espalier.measure.request import MeasureRequest
from espalier.problems import BeingMadeReady, Problem

LONGEST_LINE = 256
MOST_BYTES = 256 * 2**20
"""Of one message. An explanation of 400 words with all pairs has a few megabytes."""


REMEMBERED = 64
"""Requests that a process knows by their bytes: as many as are kept between their check and their run."""


@lru_cache(REMEMBERED)
def _request(sent: str) -> ExplanationRequest:
    """What was asked about first and is to be run then is parsed, and its settings checked, only the first time."""
    return ExplanationRequest.model_validate_json(sent)


Sent = Annotated[
    ExplanationRequest,
    PlainSerializer(ExplanationRequest.model_dump_json, return_type=str),
    BeforeValidator(_request),
]
"""A request on its way to another process."""


class BrokenMessage(Exception):
    """What came is no message: the fault of whoever wrote it, never of a job."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem, as it travels."""

    code: str
    status: int
    message: str
    making: tuple[str, int, int] | None = None
    """A model that is being made ready, and how far."""

    @classmethod
    def of(cls, problem: Problem) -> "Trouble":
        making = (problem.model, *problem.progress) if isinstance(problem, BeingMadeReady) else None
        # Lone surrogates in what it quotes are not UTF-8.
        said = problem.message.encode("utf-8", "backslashreplace").decode()
        return cls(problem.code, problem.status, said, making)

    def problem(self) -> Problem:
        if self.making is not None:
            return BeingMadeReady(*self.making)
        made = Problem(self.message)
        made.code, made.status = self.code, self.status
        return made


@dataclass(frozen=True, slots=True)
class About:
    """What a loaded model says of itself."""

    revision: str
    classes: tuple[str, ...]
    max_length: int


@dataclass(frozen=True, slots=True)
class Checked:
    """A request that can be done, and how many evaluations its method expects, where it can know."""

    about: About
    expected: int | None = None


# ------------------------------------------------------------------------------------------------------- questions


@dataclass(frozen=True, slots=True)
class Check:
    """Can this be explained, and how many evaluations will it take?"""

    request: Sent
    kind: Literal["check"] = "check"


@dataclass(frozen=True, slots=True)
class Predict:
    model: str
    text: str
    pair: str | None = None
    outcomes: tuple[str, ...] = ()
    count: int | None = None
    kind: Literal["predict"] = "predict"


@dataclass(frozen=True, slots=True)
class PredictAll:
    """Texts, each with the second one of a pair or None."""

    model: str
    instances: tuple[tuple[str, str | None], ...]
    kind: Literal["predict-all"] = "predict-all"


@dataclass(frozen=True, slots=True)
class Surprise:
    """How surprising was each word of this running text?"""

    model: str
    text: str
    count: int
    kind: Literal["surprise"] = "surprise"


@dataclass(frozen=True, slots=True)
class StandIns:
    """What stands in for these players of a text? Of the request method and parameters do not count."""

    request: Sent
    absent: tuple[int, ...]
    kind: Literal["stand-ins"] = "stand-ins"


@dataclass(frozen=True, slots=True)
class Parse:
    text: str
    kind: Literal["parse"] = "parse"


@dataclass(frozen=True, slots=True)
class Measure:
    """Explain a text in several ways and measure each: no small question, and the only one that can be cancelled."""

    request: MeasureRequest
    client: str
    kind: Literal["measure"] = "measure"


@dataclass(frozen=True, slots=True)
class Load:
    model: str
    kind: Literal["load"] = "load"


Question = Check | Predict | PredictAll | Surprise | StandIns | Parse | Measure | Load

# ---------------------------------------------------------------------------------- what a worker is told to do


@dataclass(frozen=True, slots=True)
class Run:
    job: str
    request: Sent
    client: str


@dataclass(frozen=True, slots=True)
class Cancel:
    job: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Nobody waits for the answer to a question any more."""

    number: int


@dataclass(frozen=True, slots=True)
class Ask:
    number: int
    question: Annotated[Question, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Reconcile:
    """Have the workers there should be: one for each device, or `least` and more only while there is work; beyond
    `least`, those that were idle for so many seconds are given back. Told to one server's courier at a time."""

    least: int
    idle_seconds: float


Order = Run | Cancel | Ask | Withdraw | Reconcile

# ------------------------------------------------------------------------------------------------ what a worker says


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

# ------------------------------------------------------------------------------------------------------------- codec

Message = TypeVar("Message", Order, Said)


class Codec(Generic[Message]):
    """One direction: which messages there are, to bytes and back."""

    def __init__(self, kinds: Iterable[type]) -> None:
        self._adapters: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in kinds}

    def pack(self, message: Message) -> bytes:
        kind = type(message).__name__
        body = getattr(message, "body", "").encode()
        fields = self._adapters[kind].dump_json(message, exclude={"body"})
        if len(fields) + len(body) > MOST_BYTES:
            raise BrokenMessage(f"too long: got {len(fields) + len(body)} bytes, possible are up to {MOST_BYTES}")
        return b"%s %d %d\n%s%s" % (kind.encode(), len(fields), len(body), fields, body)

    def read(self, stream: BinaryIO) -> Message | None:
        """The next message; None at the end."""
        line = stream.readline(LONGEST_LINE)
        if not line:
            return None
        kind, fields, body = _lengths(line)
        return self._unpack(kind, stream.read(fields), stream.read(body))

    async def receive(self, stream: asyncio.StreamReader) -> Message | None:
        """The same on the event loop. A process that is killed while it writes leaves half a message: the end, too."""
        try:
            line = await stream.readline()
            if not line.endswith(b"\n"):
                return None
            kind, fields, body = _lengths(line)
            return self._unpack(kind, await stream.readexactly(fields), await stream.readexactly(body))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        except ValueError as error:  # a line longer than the stream's limit
            raise BrokenMessage(str(error)) from error

    def _unpack(self, kind: str, fields: bytes, body: bytes) -> Message:
        if kind not in self._adapters:
            raise BrokenMessage(f"unknown kind: got {kind[:40]!r}, possible are {', '.join(self._adapters)}")
        try:
            message: Any = self._adapters[kind].validate_json(fields)
            found: Message = replace(message, body=body.decode()) if body else message
            return found
        except (ValueError, TypeError) as error:  # what pydantic, UTF-8 and a message without a body say
            raise BrokenMessage(f"bad {kind}: {str(error)[:400]}") from error


def _lengths(line: bytes) -> tuple[str, int, int]:
    try:
        kind, fields, body = line.decode("ascii").split()
        lengths = int(fields), int(body)
    except ValueError:
        raise BrokenMessage(f"no message: got {line[:80]!r}, possible is a kind and two lengths") from None
    if min(lengths) < 0 or sum(lengths) > MOST_BYTES:
        raise BrokenMessage(f"too long: got {lengths}, possible are up to {MOST_BYTES} bytes")
    return kind, *lengths


ORDERS: Codec[Order] = Codec(get_args(Order))
SAYINGS: Codec[Said] = Codec(get_args(Said))
