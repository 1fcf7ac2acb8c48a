"""Batches: many texts as one job, done a few at a time behind everyone's single questions.

Every text of a batch is a job of the engine with a key of its own, so that a batch can be begun again at any moment,
after a restart or by a second reader, without any text being explained twice.
"""

import asyncio
import hashlib
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from espalier.engine.protocol import Engine, Job, KeyReused
from espalier.problems import Problem
from espalier.store.base import now
from espalier.store.batches import Batch, Batches

AT_ONCE = 8
"""Texts of one batch that are with the engine at a time: enough to fill the model's batches."""

PATIENCE = 60.0
"""Seconds of one wait for a job; then the wait begins again."""

_log = logging.getLogger(__name__)


class UnknownBatch(Problem):
    code = "not-found"
    status = 404

    def __init__(self, identity: str) -> None:
        super().__init__(f"no such batch: got {identity!r}, possible is the id of one that was accepted here")


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one text: an explanation in JSON as it was stored, or a problem."""

    index: int
    text: str
    job: str | None = None
    explanation: str | None = None
    problem: dict[str, Any] | None = None


class BatchRunner:
    """Keeps every unfinished batch going."""

    def __init__(self, engine: Engine, batches: Batches) -> None:
        self._engine = engine
        self._batches = batches
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Go on with what an earlier process left."""
        for batch in await asyncio.to_thread(self._batches.unfinished):
            self._run(batch)

    async def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def add(
        self, texts: tuple[str, ...], settings: dict[str, Any], client: str, idempotency_key: str | None
    ) -> Batch:
        identity = _identity(client, idempotency_key)
        asked = Batch(identity, client, settings, texts, now())
        batch = await asyncio.to_thread(self._batches.add, asked)
        if (batch.texts, batch.settings) != (asked.texts, asked.settings):
            raise KeyReused("this Idempotency-Key came with another batch before: possible is a new key for a new one")
        if batch.status == "running":
            self._run(batch)
        return batch

    async def get(self, identity: str) -> Batch:
        batch = await asyncio.to_thread(self._batches.get, identity)
        if batch is None:
            raise UnknownBatch(identity)
        return batch

    async def cancel(self, identity: str) -> Batch:
        """Texts that are not explained yet stay so; results that are there can still be read."""
        await self.get(identity)
        await asyncio.to_thread(self._batches.end, identity, "cancelled")
        if (task := self._tasks.get(identity)) is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        return await self.get(identity)

    async def lines(self, identity: str, after: int = 0) -> AsyncIterator[Line]:
        """What became of each text, in order, from the text `after` on; each as soon as it is known."""
        batch = await self.get(identity)
        for index in range(after, len(batch.texts)):
            if batch.status != "cancelled":
                batch = await self.get(identity)
            yield _cancelled(batch, index) if batch.status == "cancelled" else await self._line(batch, index)

    def _run(self, batch: Batch) -> None:
        if batch.id not in self._tasks:
            task = self._tasks[batch.id] = asyncio.create_task(self._finish(batch))
            task.add_done_callback(lambda _: self._tasks.pop(batch.id, None))

    async def _finish(self, batch: Batch) -> None:
        places, writing = asyncio.Semaphore(AT_ONCE), asyncio.Lock()
        done = failed = 0

        async def one(index: int) -> None:
            nonlocal done, failed
            async with places:
                line = await self._line(batch, index)
                done, failed = done + 1, failed + (line.problem is not None)
            async with writing:  # one after another, so that the last one written is the newest
                await asyncio.to_thread(self._batches.progress, batch.id, done, failed)

        try:
            async with asyncio.TaskGroup() as group:
                for index in range(len(batch.texts)):
                    group.create_task(one(index))
            await asyncio.to_thread(self._batches.end, batch.id, "finished")
        except* Problem:
            _log.exception("batch %s stopped; it goes on when the server starts again", batch.id)

    async def _line(self, batch: Batch, index: int) -> Line:
        text = batch.texts[index]
        try:
            job = await self._submitted(batch, index)
            try:
                while not job.is_finished:
                    job = await self._engine.wait(job.id, PATIENCE)
            except asyncio.CancelledError:
                if (await self.get(batch.id)).status == "cancelled":
                    await self._engine.cancel(job.id)
                raise
        except Problem as problem:
            if problem.status >= 500:
                raise
            return Line(index, text, problem=_document(problem.code, problem.status, problem.message))
        if job.explanation is None:
            return Line(index, text, job.id, problem=job.problem or _cancelled(batch, index).problem)
        return Line(index, text, job.id, job.explanation)

    async def _submitted(self, batch: Batch, index: int) -> Job:
        """Waits its turn when there is too much to do: a batch is patient."""
        while True:
            try:
                request = batch.request(index)
                return await self._engine.submit(
                    request, client=batch.client, idempotency_key=f"batch:{batch.id}:{index}"
                )
            except Problem as problem:
                pause: float | None = getattr(problem, "retry_after", None)
                if pause is None:
                    raise
            await asyncio.sleep(pause)


def _identity(client: str, idempotency_key: str | None) -> str:
    if idempotency_key is None:
        return uuid.uuid4().hex
    return hashlib.sha256(f"{client}\n{idempotency_key}".encode()).hexdigest()[:32]


def _cancelled(batch: Batch, index: int) -> Line:
    message = "no explanation: got a cancelled batch, possible is to ask again"
    return Line(index, batch.texts[index], problem=_document("cancelled", 409, message))


def _document(code: str, status: int, detail: str) -> dict[str, Any]:
    title = code.replace("-", " ").capitalize()
    return {"type": f"urn:espalier:problem:{code}", "title": title, "status": status, "detail": detail}
