"""Jobs in the store, done by a crew. Written before accepted, done at least once, ended exactly once, by whichever
server on the same store has them; any of them answers for all."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import astuple, dataclass, replace
from datetime import timedelta
from typing import Any

import structlog

from espalier.engine.admission import UNKNOWN_WORK, Desk, Pressure
from espalier.engine.crews.protocol import Assignment, Crew
from espalier.engine.endless import endless
from espalier.engine.ledger.elsewhere import Bell, Elsewhere
from espalier.engine.ledger.inquiries import Inquiries
from espalier.engine.ledger.keeper import Keeper
from espalier.engine.ledger.known import Known
from espalier.engine.ledger.live import LiveJob
from espalier.engine.ledger.threads import StoreThreads
from espalier.engine.messages import (
    About,
    Began,
    Cancelled,
    Failed,
    PartialResult,
    Prepared,
    Progress,
    Succeeded,
    Trouble,
    Waiting,
)
from espalier.engine.protocol import End, EngineStatus
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Event, Job, JobStatus, UnknownJob, problem_document
from espalier.models.describe import Shelf
from espalier.store import Store
from espalier.store.alone import Alone
from espalier.store.base import now
from espalier.store.database import StoreUnavailable
from espalier.store.jobs import Claims, Jobs
from espalier.store.jobs.claims import Claimed
from espalier.store.jobs.unfinished import Entry

CANCEL_SECONDS = 5.0
"""How long another server may take to stop a job before it is ended here."""

SHORT_SECONDS = 0.2
"""A job that takes no longer is written down when it comes and when it ends, but not that it began: each writing is a
wait for the disk, for everybody behind it."""

MOST_ATTEMPTS = 100
"""Servers that may begin a job and go: after that it is the job's doing."""

BROKEN = Trouble("internal-error", 500, "the server failed at this job; its log says why")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Terms:
    """How long finished jobs are kept, and how long a server that does not speak keeps its jobs."""

    keep: timedelta = timedelta(days=30)
    claim_seconds: float = 20.0


