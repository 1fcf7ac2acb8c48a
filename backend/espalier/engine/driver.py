"""Drive a plan to its end: hand what it needs to the hosts, tell what happens, and stop when told to."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from espalier.engine.host import ModelHost
from espalier.engine.orders import Order
from espalier.engine.run import Counts, Question, Run, Step
from espalier.engine.threads import one_thread_for_algebra
from espalier.explain.plan import Plan
from espalier.games.game import Game
from espalier.games.pool import Pool
from espalier.games.references import Elsewhere
from espalier.games.scales import Scale
from espalier.problems import NotSupported, Problem

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
    redrawn: tuple[Result, ...] = ()
    """The same from all draws of the reference but one, for each, where there are several and the method allows it."""
    idle: Callable[[], tuple[int, ...]] = tuple
    """Players that made no difference. Finding them takes as long as a small job: it is done for who asks."""


class Drive(Generic[Result]):
    """One run on the host of its model, and on others' where its reference asks them. `cancel` may be called from any
    thread."""

    def __init__(
        self,
        plan: Plan[Result],
        game: Game,
        pool: Pool,
        host: ModelHost,
        scale: Scale,
        listener: Listener | None = None,
        client: str = "",
        other_host: Callable[[str], ModelHost] | None = None,
        background: bool = False,
        again: Callable[[], Plan[Result]] | None = None,
    ) -> None:
        self._again = again
        self._listener = listener or Silence()
        self._run = Run(plan, game, pool, scale, self._listener.partial)
        self._draws = game.reference.draws
        self._host = host
        self._other_host = other_host
        self._client = client
        self._background = background
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
            redrawn = () if self._again is None else tuple(self._run.without_some_draws(self._again))
        return self._outcome(started, model_seconds, redrawn)

    def _advance(self) -> Step | None:
        if self._cancelled.is_set():
            raise CancelledError()
        return self._run.advance()

    def _submit(self, step: Step) -> "Future[Any]":
        self._order = self._order_for(step)
        if self._cancelled.is_set():
            self._order.cancel()
        return self._order.future

    def _order_for(self, step: Step) -> Order:
        if isinstance(step, Question):
            return self._host.consult(step.answer, self._client, self._background)
        if isinstance(step, Elsewhere):
            other = self._host_of(step.model)
            return other.submit(step.rows, self._client, outcomes=step.outcomes, background=self._background)
        counts = self._run.counts
        before = counts.distinct - len(step.keys) - step.to_come
        self._listener.progress(before, counts.expected or counts.distinct)

        def report(rows_done: int) -> None:
            self._listener.progress(before + rows_done // self._draws, counts.expected or counts.distinct)

        returns = not step.is_last
        return self._host.submit(step.rows, self._client, report, step.outcomes, self._background, returns)

    def _host_of(self, name: str) -> ModelHost:
        if self._other_host is None:
            raise NotSupported(
                f"the reference asks another model: got {name}, possible is only {self._host.model.name}"
            )
        return self._other_host(name)

    def _outcome(self, started: float, model_seconds: float, redrawn: tuple[Result, ...]) -> Outcome[Result]:
        result: Any = self._run.result
        took = time.perf_counter() - started
        return Outcome(result, self._run.counts, model_seconds, took, redrawn, self._run.idle)
