"""A worker process as the server sees it: started, listened to, and started again when it ends or hangs."""

import asyncio
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import psutil
import structlog

from espalier.engine.crews.embedded.deaths import out_of_memory_kills, own_doing
from espalier.engine.crews.embedded.process import connect, launch
from espalier.engine.crews.protocol import Assignment, WorkerLost, WorkerUnavailable
from espalier.engine.messages import (
    LONGEST_LINE,
    ORDERS,
    SAYINGS,
    Answer,
    Answered,
    Ask,
    Asking,
    BrokenMessage,
    Cancel,
    Order,
    Pulse,
    Ready,
    Refusal,
    Run,
    Said,
    Withdraw,
    WorkerStatus,
    read_answer,
)

LONGEST_PAUSE = 30.0
"""Seconds between two starts of a worker that does not become ready."""

LONGEST_START = 300.0
"""Seconds until a process says its first word; a slow disk and a cold cache take a minute."""

_log = structlog.get_logger(__name__)


class Worker:
    """One device's worker. `hear` gets what it says of jobs; `lost` gets the jobs it had when its process ended, and
    whether they may have been the reason."""

    def __init__(
        self,
        name: str,
        device: str,
        arguments: list[str],
        hear: Callable[["Worker", Said], None],
        lost: Callable[["Worker", set[str], bool], None],
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        self.name = name
        self.device = device
        self.state: Literal["starting", "ready", "stopped"] = "stopped"
        self.running: set[str] = set()
        self.restarts = 0
        self.is_leaving = False
        self.busy = 0.0
        self._arguments = arguments
        self._hear = hear
        self._lost = lost
        self._longest_pause = longest_pause
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: asyncio.WriteTransport | None = None
        self._stopping = False
        self._blamed: bool | None = None
        self._heard_at: float | None = None
        self._started_at = 0.0
        self._questions: dict[int, tuple[Asking[Any], asyncio.Future[Any]]] = {}
        self._number = 0
        self._log = _log.bind(worker=name, device=device)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    def silence(self) -> float:
        """Seconds since the process last said something; those of its start count little."""
        if self.pid is None or self._stopping:
            return 0.0
        now = time.monotonic()
        return now - self._heard_at if self._heard_at is not None else max(0.0, now - self._started_at - LONGEST_START)

    def forgive(self) -> None:
        """The server itself has not listened for a while: silence is counted from now on."""
        if self._heard_at is not None:
            self._heard_at = time.monotonic()

    async def keep_running(self) -> None:
        """Start the process, and again whenever it ends, until `stop`."""
        failures = 0
        while not self._stopping:
            was_ready = False
            try:
                was_ready = await self._live()
            except Exception:
                self._log.exception("a worker cannot be kept; the next one is started")
            self.restarts += 1
            failures = 0 if was_ready else failures + 1
            await asyncio.sleep(0 if self._stopping else min(self._longest_pause, 2.0 ** min(failures, 10) - 1))
        self.state = "stopped"

    async def _live(self) -> bool:
        """One process from its start to its end; tells whether it was ready in between."""
        self.state, self.is_leaving, self.busy = "starting", False, 0.0
        self._blamed, self._heard_at, self._started_at = None, None, time.monotonic()
        memory_kills = out_of_memory_kills()
        self._process = process = self._launch()
        was_ready = False
        try:
            self._log.info("worker started", pid=process.pid)
            said, self._orders = await connect(process, LONGEST_LINE)
            was_ready = await self._listen(said)
        finally:
            self.state = "starting"
            if self._orders is not None:
                self._orders.close()
            code = await asyncio.shield(asyncio.to_thread(_end_of, process))
            jobs, self.running = self.running, set()
            questions, self._questions = self._questions, {}
            for _, future in questions.values():
                if not future.done():
                    future.set_exception(WorkerLost("the worker stopped: it is being started again, try again"))
            if not self._stopping:
                self._log.warning("worker ended", pid=process.pid, code=code, jobs=sorted(jobs))
            by_itself = own_doing(code, out_of_memory_kills() - memory_kills)
            self._lost(self, jobs, by_itself if self._blamed is None else self._blamed)
        return was_ready

    def _launch(self) -> subprocess.Popen[bytes]:
        return launch(self.device, self._arguments)

    async def _listen(self, said: asyncio.StreamReader) -> bool:
        was_ready = False
        try:
            while (message := await SAYINGS.receive(said)) is not None:
                self._heard_at = time.monotonic()
                if isinstance(message, Ready):
                    self.state = "ready"
                    was_ready = True
                self._take(message)
        except BrokenMessage as error:
            # What comes next cannot be understood either. No job is to blame: none of them writes messages.
            self._log.error("a worker's message is broken: the worker is replaced", reason=str(error))
            self.replace("it does not speak the protocol", blame_jobs=False)
        return was_ready

    def _take(self, message: Said) -> None:
        match message:
            case Pulse(busy):
                self.busy = busy
            case Answer(number, body):
                if (asked := self._questions.get(number)) is not None:
                    # One that does not answer what was asked stays asked: whoever waits hears that the worker is lost.
                    answer = read_answer(asked[0], body)
                    self._settle(number, lambda future: future.set_result(answer))
            case Refusal(number, trouble):
                self._settle(number, lambda future: future.set_exception(trouble.problem()))
            case _:
                self._hear(self, message)

    def _settle(self, number: int, settle: Callable[["asyncio.Future[Any]"], None]) -> None:
        _, future = self._questions.pop(number, (None, None))
        if future is not None and not future.done():
            settle(future)

    def run(self, assignment: Assignment) -> None:
        self.running.add(assignment.job)
        self._send(Run(assignment.job, assignment.request, assignment.client))

    def cancel(self, job: str) -> None:
        self._send(Cancel(job))

    def tell(self, order: Order) -> None:
        self._send(order)

    @property
    def questions(self) -> int:
        """How many it has not answered yet."""
        return len(self._questions)

    async def ask(self, question: Asking[Answered]) -> Answered:
        """A small question; a process that ends before it answers raises WorkerUnavailable."""
        if self.state != "ready":
            raise WorkerUnavailable("no worker is ready: one is being started, try again in a moment")
        self._number += 1
        number = self._number
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._questions[number] = question, future
        self._send(Ask(number, question))  # type: ignore[arg-type]  # all that ask are questions
        try:
            return await future
        finally:
            if self._questions.pop(number, None) is not None and future.cancelled():
                self._send(Withdraw(number))

    def leave(self) -> None:
        """End this process; another one is started."""
        if self._orders is not None:
            self._orders.close()

    def replace(self, reason: str, *, blame_jobs: bool) -> None:
        """Kill this process, hung or not; another one is started, and its jobs go on there."""
        if self._process is not None and self._process.returncode is None:
            self._log.error("worker is replaced", pid=self._process.pid, reason=reason)
            self._blamed = blame_jobs
            self._heard_at = None
            self._started_at = time.monotonic()
            with suppress(ProcessLookupError):
                self._process.kill()

    async def stop(self) -> None:
        """End the process for good. It ends by itself when its input ends; one that hangs is killed."""
        self._stopping = True
        if self._process is None or self._process.returncode is not None:
            return
        self.leave()
        try:
            await asyncio.to_thread(self._process.wait, 2)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def memory(self) -> int | None:
        try:
            return int(psutil.Process(self.pid).memory_info().rss) if self.pid else None
        except psutil.Error:
            return None

    def status(self) -> WorkerStatus:
        return WorkerStatus(self.device, self.state, len(self.running), self.restarts, self.memory())

    def _send(self, order: Order) -> None:
        # A process that has just ended is noticed by who listens to it; what is written to it is lost with it.
        if self._orders is not None and not self._orders.is_closing():
            self._orders.write(ORDERS.pack(order))


def _end_of(process: subprocess.Popen[bytes]) -> int:
    """The code of a process that has closed its output: it ends by itself, or is ended."""
    try:
        return process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
