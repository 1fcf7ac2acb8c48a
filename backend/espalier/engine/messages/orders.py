"""What a worker is told to do."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from espalier.engine.messages.questions import Question, Sent


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
