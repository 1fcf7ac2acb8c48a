"""A worker of the cluster: one worker process on one device, with an event loop in front that many servers ask.

It is an embedded crew of one. So what a worker does when it dies, hangs or grows, who comes next and which job is to
blame is the same on every engine, and no forward pass runs on the actor's event loop.
"""

import asyncio
import os
import socket
import time
import uuid
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import structlog

from espalier.edition import edition
from espalier.engine.crews.embedded import process
from espalier.engine.crews.embedded.crew import EmbeddedCrew
from espalier.engine.crews.protocol import ENDS, Assignment, Happening, WorkerLost
from espalier.engine.crews.ray.outbox import QUESTION_LOST, Heard, Outbox
from espalier.engine.messages import ORDERS, SAYINGS, Answer, Ask, Refusal, Run, Trouble, write_answer
from espalier.limits import Limits
from espalier.logs import set_up_logs
from espalier.problems import Problem
from espalier.settings import settings

LISTEN_SECONDS = 2.0
"""How long who listens waits for news at most; the answer also says that the worker lives."""

FORGOTTEN_SECONDS = 15.0
"""Silence of a courier after which its jobs are stopped: it has gone, and another one has them."""

DESERTED_SECONDS = 120.0
"""Silence of all couriers after which a worker leaves: nobody of its version is there any more."""

REFUSED_SECONDS = 30.0
"""How long a worker on a machine with other code stays to say so. The next one looks again."""

_log = structlog.get_logger(__name__)


class OtherCode(Problem):
    """A machine has other code than the servers that ask for a worker there: its results would not be theirs."""

    code = "other-code"
    status = 503


@dataclass(frozen=True, slots=True)
class Posting:
    """What a worker is told when it is made. `catalog` is a path on its own machine; None is what is shipped there."""

    name: str
    device: str
    limits: Limits
    edition: str
    threads: int | None = None
    catalog: str | None = None
    direct: tuple[str, ...] = ()
    program: tuple[str, ...] = ()


