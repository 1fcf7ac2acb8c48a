"""What an actor has to say to each server, numbered: what a server has not heard is said again."""

import asyncio
import contextlib
import time
import uuid
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

QUESTION_LOST = "question-lost"
"""How it is said that a worker ended before it answered."""

MOST_JOBS = 100_000
"""Of one courier, those that were cancelled included."""


class Saying(NamedTuple):
    """A message of a job as it travels; `attempt` is the sender's own number of the order to do it."""

    number: int
    job: str
    attempt: int
    is_end: bool
    frame: bytes


LINGER_SECONDS = 0.03
"""How long what a job says on its way waits for company: an answer to a listener costs the same with one message and
with ten. An end waits for nobody."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer to who listens. Another `life` than before means that the worker was started again, another `outbox`
    that it has forgotten who did not listen for so long. Either way it knows nothing of earlier jobs, and counts anew.
    """

    life: str
    sayings: Sequence[Saying]
    state: str
    running: int
    waiting: int
    restarts: int
    memory_bytes: int | None
    idle_seconds: float
    outbox: str = ""


class Outbox:
    """For one courier. Kept until it says that it has heard it."""

    def __init__(self) -> None:
        self.name = uuid.uuid4().hex
        self.begun: dict[str, int] = {}
        self._waiting: deque[Saying] = deque()
        self._number = 0
        self._news = asyncio.Event()
        self._end = asyncio.Event()
        self._listened = time.monotonic()

    def begin(self, job: str, attempt: int) -> bool:
        """Whether an attempt is new here."""
        if self.begun.get(job, 0) >= attempt:
            return False
        self.begun[job] = attempt
        if len(self.begun) > MOST_JOBS:
            del self.begun[next(iter(self.begun))]
        return True

    def put(self, job: str, attempt: int, frame: bytes, *, is_end: bool) -> None:
        self._number += 1
        self._waiting.append(Saying(self._number, job, attempt, is_end, frame))
        self._news.set()
        if is_end:
            self._end.set()

    async def after(self, number: int, seconds: float) -> list[Saying]:
        """What came after a number, as soon as there is something, or nothing after so many seconds."""
        self._listened = time.monotonic()
        while self._waiting and self._waiting[0].number <= number:
            heard = self._waiting.popleft()
            if heard.is_end and self.begun.get(heard.job) == heard.attempt:
                del self.begun[heard.job]
        if not self._waiting:
            await _within(seconds, self._news)
        if self._waiting and not any(saying.is_end for saying in self._waiting):
            await _within(LINGER_SECONDS, self._end)
        self._listened = time.monotonic()
        return list(self._waiting)

    @property
    def silence(self) -> float:
        """Seconds since somebody listened."""
        return time.monotonic() - self._listened


async def _within(seconds: float, event: asyncio.Event) -> None:
    """Until something happens that has not happened yet, or until so many seconds have passed."""
    event.clear()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
