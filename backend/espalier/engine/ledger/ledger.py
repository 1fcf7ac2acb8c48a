"""Jobs in the store, done by a crew. Written before accepted, done at least once, ended exactly once, by whichever
server on the same store has them; any of them answers for all."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import astuple, dataclass
from datetime import timedelta

import structlog

from espalier.engine.admission import UNKNOWN_WORK, Desk, Pressure
from espalier.engine.crews.protocol import Crew
from espalier.engine.endless import endless
from espalier.engine.ledger.elsewhere import Bell, Elsewhere
from espalier.engine.ledger.keeper import Keeper
from espalier.engine.ledger.live import LiveJob
from espalier.engine.ledger.own_jobs import OwnJobs
from espalier.engine.protocol import EngineStatus
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Event, Job, UnknownJob
from espalier.models.describe import Shelf
from espalier.store import Store
from espalier.store.alone import Alone
from espalier.store.base import now
from espalier.store.database import StoreUnavailable
from espalier.store.jobs import Claims, Jobs
from espalier.store.jobs.unfinished import Entry

CANCEL_SECONDS = 5.0
"""How long another server may take to stop a job before it is ended here."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Terms:
    """How long finished jobs are kept, and how long a server that does not speak keeps its jobs."""

    keep: timedelta = timedelta(days=30)
    claim_seconds: float = 20.0


class Ledger(OwnJobs):
    """Implements `engine.protocol.Engine`. Everything here runs on one event loop; only the store runs on threads."""

    def __init__(
        self,
        store: Store,
        shelf: Shelf,
        crew: Crew,
        terms: Terms | None = None,
        admit: Callable[[Pressure], None] | None = None,
    ) -> None:
        super().__init__(crew, shelf, Jobs(store))
        terms = terms or Terms()
        self._claims = Claims(store, uuid.uuid4().hex, terms.claim_seconds)
        self._alone = Alone(store)
        self._desk = Desk(admit or (lambda _: None), lambda: [(e.job.client, e.work_left) for e in self.live.values()])
        self._keeper = Keeper(self, self._jobs, self._claims, self._threads, terms.keep)
        self._bell = Bell(self._jobs, self._heard_news)
        self._elsewhere = Elsewhere(self._jobs, self._claims, self._threads, self._bell, self.live.__contains__)

    # ------------------------------------------------------------------------------------------------ start and stop

    async def start(self) -> None:
        # Who is alone on a file takes what another one claimed there: that one is not any more.
        alone = self._alone.take()
        if not alone and not self._jobs.store.is_shared:
            _log.warning("another server uses this database: possible is a folder of its own for each (ESPALIER_DATA)")
        await self._keeper.claim(everything=alone)
        await self._crew.start()
        if self._jobs.store.is_shared:
            self._spawn(endless("listening to other servers", self._bell.listen, 1.0))
        for loop in self._keeper.loops():
            self._spawn(loop())
        self._spawn(self.introduce())

    async def stop(self, seconds: float) -> None:
        await self._crew.stop(seconds)
        writing = [self._seeing[job] for job, live in self.live.items() if live.ending and job in self._seeing]
        if writing:
            await asyncio.wait(writing, timeout=seconds)
        tasks = [*self._tasks, *self._seeing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.live:
            with suppress(StoreUnavailable):
                await self._threads.write(self._claims.release, list(self.live))
            _log.info("stopped with unfinished jobs, which go on elsewhere or at the next start", jobs=len(self.live))
            self.live.clear()
        self._threads.close()
        self._alone.give_back()

    # ----------------------------------------------------------------------------------------------------- protocol

    async def submit(
        self,
        request: ExplanationRequest,
        *,
        client: str = "",
        lease: float | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        job = Job(uuid.uuid4().hex, "queued", request, now(), client[:200], lease)
        known, content = await self._threads.read(self._known.look_up, job, idempotency_key)
        if known is not None and content is None:
            return self._newest(known)
        if known is not None:
            return await self._threads.write(self._jobs.add, known, idempotency_key, content, client=client)
        with self._desk.place(client) as place:
            if (expected := await self.check(request, client)) is not None:
                self._desk.expect(place, expected)
            entry = Entry(place.estimate, UNKNOWN_WORK, lambda there: self._desk.join(place, Pressure(*astuple(there))))
            kept = await self._threads.write(
                self._jobs.add, job, idempotency_key, None, self._claims, entry, client=client
            )
            if kept.id != job.id:
                return self._newest(kept)
            live = LiveJob(job)
            live.estimate = place.estimate
            self._begin_here(live)
        _log.info("job accepted", job=job.id, model=request.model, method=request.method, client=client)
        return live.job

    async def job(self, identity: str) -> Job:
        if (live := self.live.get(identity)) is not None:
            return live.job
        found = await self._threads.read(self._jobs.get, identity)
        if found is None:
            raise UnknownJob(identity)
        return found

    async def wait(self, identity: str, seconds: float) -> Job:
        if (live := self.live.get(identity)) is None:
            job = await self.job(identity)
            if not job.is_finished:
                await self._elsewhere.wait(identity, seconds)
                job = await self.job(identity)
            return job
        with live.listening(), suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await live.ended.wait()
        return live.job if live.ended.is_set() else await self.job(identity)

    async def cancel(self, identity: str) -> Job:
        if (live := self.live.get(identity)) is not None:
            self.cancel_soon(live)
            with suppress(TimeoutError):
                async with asyncio.timeout(6 * CANCEL_SECONDS):
                    await live.ended.wait()
            return live.job if live.ended.is_set() else await self.job(identity)
        job = await self.job(identity)
        if not job.is_finished:
            await self._threads.write(self._claims.wish_cancel, identity)
            await self._elsewhere.wait(identity, CANCEL_SECONDS)
            job = await self.job(identity)
        if not job.is_finished:
            # Its server does not answer, or nobody has it: the first end counts, and this is one.
            await self._threads.write(self._jobs.finish, job, "cancelled")
            job = await self.job(identity)
        return job

    async def events(self, identity: str, after: int = 0) -> AsyncGenerator[Event, None]:
        while True:
            live = self.live.get(identity)
            if live is not None:
                with live.listening():
                    async for event in live.follow(after):
                        after = event.id
                        yield event
                        if event.name == "finished":
                            return
            else:
                async with aclosing(self._elsewhere.follow(identity, after)) as events:
                    async for event in events:
                        after = event.id
                        yield event
                        if event.name == "finished":
                            return

    async def status(self) -> EngineStatus:
        crew = self._crew.status()
        ready = crew.ready
        if ready:
            try:
                await self._threads.read(self._jobs.store.check)
            except StoreUnavailable:
                ready = False
        running = sum(worker.running for worker in crew.workers)
        return EngineStatus(ready, crew.waiting, running, crew.workers, self._keeper.taken_over)

    def pressure(self, client: str) -> Pressure:
        """What is unfinished, in all and of one client."""
        return self._desk.pressure(client)

    def _heard_news(self, identity: str) -> None:
        """Another server has said something of a job: of one of ours, or that some are free."""
        if not identity or identity in self.live:
            self._keeper.look()
