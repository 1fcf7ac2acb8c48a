"""A job that has not finished, with whoever listens to it."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from espalier.compact_json import compact
from espalier.engine.admission import UNKNOWN_WORK
from espalier.jobs import Event, Job, JobStatus

HappeningName = Literal["status", "prepared", "progress", "partial"]


class LiveJob:
    """The newest event of each kind is kept: who comes late, or comes back, needs no more than these."""

    def __init__(self, job: Job, kept: list[Event] | None = None) -> None:
        self.job = job
        self.estimate: int | None = None
        self.revision: str | None = None
        self.ending = False
        self.gone = False
        self.watched = False
        self.cancel_wished = False
        self.ended = asyncio.Event()
        self.last_id = max((event.id for event in kept or ()), default=0)
        self._newest: dict[str, Event] = {event.name: event for event in kept or ()}
        self._changed = asyncio.Event()
        self._listeners = 0
        self._left = time.monotonic()

    @property
    def work_left(self) -> int:
        """Evaluations it still needs, as far as anybody knows."""
        known = [each for each in (self.estimate, self.job.expected) if each is not None]
        return max(0, max(known, default=UNKNOWN_WORK) - self.job.evaluated)

    def emit(self, name: HappeningName, data: str) -> Event:
        event = Event(self.next_id(), name, data)
        self._newest[name] = event
        self._wake()
        return event

    def set_status(self, status: JobStatus, making: tuple[int, int] | None = None) -> Event:
        """`making` is how far the model of a waiting job is, where that has to be made ready first."""
        started = self.job.started or (datetime.now(UTC) if status == "running" else None)
        self.job = replace(self.job, status=status, started=started)
        told = {} if making is None else {"making": {"done": making[0], "count": making[1]}}
        return self.emit("status", compact({"status": status} | told))

    def count(self, evaluated: int, expected: int | None) -> None:
        self.job = replace(self.job, evaluated=evaluated, expected=expected)
        self.emit("progress", compact({"evaluated": evaluated, "expected": expected}))

    def end(self, job: Job) -> None:
        self.job = job
        self.ended.set()
        self._wake()

    def leave(self) -> None:
        """It is another server's now: who listens here must ask there."""
        self.gone = True
        self._wake()

    def news(self, after: int) -> list[Event]:
        """The newest of each kind that is newer than an event."""
        return [event for event in sorted(self._newest.values(), key=lambda each: each.id) if event.id > after]

    def next_id(self) -> int:
        """Milliseconds since the job was made, so that ids go on rising when another server goes on with the job."""
        self.last_id = max(self.last_id + 1, milliseconds(self.job.created, datetime.now(UTC)))
        return self.last_id

    async def follow(self, after: int) -> AsyncIterator[Event]:
        """What is new after an event, then what happens, until the end, or until the job is another server's."""
        while True:
            changed = self._changed
            for event in self.news(after):
                after = event.id
                yield event
            if self.ended.is_set():
                yield Event(self.next_id(), "finished")
                return
            if self.gone:
                return
            await changed.wait()

    @contextmanager
    def listening(self) -> Iterator[None]:
        self._listeners += 1
        try:
            yield
        finally:
            self._listeners -= 1
            self._left = time.monotonic()

    def heard(self) -> None:
        """Somebody listens at another server."""
        self._left = time.monotonic()

    @property
    def lease_is_over(self) -> bool:
        """Nobody has listened to an interactive job for as long as it asked."""
        lease = self.job.lease
        return lease is not None and not self._listeners and time.monotonic() - self._left > lease

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def milliseconds(since: datetime, until: datetime) -> int:
    return int((until - since).total_seconds() * 1000)


def end_event(job: Job) -> Event:
    """The last event of a job that finished some time ago."""
    return Event(milliseconds(job.created, job.finished or job.created) + 1, "finished")
