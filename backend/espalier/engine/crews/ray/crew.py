"""Implements `crews.protocol.Crew` with a cluster: a courier carries the jobs; what the courier had when it ended is
given to the next one."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog

from espalier.edition import edition
from espalier.engine.crews.duty import Dutiful, Duty
from espalier.engine.crews.embedded.process import start
from espalier.engine.crews.embedded.worker import Worker
from espalier.engine.crews.protocol import ENDS, CrewStatus, WorkerLost, WorkerUnavailable
from espalier.engine.crews.ray.outbox import QUESTION_LOST
from espalier.engine.endless import endless
from espalier.engine.messages import (
    Answered,
    Asking,
    Measure,
    Ready,
    Reconcile,
    Said,
    Sighted,
    Waiting,
    WorkerStatus,
)
from espalier.limits import Limits
from espalier.logs import SERVER
from espalier.problems import Problem

TICK_SECONDS = 1.0

LONGEST_PAUSE = 5.0
"""Seconds between two starts of a courier while the cluster cannot be reached."""

ANSWER_SECONDS = 60.0

_log = structlog.get_logger(__name__)


class Courier(Worker):
    """A process like a worker's, with another program."""

    def _launch(self) -> subprocess.Popen[bytes]:
        # Ray reads this while it is imported: later would be too late.
        environment = {"RAY_AUTH_MODE": "token"} | os.environ
        return start([sys.executable, "-m", "espalier.engine.crews.ray.courier", *self._arguments], environment)


class RayCrew(Dutiful):
    """Everything here runs on one event loop. `is_my_turn` says whether this server looks after the workers: one does,
    of all that share them."""

    def __init__(
        self,
        address: str,
        is_my_turn: Callable[[], Awaitable[bool]],
        catalog: Path | None = None,
        limits: Limits | None = None,
        direct: tuple[str, ...] = (),
        wanted: Mapping[str, int] | None = None,
        least: int = 0,
        idle_seconds: float = 600.0,
        namespace: str | None = None,
        program: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self._limits = limits or Limits()
        self._is_my_turn = is_my_turn
        self._reconcile = Reconcile(least, idle_seconds)
        # Workers with other code would write results that are not this one's.
        namespace = namespace or f"espalier-{edition()}"
        posting = {
            "edition": edition(),
            "catalog": None if catalog is None else str(catalog.resolve()),
            "limits": asdict(self._limits),
            "direct": direct,
            "program": program,
        }
        given = ["--address", address, "--namespace", namespace, "--server", SERVER]
        given += ["--posting", json.dumps(posting), "--wanted", json.dumps(dict(wanted or {}))]
        self.courier = Courier("courier", "ray", given, self._heard, self._lost, LONGEST_PAUSE)
        self._seen: tuple[WorkerStatus, ...] = ()
        self._stopping = False
        self._tasks: list[asyncio.Task[Any]] = []

    async def start(self) -> None:
        loops = [self.courier.keep_running(), endless("looking after the cluster", self._look_after, TICK_SECONDS)]
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def stop(self, seconds: float) -> None:
        self._stopping = True
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and any(not duty.ended for duty in self.duties.values()):
            await asyncio.sleep(0.05)
        await self.courier.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for duty in self.duties.values():
            duty.break_off()

    def _take_back(self, duty: Duty) -> None:
        self.courier.cancel(duty.job)
        self.courier.running.discard(duty.job)

    async def ask(self, question: Asking[Answered]) -> Answered:
        try:
            # A measurement takes as long as it takes: who asks may stop waiting, which stops the work.
            seconds = None if isinstance(question, Measure) else ANSWER_SECONDS
            async with asyncio.timeout(seconds):
                return await self.courier.ask(question)
        except TimeoutError:
            raise WorkerUnavailable("the cluster did not answer in time: it has too much to do; try again") from None
        except Problem as problem:
            if problem.code == QUESTION_LOST:
                raise WorkerLost(problem.message) from problem
            if problem.code == WorkerUnavailable.code and not isinstance(problem, WorkerUnavailable):
                raise WorkerUnavailable(problem.message) from problem
            raise

    def status(self) -> CrewStatus:
        """Workers are shared: that there are none at the moment is no reason to send people to another server. Jobs are
        accepted, and wait."""
        waiting = sum(not duty.has_begun for duty in self.duties.values())
        return CrewStatus(not self._stopping, waiting, self._seen)

    def _give(self, duty: Duty) -> None:
        if self.courier.state == "ready" and not self._stopping:
            self.courier.run(duty.assignment)

    def _heard(self, courier: Worker, message: Said) -> None:
        match message:
            case Ready():
                _log.info("the cluster can be reached", jobs=len(self.duties))
                for duty in self.duties.values():
                    if not duty.ended:
                        self._give(duty)
            case Sighted(workers):
                self._seen = workers
            case _:
                job: str = message.job  # type: ignore[union-attr]  # all others speak of a job
                if isinstance(message, ENDS):
                    courier.running.discard(job)
                if (taken := self.duties.get(job)) is not None:
                    taken.say(message)  # type: ignore[arg-type]  # what is left speaks of a job under way

    def _lost(self, courier: Worker, jobs: set[str], own_doing: bool) -> None:
        """The courier has ended: never a job's doing."""
        self._seen = ()
        for job in jobs:
            if (duty := self.duties.get(job)) is not None and duty.has_begun:
                duty.say(Waiting(job))

    async def _look_after(self) -> None:
        if self.courier.silence() > self._limits.silence:
            self.courier.replace(f"it has said nothing for {self.courier.silence():.0f} seconds", blame_jobs=False)
        elif self.courier.state == "ready" and await self._is_my_turn():
            self.courier.tell(self._reconcile)
