"""Implements `crews.protocol.Crew` with processes: who does what, what happens when one dies, hangs or grows."""

import asyncio
import time
from pathlib import Path
from typing import Any

import structlog

from espalier.engine.crews.duty import Dutiful, Duty, game_of
from espalier.engine.crews.embedded.process import arguments
from espalier.engine.crews.embedded.queue import Queue
from espalier.engine.crews.embedded.worker import Worker
from espalier.engine.crews.protocol import CrewStatus, WorkerUnavailable
from espalier.engine.endless import endless
from espalier.engine.messages import (
    Answered,
    Asking,
    Began,
    Cancelled,
    Check,
    Exhausted,
    Failed,
    Measure,
    Postponed,
    Ready,
    Said,
    Succeeded,
    Waiting,
)
from espalier.limits import Limits

DEATHS_ALONE = 3
"""Workers that a job may end while it is alone with them: after that it fails."""

MOST_BEGINNINGS = 200
"""How often a job is begun again when its worker was killed by somebody's hand: a long one may be there every time."""

ANSWER_SECONDS = 60.0

POSTPONED_SECONDS = 0.5
"""After which a job is begun again whose model was not ready."""

TICK_SECONDS = 1.0

_log = structlog.get_logger(__name__)


class EmbeddedCrew(Dutiful):
    """Everything here runs on one event loop."""

    def __init__(
        self,
        catalog: Path,
        devices: tuple[str, ...],
        limits: Limits | None = None,
        direct: tuple[str, ...] = (),
        threads: int | None = None,
    ) -> None:
        super().__init__()
        self._limits = limits or Limits()
        given = arguments(catalog, self._limits, devices, direct, threads)
        self.workers = [
            Worker(f"{device}-{index}", device, given, self._heard, self._lost) for index, device in enumerate(devices)
        ]
        self._queue = Queue(self.workers, self._limits.jobs)
        self._stopping = False
        self._looked = time.monotonic()
        self._tasks: list[asyncio.Task[Any]] = []

    async def start(self) -> None:
        loops = [worker.keep_running() for worker in self.workers]
        loops.append(endless("watching the workers", self._watch, TICK_SECONDS))
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def stop(self, seconds: float) -> None:
        self._stopping = True
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and any(worker.running for worker in self.workers):
            await asyncio.sleep(0.05)
        await asyncio.gather(*(worker.stop() for worker in self.workers))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for duty in self.duties.values():
            duty.break_off()

    def _give(self, duty: Duty) -> None:
        self._queue.add(duty)
        self._dispatch()

    def _take_back(self, duty: Duty) -> None:
        if not self._queue.remove(duty):
            for worker in self.workers:
                if duty.job in worker.running:
                    worker.cancel(duty.job)  # its place is free when it says so

    async def ask(self, question: Asking[Answered]) -> Answered:
        # It takes as long as it takes: who asks may stop waiting, which stops the work.
        has_time = isinstance(question, Measure)
        if isinstance(question, Check):
            # The worker that will do the job then has the text read already.
            chosen = self._queue.place(game_of(question.request))
        elif has_time:
            return await min(self.workers, key=lambda worker: (worker.state != "ready", worker.questions)).ask(question)
        else:
            chosen = min(self.workers, key=lambda worker: (worker.state != "ready", self._queue.load(worker)))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await chosen.ask(question)
        except TimeoutError:
            raise WorkerUnavailable(
                "the worker did not answer in time: it has too much to do, or loads a large model; try again"
            ) from None

    def status(self) -> CrewStatus:
        # One that hangs is not ready, though nobody has replaced it yet.
        ready = any(worker.state == "ready" and worker.silence() < self._limits.silence / 2 for worker in self.workers)
        return CrewStatus(ready, len(self._queue), tuple(worker.status() for worker in self.workers))

    def _dispatch(self) -> None:
        """Give workers what they can begin."""
        if self._stopping:
            return
        for worker in self.workers:
            while (duty := self._queue.next_for(worker, self.duties.get)) is not None:
                duty.say(Began(duty.job))
                worker.run(duty.assignment)

    def _heard(self, worker: Worker, message: Said) -> None:
        if isinstance(message, Ready):
            _log.info("worker ready", worker=worker.name)
            self._dispatch()
            return
        job: str = message.job  # type: ignore[union-attr]  # all others speak of a job
        duty = self._under_way(job)
        match message:
            case Exhausted():
                alone = worker.running == {job}
                worker.running.discard(job)
                if duty is not None and not duty.ended:
                    self._exhausted(duty, alone)
                self._dispatch()
            case Postponed(_, done, count):
                worker.running.discard(job)
                if duty is not None and not duty.ended:
                    duty.say(Waiting(duty.job, (done, count)))
                    asyncio.get_running_loop().call_later(POSTPONED_SECONDS, self._take_up, duty)
                self._dispatch()
            case Succeeded() | Failed() | Cancelled():
                worker.running.discard(job)
                if duty is not None:
                    duty.say(message)
                self._dispatch()
            case _:
                if duty is not None:
                    duty.say(message)  # type: ignore[arg-type]  # what is left speaks of a job under way

    def _under_way(self, job: str) -> Duty | None:
        """What a worker has. A job that was taken back and given again waits until the worker has let go of it: what is
        said till then is of its earlier turn, which nobody follows any more."""
        duty = self.duties.get(job)
        return duty if duty is not None and duty.has_begun else None

    def _exhausted(self, duty: Duty, alone: bool) -> None:
        """No memory was left. Who was alone was the reason; who was not is tried alone, and the others go on."""
        if alone:
            duty.fail(
                "too-much-memory",
                422,
                "too much memory: got a job that needs more than a worker may have, possible are fewer samples, "
                "orders or players, or a shorter text",
            )
            return
        duty.deaths += 1
        self._again(duty)

    def _again(self, duty: Duty) -> None:
        duty.say(Waiting(duty.job))
        self._queue.add(duty)

    def _take_up(self, duty: Duty) -> None:
        """Give a job that was postponed to a worker again."""
        if not duty.ended and not self._stopping:
            self._give(duty)

    def _lost(self, worker: Worker, jobs: set[str], own_doing: bool) -> None:
        """A worker's process has ended: its jobs wait again, unless one has been the reason too often."""
        if self._stopping:
            return
        lost = [duty for job in jobs if (duty := self._under_way(job)) is not None and not duty.ended]
        for duty in sorted(lost, key=lambda each: each.number):
            duty.begun += 1
            duty.deaths += own_doing
            duty.deaths_alone += own_doing and len(jobs) == 1
            if duty.deaths_alone >= DEATHS_ALONE or duty.begun >= MOST_BEGINNINGS:
                said = f"its worker ended {duty.begun} times before it was done: it is given up"
                duty.fail("worker-lost", 500, said)
                continue
            self._again(duty)
        self._queue.move_from(worker)
        self._dispatch()

    async def _watch(self) -> None:
        """Replace workers that hang, and those that have grown too large once they have nothing to do."""
        now = time.monotonic()
        late, self._looked = now - self._looked > 3 * TICK_SECONDS, now
        for worker in self.workers:
            if late:
                worker.forgive()
            elif worker.silence() > self._limits.silence:
                worker.replace(f"it has said nothing for {worker.silence():.0f} seconds", blame_jobs=False)
            elif worker.busy > self._limits.batch:
                worker.replace(f"a batch has taken {worker.busy:.0f} seconds", blame_jobs=True)
            if worker.state != "ready":
                continue
            if not worker.is_leaving and (worker.memory() or 0) > self._limits.memory:
                _log.warning("worker has grown too large", worker=worker.name, bytes=worker.memory())
                worker.is_leaving = True
            if worker.is_leaving and not worker.running:
                worker.leave()
