"""A worker of the cluster as a courier sees it: listened to, given jobs, and missed when it does not answer."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Literal

import structlog

from espalier.engine.crews.ray.actor import LISTEN_SECONDS
from espalier.engine.crews.ray.outbox import Heard, Saying
from espalier.engine.crews.ray.reconciling import Load
from espalier.engine.messages import WorkerStatus
from espalier.problems import Problem

ANSWER_SECONDS = LISTEN_SECONDS + 5.0
"""A worker that has not answered a listener by then cannot be reached."""

AWAY_SECONDS = 6.0
"""How long a worker that cannot be reached keeps its jobs: a network may stumble."""

PAUSE_SECONDS = 0.3

_log = structlog.get_logger(__name__)


class Post:
    """`hear` gets what the worker says of jobs; `lost` is called when what it was given is gone; `came` when it can be
    given something."""

    def __init__(
        self,
        name: str,
        handle: Any,
        courier: str,
        hear: Callable[["Post", Saying], None],
        lost: Callable[["Post"], None],
        came: Callable[[], None],
    ) -> None:
        self.name = name
        self.given = 0
        self.is_here = False
        self.has_died = False
        """For good: Ray never starts the worker behind this handle again, only another one of the same name."""
        self._handle = handle
        self._courier = courier
        self._hear = hear
        self._lost = lost
        self._came = came
        self._heard: Heard | None = None
        self._life: str | None = None
        self._outbox: str | None = None
        self._lives = 0
        self._after = 0
        self._away_since: float | None = None
        self.refusal: str | None = None
        """Why the worker will do nothing, in its own words."""

    @property
    def is_ready(self) -> bool:
        return self.is_here and self._heard is not None and self._heard.state == "ready"

    @property
    def load(self) -> int:
        """Jobs it has, of all servers: as it said last, and what it was given since."""
        return (self._heard.running + self._heard.waiting if self._heard is not None else 0) + self.given

    def idleness(self) -> Load:
        return Load(self.load, self._heard.idle_seconds if self._heard is not None else 0.0)

    def status(self) -> WorkerStatus:
        node, _, device = self.name.rpartition("-")
        if self._heard is None:
            return WorkerStatus(device, "starting", 0, 0, name=self.name, node=node)
        state: Literal["starting", "ready"] = "ready" if self.is_ready else "starting"
        heard, restarts = self._heard, self._heard.restarts + max(0, self._lives - 1)
        return WorkerStatus(device, state, heard.running, restarts, heard.memory_bytes, self.name, node, heard.waiting)

    async def keep(self) -> None:
        """Listen until cancelled."""
        while True:
            try:
                heard: Heard = await self._call("listen", self._courier, self._after)
            except Exception as error:  # Ray says in many ways that an actor does not answer
                self._missed(error)
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            self._take(heard)

    def _take(self, heard: Heard) -> None:
        if (heard.life, heard.outbox) != (self._life, self._outbox):
            self._lives += heard.life != self._life
            if self._life is not None:
                reason = "it was started again" if heard.life != self._life else "it has not heard of us for too long"
                _log.warning("a worker knows nothing of its jobs any more", worker=self.name, reason=reason)
                self._lost(self)
            self._life, self._outbox, self._after = heard.life, heard.outbox, 0
        was_ready, self._away_since, self.is_here, self.refusal = self.is_ready, None, True, None
        self._heard, self.given = heard, 0
        for saying in heard.sayings:
            if saying.number > self._after:
                self._after = saying.number
                self._hear(self, saying)
        if self.is_ready and not was_ready:
            self._came()

    def _missed(self, error: Exception) -> None:
        now = time.monotonic()
        # Ray wraps what the worker raised.
        if isinstance(problem := getattr(error, "cause", None), Problem):
            if self.refusal is None:
                _log.error("a worker refuses", worker=self.name, reason=problem.message)
            self.refusal = problem.message
            return
        if self._away_since is None:
            self._away_since = now
            _log.warning("a worker does not answer", worker=self.name, reason=type(error).__name__)
        self.has_died = type(error).__name__ == "ActorDiedError"
        if self.is_here and (now - self._away_since > AWAY_SECONDS or self.has_died):
            self.is_here = False
            self._lost(self)

    def begin(self, attempt: int, order: bytes, is_wanted: Callable[[], bool]) -> Coroutine[Any, Any, None]:
        """Give it a job: said until it is heard, or until it is another's. It counts at once: whoever chooses a worker
        for the next job must know."""
        self.given += 1
        return self._begin(attempt, order, is_wanted)

    async def _begin(self, attempt: int, order: bytes, is_wanted: Callable[[], bool]) -> None:
        while is_wanted():
            with suppress(Exception):
                await self._call("begin", self._courier, attempt, order)
                return
            await asyncio.sleep(PAUSE_SECONDS)

    async def cancel(self, job: str, attempt: int) -> None:
        with suppress(Exception):
            await self._call("cancel", self._courier, job, attempt)

    async def ask(self, order: bytes, seconds: float | None) -> bytes:
        """Who stops waiting stops the work."""
        asked = self._handle.ask.remote(order)
        try:
            async with asyncio.timeout(seconds):
                answer: bytes = await asked
                return answer
        except (asyncio.CancelledError, TimeoutError):
            import ray

            ray.cancel(asked)
            raise

    async def farewell(self) -> None:
        with suppress(Exception):
            await self._call("farewell", self._courier)

    async def _call(self, method: str, *given: Any) -> Any:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await getattr(self._handle, method).remote(*given)
