"""Jobs in the store, done by worker processes. Written before accepted, done at least once, ended exactly once."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeVar

import structlog

from espalier.engine.address import address
from espalier.engine.admission import UNKNOWN_WORK, Pressure
from espalier.engine.embedded.live import LiveJob, end_event, game_of, problem_document
from espalier.engine.embedded.process import arguments
from espalier.engine.embedded.queue import Queue
from espalier.engine.embedded.worker import Message, Worker
from espalier.engine.protocol import EngineStatus, Event, Job, JobStatus, UnknownJob, WorkerUnavailable
from espalier.explain.request import ExplanationRequest
from espalier.models.describe import Shelf
from espalier.store.base import now
from espalier.store.database import StoreUnavailable
from espalier.store.jobs import Jobs

Answer = TypeVar("Answer")

DEATHS_ALONE = 3
"""Workers that a job may end while it is alone with them: after that it fails."""

MOST_BEGINNINGS = 50
"""How often a job is begun again when its worker was killed by somebody's hand."""

CHECK_SECONDS = 10.0
"""How long a request is checked before it is accepted unchecked: the worker may be loading the model."""

ANSWER_SECONDS = 60.0

TICK_SECONDS = 1.0
FORGET_SECONDS = 3600.0

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """What workers may take: jobs at once, models and bytes in memory; and how long finished jobs are kept."""

    jobs: int = 32
    models: int = 8
    memory: int = 6 * 10**9
    keep: timedelta = timedelta(days=30)


