"""A job that has not finished, with whoever listens to it."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from espalier.compact_json import compact
from espalier.engine.protocol import Event, Job, JobStatus
from espalier.explain.request import ExplanationRequest

EventName = Literal["status", "prepared", "progress", "partial"]


Game = tuple[str, str, str | None]
"""Jobs with the same are better done by the same worker: it remembers what the model said."""


def game_of(request: ExplanationRequest) -> Game:
    return request.model, request.text, request.pair


class LiveJob:
    """The newest event of each kind is kept: who comes late, or comes back, needs no more than these."""

    def __init__(self, job: Job, kept: list[Event] | None = None) -> None:
        self.job = job
        self.revision: str | None = None
        self.begun = 0
        self.deaths = 0
        self.deaths_alone = 0
        self.stopping = False
        self.ended = asyncio.Event()
        self.last_id = max((event.id for event in kept or ()), default=0)
        self._newest: dict[str, Event] = {event.name: event for event in kept or ()}
        self._changed = asyncio.Event()
        self._listeners = 0
        self._left = time.monotonic()

    @property
    def game(self) -> Game:
        return game_of(self.job.request)

    @property
    def is_suspect(self) -> bool:
        """It was there when a worker died. Whether it was the reason shows when it is alone with the next one."""
        return self.deaths > 0

    def emit(self, name: EventName, data: str) -> Event:
        event = Event(self.next_id(), name, data)
        self._newest[name] = event
        self._wake()
        return event

    def set_status(self, status: JobStatus) -> Event:
        started = self.job.started or (datetime.now(UTC) if status == "running" else None)
        self.job = replace(self.job, status=status, started=started)
        return self.emit("status", compact({"status": status}))

    def count(self, evaluated: int, expected: int | None) -> None:
        self.job = replace(self.job, evaluated=evaluated, expected=expected)
        self.emit("progress", compact({"evaluated": evaluated, "expected": expected}))

    def end(self, job: Job) -> None:
        self.job = job
        self.ended.set()
        self._wake()

    def next_id(self) -> int:
        """Milliseconds since the job was made, so that ids go on rising when another server goes on with the job."""
        self.last_id = max(self.last_id + 1, milliseconds(self.job.created, datetime.now(UTC)))
        return self.last_id

    async def follow(self, after: int) -> AsyncIterator[Event]:
        """What is new after an event, then what happens, until the end."""
        while True:
            changed = self._changed
            for event in sorted(self._newest.values(), key=lambda each: each.id):
                if event.id > after:
                    after = event.id
                    yield event
            if self.ended.is_set():
                yield Event(self.next_id(), "finished")
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


def problem_document(code: str, status: int, message: str) -> dict[str, Any]:
    """A problem of a job in the form of RFC 9457, as the service answers with problems of requests."""
    title = code.replace("-", " ").capitalize()
    detail = message.encode("utf-8", "backslashreplace").decode()
    return {"type": f"urn:espalier:problem:{code}", "title": title, "status": status, "detail": detail}
