"""A worker process as the server sees it: started, listened to, and started again when it ends."""

import asyncio
import json
import subprocess
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import psutil
import structlog

from espalier.engine.embedded.deaths import out_of_memory_kills, own_doing
from espalier.engine.embedded.process import connect, launch
from espalier.engine.protocol import WorkerStatus, WorkerUnavailable
from espalier.engine.wire import BODY, packed
from espalier.problems import Problem

LONGEST_LINE = 2**20
"""Bytes of a message's line; documents come after it and may be longer."""

LONGEST_PAUSE = 30.0
"""Seconds between two starts of a worker that does not become ready."""

_log = structlog.get_logger(__name__)

Message = dict[str, Any]


class Worker:
    """One device's worker. `hear` gets what it says of jobs; `lost` gets the jobs it had when its process ended, and
    whether they may have been the reason."""

    def __init__(
        self,
        name: str,
        device: str,
        arguments: list[str],
        hear: Callable[["Worker", Message, str | None], None],
        lost: Callable[["Worker", set[str], bool], None],
    ) -> None:
        self.name = name
        self.device = device
        self.state: Literal["starting", "ready", "stopped"] = "stopped"
        self.running: set[str] = set()
        self.restarts = 0
        self.is_leaving = False
        self._arguments = arguments
        self._hear = hear
        self._lost = lost
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: asyncio.WriteTransport | None = None
        self._stopping = False
        self._questions: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._log = _log.bind(worker=name, device=device)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def keep_running(self) -> None:
        """Start the process, and again whenever it ends, until `stop`."""
        failures = 0
        while not self._stopping:
            was_ready = await self._live()
            self.restarts += 1
            failures = 0 if was_ready else failures + 1
            await asyncio.sleep(0 if self._stopping else min(LONGEST_PAUSE, 2.0**failures - 1))
        self.state = "stopped"

    async def _live(self) -> bool:
        """One process from its start to its end; tells whether it was ready in between."""
        self.state, self.is_leaving, was_ready = "starting", False, False
        memory_kills = out_of_memory_kills()
        self._process = process = launch(self.device, self._arguments)
        self._log.info("worker started", pid=process.pid)
        said, self._orders = await connect(process, LONGEST_LINE)
        # A process that is killed while it writes leaves half a message.
        with suppress(asyncio.IncompleteReadError, ValueError, ConnectionError):
            while line := await said.readline():
                message = json.loads(line)
                length = message.pop(BODY, None)
                body = None if length is None else (await said.readexactly(length)).decode()
                if message["is"] == "ready":
                    self.state, was_ready = "ready", True
                self._take(message, body)
        self.state = "starting"
        self._orders.close()
        code = await asyncio.to_thread(_end_of, process)
        jobs, self.running = self.running, set()
        questions, self._questions = self._questions, {}
        for future in questions.values():
            if not future.done():
                future.set_exception(WorkerUnavailable("the worker stopped: it is being started again, try again"))
        if not self._stopping:
            self._log.warning("worker ended", pid=process.pid, code=code, jobs=sorted(jobs))
        self._lost(self, jobs, own_doing(code, out_of_memory_kills() - memory_kills))
        return was_ready

    def _take(self, message: Message, body: str | None) -> None:
        if message["is"] in ("answer", "refusal"):
            future = self._questions.pop(message["number"], None)
            if future is None or future.done():
                return
            if message["is"] == "answer":
                future.set_result(message["answer"])
            else:
                future.set_exception(problem_of(message["problem"]))
            return
        self._hear(self, message, body)

    def run(self, job: str, request: dict[str, Any], client: str) -> None:
        self.running.add(job)
        self._send({"do": "run", "job": job, "request": request, "client": client})

    def cancel(self, job: str) -> None:
        self._send({"do": "cancel", "job": job})

    async def ask(self, question: str, **given: Any) -> Any:
        """A small question; a process that ends before it answers raises WorkerUnavailable."""
        if self.state != "ready":
            raise WorkerUnavailable("no worker is ready: one is being started, try again in a moment")
        self._number += 1
        future = self._questions[self._number] = asyncio.get_running_loop().create_future()
        self._send({"do": "ask", "number": self._number, "question": question, **given})
        try:
            return await future
        finally:
            future.cancel()

    def leave(self) -> None:
        """End this process; another one is started."""
        if self._orders is not None:
            self._orders.close()

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

    def _send(self, order: Message) -> None:
        # A process that has just ended is noticed by who listens to it; what is written to it is lost with it.
        if self._orders is not None and not self._orders.is_closing():
            self._orders.write(packed(order))


def _end_of(process: subprocess.Popen[bytes]) -> int:
    """The code of a process that has closed its output: it ends by itself, or is ended."""
    try:
        return process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def problem_of(said: list[Any]) -> Problem:
    """A problem that a worker named, as an exception of this process."""
    code, status, message = said
    problem = Problem(message)
    problem.code, problem.status = code, status
    return problem
