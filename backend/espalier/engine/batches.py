"""Batches: many texts as one job, done a few at a time behind everyone's single questions.

Every text of a batch is a job of the engine with a key of its own, so that a batch can be begun again at any moment,
after a restart or by a second reader, without any text being explained twice.
"""

import asyncio
import hmac
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from espalier.engine.admission import LONGEST_PAUSE, Busy
from espalier.engine.endless import endless
from espalier.engine.patience import finished, patiently
from espalier.engine.protocol import Engine
from espalier.jobs import Job, KeyReused, problem_document
from espalier.problems import Problem, quoted
from espalier.store.base import now
from espalier.store.batches import Batch, Batches, Kept
from espalier.store.claims import WorkClaims
from espalier.store.database import StoreUnavailable
from espalier.store.secrets import Secrets

PROGRESS_SECONDS = 1.0
"""How often it is written how far a batch is: each time costs a wait for the disk, in everybody's way."""

AT_ONCE = 16
"""Texts of one batch that are with the engine at a time: enough to fill the model's batches."""

_log = logging.getLogger(__name__)


class UnknownBatch(Problem):
    code = "not-found"
    status = 404

    def __init__(self, identity: str) -> None:
        super().__init__(f"no such batch: got {quoted(identity)}, possible is the id of one that was accepted here")


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one text: an explanation in JSON as it was stored, or a problem."""

    index: int
    text: str
    job: str | None = None
    explanation: str | None = None
    problem: dict[str, Any] | None = None


@dataclass(slots=True)
class Tally:
    """Texts of a batch that are done, those among them that failed, and how many were done when it was last written."""

    done: int = 0
    failed: int = 0
    told: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """What one client may have here: batches under way, and bytes of texts in all batches that are kept."""

    unfinished: int = 20
    bytes: int = 200_000_000

    def __call__(self, kept: Kept) -> None:
        if kept.unfinished >= self.unfinished:
            raise Busy(
                f"too many batches: you have {kept.unfinished} that are not finished, possible are up to "
                f"{self.unfinished}; wait for one or cancel it",
                retry_after=LONGEST_PAUSE,
            )
        if kept.bytes >= self.bytes:
            raise Busy(
                f"too much in batches: you have {kept.bytes:,} bytes of texts here, possible are up to "
                f"{self.bytes:,}; old ones are forgotten by and by",
                retry_after=LONGEST_PAUSE,
            )


class BatchRunner:
    """Keeps every unfinished batch going: each at one of the servers that share the store."""

    def __init__(
        self, engine: Engine, batches: Batches, limits: BatchLimits | None = None, claim_seconds: float = 20.0
    ) -> None:
        self._engine = engine
        self._batches = batches
        self._limits = limits or BatchLimits()
        self._claims = WorkClaims(batches.store, uuid.uuid4().hex, claim_seconds)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._tallies: dict[str, Tally] = {}
        self._keeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Go on with what an earlier process left, and from now on with what another server leaves."""
        await self._keep()
        pause = self._claims.seconds / 4
        self._keeping = asyncio.create_task(endless("keeping batches going", self._keep_on, pause))

    async def stop(self) -> None:
        tasks = [*self._tasks.values(), *([self._keeping] if self._keeping is not None else [])]
        names = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(Problem):
            for name in names:
                await asyncio.to_thread(self._claims.release, _claim(name))

    async def add(
        self, texts: tuple[str, ...], settings: dict[str, Any], client: str, idempotency_key: str | None
    ) -> Batch:
        identity = await asyncio.to_thread(self._identity, client, idempotency_key)
        asked = Batch(identity, client, settings, len(texts), now())
        batch, is_new = await asyncio.to_thread(self._batches.add, asked, texts, self._limits)
        if not is_new and not (
            batch.settings == asked.settings and await asyncio.to_thread(self._batches.has_texts, identity, texts)
        ):
            raise KeyReused("this Idempotency-Key came with another batch before: possible is a new key for a new one")
        if is_new and await asyncio.to_thread(self._claims.take, _claim(identity)):
            self._run(batch)
        return batch

    def _identity(self, client: str, idempotency_key: str | None) -> str:
        """The same for the same key, and not to be computed by anybody else."""
        if idempotency_key is None:
            return uuid.uuid4().hex
        secret = Secrets(self._batches.store).get("batches")
        return hmac.digest(secret, f"{client}\n{idempotency_key}".encode(), "sha256").hex()[:32]

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
            tally = self._tallies.get(identity)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            if tally is not None:
                await asyncio.to_thread(self._batches.progress, identity, tally.done, tally.failed)
        return await self.get(identity)

    async def lines(self, identity: str, after: int = 0) -> AsyncIterator[Line]:
        """What became of each text, in order, from the text `after` on; each as soon as it is known."""
        batch = await self.get(identity)
        for index in range(after, batch.total):
            if batch.status != "cancelled":
                batch = await patiently(lambda: self.get(identity))
            yield await self._line(batch, index)

    # ----------------------------------------------------------------------------------------------------- keeping on

    async def _keep_on(self) -> None:
        with suppress(StoreUnavailable):
            await self._keep()

    async def _keep(self) -> None:
        """Renew what is ours, stop what was ended elsewhere, take what is nobody's."""
        unfinished = {batch.id: batch for batch in await asyncio.to_thread(self._batches.unfinished)}
        for identity, task in list(self._tasks.items()):
            if identity not in unfinished:
                task.cancel()
        for identity, batch in unfinished.items():
            ours = await asyncio.to_thread(self._claims.take, _claim(identity))
            if ours:
                self._run(batch)
            elif (running := self._tasks.get(identity)) is not None:
                running.cancel()

    def _run(self, batch: Batch) -> None:
        if batch.id not in self._tasks:
            task = self._tasks[batch.id] = asyncio.create_task(self._finish(batch))

            def ended(_: object) -> None:
                self._tasks.pop(batch.id, None)
                self._tallies.pop(batch.id, None)

            task.add_done_callback(ended)

    async def _finish(self, batch: Batch) -> None:
        places = asyncio.Semaphore(AT_ONCE)
        tally = self._tallies[batch.id] = Tally()
        telling = asyncio.create_task(self._tell(batch.id, tally))

        async def one(index: int) -> None:
            async with places:
                line = await self._line(batch, index)
            tally.done, tally.failed = tally.done + 1, tally.failed + (line.problem is not None)

        try:
            async with asyncio.TaskGroup() as group:
                for index in range(batch.total):
                    group.create_task(one(index))
            tally.over.set()
            await telling
            await self._written(self._batches.end, batch.id, "finished")
        except* Exception:
            # Nothing that passes comes here. The keeper tries again, so that no batch is left for ever.
            _log.exception("batch %s stopped; it is tried again", batch.id)
        finally:
            telling.cancel()

    async def _tell(self, identity: str, tally: Tally) -> None:
        """How far it is, and at the end once more: one after another, so that the last one written is the newest."""
        while tally.told != tally.done or not tally.over.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(PROGRESS_SECONDS):
                    await tally.over.wait()
            if tally.told != tally.done:
                tally.told = tally.done
                await self._written(self._batches.progress, identity, tally.done, tally.failed)

    @staticmethod
    async def _written(query: Callable[..., Any], *given: Any) -> None:
        """A database that cannot be written for a while must not stop a batch."""
        await patiently(lambda: asyncio.to_thread(query, *given))

    async def _line(self, batch: Batch, index: int) -> Line:
        text = await patiently(lambda: asyncio.to_thread(self._batches.text, batch.id, index))
        if batch.status == "cancelled":
            return _cancelled(index, text)
        try:
            job = await self._submitted(batch, index, text)
            try:
                job = await finished(self._engine, job)
            except asyncio.CancelledError:
                with suppress(Problem):  # else a store that is away would make a stopped text a failed one
                    if (await self.get(batch.id)).status == "cancelled":
                        await self._engine.cancel(job.id)
                raise
        except Problem as problem:
            return Line(index, text, problem=problem_document(problem.code, problem.status, problem.message))
        if job.explanation is None:
            return Line(index, text, job.id, problem=job.problem or _cancelled(index, text).problem)
        return Line(index, text, job.id, job.explanation)

    async def _submitted(self, batch: Batch, index: int, text: str) -> Job:
        """Waits its turn when there is too much to do, and for a store that comes back: a batch is patient."""
        key = f"batch:{batch.id}:{index}"
        request = batch.request(text)
        return await patiently(lambda: self._engine.submit(request, client=batch.client, idempotency_key=key))


def _claim(identity: str) -> str:
    return f"batch:{identity}"


def _cancelled(index: int, text: str) -> Line:
    message = "no explanation: got a cancelled batch, possible is to ask again"
    return Line(index, text, problem=problem_document("cancelled", 409, message))