class Ledger(Inquiries):
    """Implements `engine.protocol.Engine`. Everything here runs on one event loop; only the store runs on threads."""

    def __init__(
        self,
        store: Store,
        shelf: Shelf,
        crew: Crew,
        terms: Terms | None = None,
        admit: Callable[[Pressure], None] | None = None,
    ) -> None:
        super().__init__(crew, shelf)
        terms = terms or Terms()
        self.live: dict[str, LiveJob] = {}
        self.on_end: Callable[[End], None] = lambda end: None
        self._jobs = Jobs(store)
        self._claims = Claims(store, uuid.uuid4().hex, terms.claim_seconds)
        self._known = Known(self._jobs, shelf)
        self._threads = StoreThreads()
        self._alone = Alone(store)
        self._desk = Desk(admit or (lambda _: None), lambda: [(e.job.client, e.work_left) for e in self.live.values()])
        self._keeper = Keeper(self, self._jobs, self._claims, self._threads, terms.keep)
        self._bell = Bell(self._jobs, self._heard_news)
        self._elsewhere = Elsewhere(self._jobs, self._claims, self._threads, self._bell, self.live.__contains__)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._seeing: dict[str, asyncio.Task[None]] = {}

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

    # ---------------------------------------------------------------------------------------------- jobs done here

    def take_on(self, claimed: Claimed) -> None:
        """Go on with a job that another server, or an earlier one, left."""
        live = LiveJob(claimed.job, claimed.events)
        if claimed.cancel_wished:
            self._end_at_once(live, "cancelled")
        elif not claimed.is_valid:
            said = "this request cannot be done any more: it was accepted by another version"
            self._end_at_once(live, "failed", Trouble("bad-request", 422, said))
        elif claimed.attempt > MOST_ATTEMPTS:
            said = f"its server ended {claimed.attempt - 1} times before it was done: it is given up"
            self._end_at_once(live, "failed", Trouble("worker-lost", 500, said))
        else:
            self._begin_here(live)

    def give_up(self, live: LiveJob) -> None:
        """It is another server's now."""
        self.live.pop(live.job.id, None)
        if (task := self._seeing.pop(live.job.id, None)) is not None:
            task.cancel()
        live.leave()

    def cancel_soon(self, live: LiveJob) -> None:
        live.cancel_wished = True
        self._crew.cancel(live.job.id)

    def _begin_here(self, live: LiveJob) -> None:
        live.set_status("queued")
        self.live[live.job.id] = live
        self._see(live, self._see_through(live))

    def _end_at_once(self, live: LiveJob, status: JobStatus, trouble: Trouble | None = None) -> None:
        self.live[live.job.id] = live
        self._see(live, self._end(live, status, trouble))

    def _see(self, live: LiveJob, work: Any) -> None:
        task = self._seeing[live.job.id] = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(
            lambda done: self._seeing.pop(live.job.id, None) if self._seeing.get(live.job.id) is done else None
        )

    async def _see_through(self, live: LiveJob) -> None:
        """From its beginning to its end, whatever happens: a job that is live here always ends."""
        try:
            if live.cancel_wished:  # before it began
                await self._end(live, "cancelled")
                return
            assignment = Assignment(live.job.id, live.job.request, live.job.client)
            async with aclosing(self._crew.run(assignment)) as happenings:
                async for happening in happenings:
                    match happening:
                        case Waiting(_, making):
                            live.set_status("queued", making)
                        case Began():
                            live.set_status("running")
                        case Progress(_, evaluated, expected):
                            live.count(evaluated, expected)
                        case PartialResult(_, body):
                            live.emit("partial", body)
                        case Prepared(_, about, body):
                            live.revision = about.revision
                            live.emit("prepared", body)
                            self._spawn(self._begun(live, about))
                        case Succeeded():
                            # Writing it down may take a while: until then, the counts say that the work is done.
                            live.count(happening.evaluated, happening.evaluated)
                            await self._end(live, "succeeded", done=happening)
                        case Failed(_, trouble):
                            await self._end(live, "failed", trouble)
                        case Cancelled():
                            await self._end(live, "cancelled")
        except Exception:
            _log.exception("job failed in the server", job=live.job.id)
            await self._end(live, "failed", BROKEN)

    async def _begun(self, live: LiveJob, about: About) -> None:
        self.learn(live.job.request.model, about)
        await asyncio.sleep(SHORT_SECONDS)
        if live.ending or live.gone:
            return
        kept = [event for event in live.news(0) if event.name in ("status", "prepared")]
        with suppress(StoreUnavailable):  # only a resumed stream would miss it
            await self._threads.write(self._jobs.begin, live.job.id, kept, client=live.job.client)

    async def _end(
        self, live: LiveJob, status: JobStatus, trouble: Trouble | None = None, done: Succeeded | None = None
    ) -> None:
        """Write the end down, however long that takes."""
        live.ending = True
        pause = 0.2
        while True:
            try:
                ended = await self._threads.write(self._write_end, live, status, trouble, done, client=live.job.client)
                break
            except StoreUnavailable as problem:
                # The result is not lost as long as this process lives; a later one would do the job again.
                _log.error("the end of a job cannot be written yet", job=live.job.id, reason=problem.message)
                await asyncio.sleep(pause)
                pause = min(5.0, 2 * pause)
            except Exception:
                _log.exception("the end of a job cannot be written", job=live.job.id)
                if trouble == BROKEN:
                    ended = replace(live.job, status="failed", finished=now())
                    break
                status, trouble, done = "failed", BROKEN, None
        self.live.pop(live.job.id, None)
        if ended is not None:
            live.end(ended)
            self.on_end(End(ended, done.model_seconds if done is not None else 0.0))
            _log.info("job finished", job=ended.id, status=ended.status)
        else:
            live.leave()

    def _write_end(
        self, live: LiveJob, status: JobStatus, trouble: Trouble | None, done: Succeeded | None
    ) -> Job | None:
        if done is not None:
            return self._jobs.finish(
                live.job,
                status,
                content=self._known.address(live.job, live.revision or ""),
                document=done.body,
                evaluated=done.evaluated,
                expected=done.evaluated,
                started=live.job.started,
            )
        problem = None if trouble is None else problem_document(trouble.code, trouble.status, trouble.message)
        return self._jobs.finish(live.job, status, problem=problem, started=live.job.started)

    def _newest(self, job: Job) -> Job:
        live = self.live.get(job.id)
        return job if live is None else live.job

    def _heard_news(self, identity: str) -> None:
        """Another server has said something of a job: of one of ours, or that some are free."""
        if not identity or identity in self.live:
            self._keeper.look()

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