class EmbeddedEngine:
    """Implements `engine.protocol.Engine`. Everything here runs on one event loop; only the store runs on threads."""

    def __init__(
        self,
        jobs: Jobs,
        shelf: Shelf,
        devices: tuple[str, ...],
        limits: Limits | None = None,
        admit: Callable[[Pressure], None] | None = None,
    ) -> None:
        self._jobs = jobs
        self._shelf = shelf
        self._limits = limits or Limits()
        self._admit = admit or (lambda _: None)
        given = arguments(shelf.catalog.path, self._limits.jobs, self._limits.models, devices)
        self.workers = [
            Worker(f"{device}-{index}", device, given, self._heard, self._lost) for index, device in enumerate(devices)
        ]
        self._live: dict[str, LiveJob] = {}
        self._queue = Queue(self.workers, self._limits.jobs)
        self._stopping = False
        self.on_end: Callable[[Job], None] = lambda job: None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ending: set[asyncio.Task[Any]] = set()
        self._reader = ThreadPoolExecutor(4, "store-read")
        # One writer: what is written of a job arrives in the order it happened.
        self._writer = ThreadPoolExecutor(1, "store-write")

    # ------------------------------------------------------------------------------------------------ start and stop

    async def start(self) -> None:
        """Go on with what was unfinished, and start the workers. Returns before they are ready."""
        for job in await self._read(self._jobs.unfinished):
            live = LiveJob(job, await self._read(self._jobs.events, job.id))
            live.set_status("queued")
            self._live[job.id] = live
            self._queue.add(live)
        if self._live:
            _log.info("going on with unfinished jobs", jobs=len(self._live))
        for worker in self.workers:
            self._spawn(worker.keep_running())
        self._spawn(self._keep_house())

    async def stop(self, seconds: float) -> None:
        """Let jobs finish for a while; what is left waits in the store for the next start."""
        self._stopping = True
        deadline = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < deadline and (
            self._ending or any(worker.running for worker in self.workers)
        ):
            await asyncio.sleep(0.05)
        await asyncio.gather(*(worker.stop() for worker in self.workers))
        for task in [*self._tasks, *self._ending]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._ending, return_exceptions=True)
        with suppress(StoreUnavailable):
            await self._write(self._jobs.requeue, list(self._live))
        if self._live:
            _log.info("stopped with unfinished jobs, which go on at the next start", jobs=len(self._live))
        self._reader.shutdown()
        self._writer.shutdown()

    # ----------------------------------------------------------------------------------------------------- protocol

    async def submit(
        self,
        request: ExplanationRequest,
        *,
        client: str = "",
        lease: float | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        content = await self._read(self._content, request)
        job = Job(uuid.uuid4().hex, "queued", request, now(), client[:200], lease)
        if idempotency_key is not None:
            known = await self._read(self._jobs.known, job, idempotency_key)
            if known is not None:
                return self._newest(known)
        if content is not None and (done := await self._read(self._known, job, content)) is not None:
            return await self._write(self._jobs.add, done, idempotency_key, content)
        self._admit(self.pressure(client))
        await self._check(request)
        kept = await self._write(self._jobs.add, job, idempotency_key)
        if kept.id != job.id:
            return self._newest(kept)
        live = self._live[job.id] = LiveJob(job)
        live.set_status("queued")
        self._queue.add(live)
        _log.info("job accepted", job=job.id, model=request.model, method=request.method, client=client)
        self._dispatch()
        return live.job

    async def job(self, identity: str) -> Job:
        if (live := self._live.get(identity)) is not None:
            return live.job
        found = await self._read(self._jobs.get, identity)
        if found is None:
            raise UnknownJob(identity)
        return found

    async def wait(self, identity: str, seconds: float) -> Job:
        if (live := self._live.get(identity)) is not None:
            with live.listening(), suppress(TimeoutError):
                await asyncio.wait_for(live.ended.wait(), seconds)
        return await self.job(identity)

    async def cancel(self, identity: str) -> Job:
        if (live := self._live.get(identity)) is not None:
            await self._cancel(live)
        return await self.job(identity)

    async def events(self, identity: str, after: int = 0) -> AsyncIterator[Event]:
        live = self._live.get(identity)
        if live is None:
            yield end_event(await self.job(identity))
            return
        with live.listening():
            async for event in live.follow(after):
                yield event

    async def status(self) -> EngineStatus:
        ready = any(worker.state == "ready" for worker in self.workers)
        if ready:
            try:
                await self._read(self._jobs.store.check)
            except StoreUnavailable:
                ready = False
        running = sum(len(worker.running) for worker in self.workers)
        return EngineStatus(ready, len(self._queue), running, tuple(worker.status() for worker in self.workers))

    async def load(self, model: str) -> None:
        self._learn(model, await self._ask("load", model=model))

    async def predict(self, model: str, text: str, pair: str | None = None) -> dict[str, Any]:
        self._shelf.catalog.entry(model)
        answer: dict[str, Any] = await self._ask("predict", model=model, text=text, pair=pair)
        return answer

    async def parse(self, text: str) -> dict[str, Any]:
        answer: dict[str, Any] = await self._ask("parse", text=text)
        return answer

    def pressure(self, client: str) -> Pressure:
        """What is unfinished, in all and of one client."""
        work = [(live.job.client, _work_left(live.job)) for live in self._live.values()]
        own = [left for whose, left in work if whose == client]
        return Pressure(len(work), sum(left for _, left in work), len(own), sum(own))

    # ------------------------------------------------------------------------------------------------------ workers

    def _dispatch(self) -> None:
        """Give workers what they can begin."""
        if self._stopping:
            return
        for worker in self.workers:
            while (live := self._queue.next_for(worker, self._live.get)) is not None:
                live.set_status("running")
                worker.run(live.job.id, live.job.request.model_dump(mode="json"), live.job.client)

    def _heard(self, worker: Worker, message: Message, body: str | None) -> None:
        if message["is"] == "ready":
            _log.info("worker ready", worker=worker.name)
            self._dispatch()
            return
        identity = message["job"]
        live = self._live.get(identity)
        if message["is"] in ("succeeded", "failed", "cancelled"):
            worker.running.discard(identity)
            if live is not None:
                self._ended(live, message, body)
            self._dispatch()
        elif live is None or live.stopping:
            return
        elif message["is"] == "progress":
            live.count(message["evaluated"], message["expected"])
        elif message["is"] == "partial" and body is not None:
            live.emit("partial", body)
        elif message["is"] == "prepared" and body is not None:
            live.revision = message["revision"]
            self._learn(live.job.request.model, message)
            self._spawn(self._begin(live, [live.emit("prepared", body)]))

    def _ended(self, live: LiveJob, message: Message, body: str | None) -> None:
        if message["is"] == "succeeded":
            counted = {"evaluated": message["evaluated"], "expected": message["expected"]}
            # Writing it down may take a while: until then, the counts say that the work is done.
            live.count(**counted)
            self._finish(live, "succeeded", document=body, **counted)
        elif message["is"] == "failed":
            self._finish(live, "failed", problem=problem_document(*message["problem"]))
        else:
            self._finish(live, "cancelled")

    def _lost(self, worker: Worker, jobs: set[str], own_doing: bool) -> None:
        """A worker's process has ended: its jobs wait again, unless one has been the reason too often."""
        lost = [live for identity in jobs if (live := self._live.get(identity)) is not None and not live.stopping]
        for live in sorted(lost, key=lambda each: each.job.created):
            if self._stopping:
                continue
            live.begun += 1
            live.deaths += own_doing
            live.deaths_alone += own_doing and len(jobs) == 1
            if live.deaths_alone >= DEATHS_ALONE or live.begun >= MOST_BEGINNINGS:
                said = f"its worker ended {live.begun} times before it was done: it is given up"
                self._finish(live, "failed", problem=problem_document("worker-lost", 500, said))
                continue
            live.set_status("queued")
            self._queue.add(live)
        if not self._stopping:
            self._queue.move_from(worker)
            self._dispatch()

    async def _check(self, request: ExplanationRequest) -> None:
        """Refuse what cannot be done. While no worker can tell, the job is accepted, and fails if it must."""
        with suppress(WorkerUnavailable, TimeoutError):
            worker = self._queue.place(game_of(request))
            asked = worker.ask("check", request=request.model_dump(mode="json"))
            self._learn(request.model, await asyncio.wait_for(asked, CHECK_SECONDS))

    async def _ask(self, question: str, **given: Any) -> Any:
        chosen = min(self.workers, key=lambda worker: (worker.state != "ready", self._queue.load(worker)))
        try:
            return await asyncio.wait_for(chosen.ask(question, **given), ANSWER_SECONDS)
        except TimeoutError:
            raise WorkerUnavailable("the worker did not answer in time: it has too much to do, try again") from None

    def _learn(self, model: str, said: dict[str, Any]) -> None:
        self._shelf.loaded(model, tuple(said["classes"]), said["max_length"], said["revision"])

    async def _keep_house(self) -> None:
        """End leases, replace workers that have grown too large, forget what is old."""
        forget_at = 0.0
        while True:
            for live in [each for each in self._live.values() if each.lease_is_over and not each.stopping]:
                _log.info("nobody listens any more", job=live.job.id)
                self._spawn(self._cancel(live))
            for worker in self.workers:
                if not worker.is_leaving and (worker.memory() or 0) > self._limits.memory:
                    _log.warning("worker has grown too large", worker=worker.name, bytes=worker.memory())
                    worker.is_leaving = True
                if worker.is_leaving and not worker.running:
                    worker.leave()
            if asyncio.get_running_loop().time() > forget_at:
                forget_at = asyncio.get_running_loop().time() + FORGET_SECONDS
                with suppress(StoreUnavailable):
                    await self._write(self._jobs.forget, now() - self._limits.keep)
            await asyncio.sleep(TICK_SECONDS)

    # -------------------------------------------------------------------------------------------------------- store

    async def _begin(self, live: LiveJob, kept: list[Event]) -> None:
        # Only a resumed stream would miss it.
        with suppress(StoreUnavailable):
            await self._write(self._jobs.begin, live.job.id, kept)

    def _finish(self, live: LiveJob, status: JobStatus, **fields: Any) -> None:
        if live.stopping:
            return
        live.stopping = True
        task = asyncio.get_running_loop().create_task(self._write_end(live, status, fields))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _write_end(self, live: LiveJob, status: JobStatus, fields: dict[str, Any]) -> None:
        pause = 0.2
        while True:
            try:
                ended = await self._write(self._end, live, status, fields)
                break
            except StoreUnavailable as problem:
                # The result is not lost as long as this process lives; a later one would do the job again.
                _log.error("the end of a job cannot be written yet", job=live.job.id, reason=problem.message)
                await asyncio.sleep(pause)
                pause = min(5.0, 2 * pause)
        self._live.pop(live.job.id, None)
        if ended is not None:
            live.end(ended)
            self.on_end(ended)
            _log.info("job finished", job=ended.id, status=ended.status)

    def _end(self, live: LiveJob, status: JobStatus, fields: dict[str, Any]) -> Job | None:
        if status == "succeeded":
            # What the worker loaded decides, should the model's files have changed since the job was accepted.
            fields = fields | {"content": address(live.job.request, live.revision or "")}
        return self._jobs.finish(live.job.id, status, **fields)

    async def _cancel(self, live: LiveJob) -> None:
        if not live.stopping:
            self._queue.remove(live)
            self._finish(live, "cancelled")
            for worker in self.workers:
                if live.job.id in worker.running:
                    worker.cancel(live.job.id)
        await live.ended.wait()

    def _content(self, request: ExplanationRequest) -> str | None:
        """The address of a request's result, as far as it can be known without loading the model."""
        model = self._shelf.get(request.model)
        method, _ = request.settings()
        self._shelf.check(method, model)
        return None if model.revision is None else address(request, model.revision)

    def _known(self, job: Job, content: str) -> Job | None:
        """The job as it is when its result is known already."""
        found = self._jobs.result(content)
        if found is None:
            return None
        evaluated = json.loads(found)["evaluations"]["distinct"]
        counted = replace(job, evaluated=evaluated, expected=evaluated, explanation=found)
        return replace(counted, status="succeeded", started=job.created, finished=job.created)

    def _newest(self, job: Job) -> Job:
        live = self._live.get(job.id)
        return job if live is None else live.job

    async def _read(self, query: Callable[..., Answer], *given: Any) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._reader, query, *given)

    async def _write(self, query: Callable[..., Answer], *given: Any) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._writer, query, *given)

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _work_left(job: Job) -> int:
    return UNKNOWN_WORK if job.expected is None else max(0, job.expected - job.evaluated)
