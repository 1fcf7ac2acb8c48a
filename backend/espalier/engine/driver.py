"""Drive a plan to its end: synchronously in a library or a test, asynchronously in the server. The same plans, the same
counting; only the waiting differs."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from espalier.engine.host import ModelHost
from espalier.engine.orders import Order
from espalier.engine.run import Counts, Needed, Question, Run
from espalier.engine.threads import one_thread_for_algebra
from espalier.explain.plan import Plan
from espalier.games.game import Game
from espalier.games.pool import Pool
from espalier.games.scales import Scale
from espalier.problems import Problem

Result = TypeVar("Result")

STOPPED = "cancelled: got a request to stop, nothing was kept but the pool"


class Cancelled(Problem):
    """The user stopped the work."""

    code = "cancelled"
    status = 409


class Listener(Protocol):
    """What a caller wants to hear while the work goes on."""

    def progress(self, evaluated: int, expected: int) -> None: ...
    def partial(self, make: Callable[[], Any]) -> None:
        """There is something to draw. Making it can be work: call `make` when it is wanted, on any thread."""


class Silence:
    """A caller who only waits for the end."""

    def progress(self, evaluated: int, expected: int) -> None:
        pass

    def partial(self, make: Callable[[], Any]) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """A finished run: the result, what it cost, and where the time went."""

    result: Result
    counts: Counts
    model_seconds: float
    total_seconds: float


class Drive(Generic[Result]):
    """One run on one host. `cancel` may be called from any thread."""

    def __init__(
        self,
        plan: Plan[Result],
        game: Game,
        pool: Pool,
        host: ModelHost,
        scale: Scale,
        listener: Listener | None = None,
        client: str = "",
    ) -> None:
        self._listener = listener or Silence()
        self._run = Run(plan, game, pool, scale, self._listener.partial)
        self._draws = game.reference.draws
        self._host = host
        self._client = client
        self._cancelled = threading.Event()
        self._order: Order | None = None

    def cancel(self) -> None:
        """Stop within one batch."""
        self._cancelled.set()
        if self._order is not None:
            self._order.cancel()

    def run(self) -> Outcome[Result]:
        """Drive on the caller's thread; the model runs on the host's."""
        started, model_seconds = time.perf_counter(), 0.0
        with one_thread_for_algebra(), closing(self._run):
            try:
                while (step := self._advance()) is not None:
                    waiting = time.perf_counter()
                    answer = self._submit(step).result()
                    model_seconds += time.perf_counter() - waiting
                    self._run.receive(step, answer)
            except CancelledError as error:
                raise Cancelled(STOPPED) from error
        return self._outcome(started, model_seconds)

    async def run_async(self) -> Outcome[Result]:
        """Drive on the event loop. The plan's own mathematics runs on a thread, so that the loop stays free."""
        started, model_seconds = time.perf_counter(), 0.0
        with one_thread_for_algebra(), closing(self._run):
            try:
                while (step := await asyncio.to_thread(self._advance)) is not None:
                    waiting = time.perf_counter()
                    answer = await asyncio.wrap_future(self._submit(step))
                    model_seconds += time.perf_counter() - waiting
                    self._run.receive(step, answer)
            except (CancelledError, asyncio.CancelledError) as error:
                # A future's own cancellation arrives as if the task had been cancelled.
                if self._cancelled.is_set():
                    raise Cancelled(STOPPED) from error
                self.cancel()
                raise
        return self._outcome(started, model_seconds)

    def _advance(self) -> Needed | Question | None:
        if self._cancelled.is_set():
            raise CancelledError()
        return self._run.advance()

    def _submit(self, needed: Needed | Question) -> "Future[Any]":
        self._order = self._order_for(needed)
        if self._cancelled.is_set():
            self._order.cancel()
        return self._order.future

    def _order_for(self, needed: Needed | Question) -> Order:
        if isinstance(needed, Question):
            return self._host.consult(needed.answer, self._client)
        counts = self._run.counts
        before = counts.distinct - len(needed.keys)
        self._listener.progress(before, counts.expected or counts.distinct)

        def report(rows_done: int) -> None:
            self._listener.progress(before + rows_done // self._draws, counts.expected or counts.distinct)

        return self._host.submit(needed.rows, self._client, report)

    def _outcome(self, started: float, model_seconds: float) -> Outcome[Result]:
        result: Any = self._run.result
        return Outcome(result, self._run.counts, model_seconds, time.perf_counter() - started)