class WorkerActor:
    """Methods are asked by couriers. Each makes sure that the worker was started: an actor that Ray has started again
    is asked nothing else before."""

    def __init__(self, post: Posting, leave: Callable[[], None] | None = None) -> None:
        self._post = post
        self._leave = leave
        self._life = uuid.uuid4().hex
        self._crew: EmbeddedCrew | None = None
        self._outboxes: dict[str, Outbox] = {}
        # By courier, too: while a job changes hands, two servers have it, and each may stop only its own.
        self._runs: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._questions = 0
        self._busy_at = time.monotonic()
        self._listened_at = time.monotonic()
        self._keeping: asyncio.Task[None] | None = None
        self._refusing: asyncio.Task[None] | None = None

    async def listen(self, courier: str, after: int) -> Heard:
        """What there is to say to a courier that has heard everything up to a number."""
        crew = await self._started()
        self._listened_at = time.monotonic()
        outbox = self._outbox(courier)
        sayings = await outbox.after(after, LISTEN_SECONDS)
        status = crew.status()
        worker = status.workers[0]
        return Heard(
            self._life,
            sayings,
            worker.state,
            worker.running,
            status.waiting,
            worker.restarts,
            worker.memory_bytes,
            self._idle(),
            outbox.name,
        )

    async def begin(self, courier: str, attempt: int, order: bytes) -> None:
        """Do a job. Told twice, it is done once."""
        await self._started()
        run = ORDERS.read(BytesIO(order))
        assert isinstance(run, Run)
        outbox = self._outbox(courier)
        if not outbox.begin(run.job, attempt):
            return
        self._stop(courier, run.job)
        _log.info("job begun", job=run.job, attempt=attempt, worker=self._post.name, server=_server(courier))
        self._runs[courier, run.job] = asyncio.create_task(self._see(courier, run, attempt))

    async def cancel(self, courier: str, job: str, attempt: int) -> None:
        """Stop a job; nothing more is said of it."""
        if self._outbox(courier).begun.get(job) == attempt:
            self._stop(courier, job)

    async def ask(self, order: bytes) -> bytes:
        """Answer a small question."""
        crew = await self._started()
        ask = ORDERS.read(BytesIO(order))
        assert isinstance(ask, Ask)
        self._questions += 1
        try:
            return SAYINGS.pack(Answer(ask.number, write_answer(ask.question, await crew.ask(ask.question))))
        except WorkerLost as lost:
            return SAYINGS.pack(Refusal(ask.number, Trouble(QUESTION_LOST, 503, lost.message)))
        except Problem as problem:
            return SAYINGS.pack(Refusal(ask.number, Trouble.of(problem)))
        finally:
            self._questions -= 1
            self._busy_at = time.monotonic()

    async def farewell(self, courier: str) -> None:
        """A courier leaves: its jobs are others' now."""
        self._forget(courier)

    async def process_id(self) -> tuple[int, int | None]:
        """Of the actor and of its worker: for whoever looks at the machine."""
        crew = await self._started()
        return os.getpid(), crew.workers[0].pid

    # ------------------------------------------------------------------------------------------------------------------

    async def _started(self) -> EmbeddedCrew:
        if self._crew is None:
            post = self._post
            if post.edition != edition():
                self._refusing = self._refusing or asyncio.create_task(self._leave_after(REFUSED_SECONDS))
                raise OtherCode(
                    f"the machine {socket.gethostname()} has other code than its server: got {edition()}, "
                    f"possible is {post.edition}"
                )
            set_up_logs()
            if post.program:
                process.PROGRAM = list(post.program)
            catalog = Path(post.catalog) if post.catalog is not None else settings().catalog
            self._crew = EmbeddedCrew(catalog, (post.device,), post.limits, post.direct, post.threads)
            await self._crew.start()
            self._keeping = asyncio.create_task(self._keep())
        return self._crew

    def _outbox(self, courier: str) -> Outbox:
        return self._outboxes.setdefault(courier, Outbox())

    async def _see(self, courier: str, run: Run, attempt: int) -> None:
        """One job to its end."""
        crew, outbox = await self._started(), self._outbox(courier)
        # A job that was given again must not be confused with what is left of the earlier attempt.
        assignment = Assignment(f"{run.job}.{uuid.uuid4().hex[:8]}", run.request, run.client)
        async with aclosing(crew.run(assignment)) as happenings:
            async for happening in happenings:
                said: Happening = replace(happening, job=run.job)
                outbox.put(run.job, attempt, SAYINGS.pack(said), is_end=isinstance(said, ENDS))
        if self._runs.get((courier, run.job)) is asyncio.current_task():
            del self._runs[courier, run.job]
        self._busy_at = time.monotonic()

    def _stop(self, courier: str, job: str) -> None:
        if (task := self._runs.pop((courier, job), None)) is not None:
            task.cancel()

    def _forget(self, courier: str) -> None:
        if (outbox := self._outboxes.pop(courier, None)) is not None:
            for job in outbox.begun:
                self._stop(courier, job)

    def _idle(self) -> float:
        if self._runs or self._questions:
            self._busy_at = time.monotonic()
        return time.monotonic() - self._busy_at

    async def _keep(self) -> None:
        """Forget couriers that have gone, and leave when all have."""
        while True:
            await asyncio.sleep(1.0)
            for courier, outbox in list(self._outboxes.items()):
                if outbox.silence > FORGOTTEN_SECONDS + LISTEN_SECONDS:
                    lost = {"jobs": sorted(outbox.begun), "worker": self._post.name, "server": _server(courier)}
                    _log.warning("a courier has gone: its jobs are stopped here", **lost)
                    self._forget(courier)
            if self._leave is not None and time.monotonic() - self._listened_at > DESERTED_SECONDS:
                _log.info("nobody asks this worker any more: it leaves", worker=self._post.name)
                if self._crew is not None:
                    await self._crew.stop(0)
                await self._leave_after(0)
                return

    async def _leave_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if self._leave is not None:
            with suppress(Exception):
                self._leave()


def _server(courier: str) -> str:
    """Whose courier it is."""
    return courier.partition(" ")[0]


def leave_ray() -> None:
    """End this actor for good; Ray would start it again otherwise."""
    import ray

    ray.kill(ray.get_runtime_context().current_actor, no_restart=True)


class RayWorker(WorkerActor):
    """As Ray makes it."""

    def __init__(self, post: Any) -> None:
        super().__init__(post, leave_ray)
