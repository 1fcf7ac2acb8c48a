"""Jobs that this server does: from their beginning here to their end, whatever happens on the way."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

import structlog

from espalier.engine.crews.protocol import Assignment, Crew
from espalier.engine.ledger.inquiries import Inquiries
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
from espalier.engine.protocol import End
from espalier.jobs import Job, JobStatus, problem_document
from espalier.models.describe import Shelf
from espalier.store.base import now
from espalier.store.database import StoreUnavailable
from espalier.store.jobs import Jobs
from espalier.store.jobs.claims import Claimed

SHORT_SECONDS = 0.2
"""A job that takes no longer is written down when it comes and when it ends, but not that it began: each writing is a
wait for the disk, for everybody behind it."""

MOST_ATTEMPTS = 100
"""Servers that may begin a job and go: after that it is the job's doing."""

BROKEN = Trouble("internal-error", 500, "the server failed at this job; its log says why")

_log = structlog.get_logger(__name__)


class OwnJobs(Inquiries):
    """`live` are those that have not ended. A job that is live here always ends, or goes to another server."""

    def __init__(self, crew: Crew, shelf: Shelf, jobs: Jobs) -> None:
        super().__init__(crew, shelf)
        self.live: dict[str, LiveJob] = {}
        self.on_end: Callable[[End], None] = lambda end: None
        self._jobs = jobs
        self._known = Known(jobs, shelf)
        self._threads = StoreThreads()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._seeing: dict[str, asyncio.Task[None]] = {}

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

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
