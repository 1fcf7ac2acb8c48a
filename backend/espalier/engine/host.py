"""The model host: one model on one device, asked by many jobs at once.

Rows of all jobs wait here. Each batch begins with the job that has had the least of the device so far, and is filled up
with rows of whoever has some, so that a short job is never stuck behind a long one and no batch runs half empty. Only
the rows of short orders are not kept waiting by company: they share a batch with each other's, never with a long
order's. Work in the background is in no hurry: its batches are filled with whatever it has, and nobody waits for it to
ask again. A row that several jobs wait for is evaluated once. What is read from the rows of a batch is the same for all
of them: jobs that explain other outcomes have batches of their own. The forward passes run on the host's own thread;
callers get a future.

Which rows share a batch changes no result: see `models.batches`.

Questions about the inside of a model wait in the same queue and are answered on the same thread: a model may be used
from one thread at a time.
"""

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import structlog

from espalier.engine.orders import FEW_ROWS, NOTHING, FloatArray, Order, RowKey
from espalier.models.batches import HasWidths, SharesBeginnings
from espalier.models.memory import enough_memory
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import HostedModel, TokenRow
from espalier.problems import BadModel

CPU_BATCH_TOKENS = 768
"""On two CPU cores such a batch runs within a few hundredths of the processor's peak and takes a tenth of a second:
what a short job waits for behind a long one."""

CUDA_BATCH_TOKENS = 32768

OVERFULL = 0.125
"""How much larger a batch may be, as a share of the budget, where a small one would be left for the end: a batch of a
few rows takes as long as a tenth of a full one."""

PATIENCE_SECONDS = 0.01
"""A job that has just been answered mostly asks again within milliseconds. A batch of others begun meanwhile would make
a short job wait a whole batch at every step; so long, the others can wait."""

MOST_PASSED_OVER = 5

MOST_WAITED = 20
"""Batches of others that go before one of work in the background: it waits for everybody, but never for ever."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Rows that go through the model together, and what is read from each."""

    rows: dict[RowKey, TokenRow] = field(default_factory=dict)
    outcomes: Outcomes = NOTHING


_log = structlog.get_logger(__name__)


class ModelHost:
    """Runs a model's forward passes on a thread of its own. Close it, or use it as a context manager."""

    def __init__(self, model: HostedModel, batch_tokens: int | None = None) -> None:
        self.model = model
        self._device = getattr(model, "device", "cpu")
        on_cuda = getattr(self._device, "type", "cpu") == "cuda"
        own = model.batch_tokens if isinstance(model, SharesBeginnings) else 0
        self.batch_tokens = batch_tokens or own or (CUDA_BATCH_TOKENS if on_cuda else CPU_BATCH_TOKENS)
        self.seconds = 0.0
        self.evaluated = 0
        self._width = model.width if isinstance(model, HasWidths) else lambda row: len(row.ids)
        self._orders: list[Order] = []
        self._asked: dict[RowKey, list[tuple[Order, int]]] = {}
        self._arrived = 0
        self._expecting: int | None = None
        self._served: dict[str, float] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._since: float | None = None
        self._thread = threading.Thread(target=self._serve, name=f"host-{model.name}", daemon=True)
        self._thread.start()

    def submit(
        self,
        rows: Sequence[TokenRow],
        client: str = "",
        on_progress: Callable[[int], None] | None = None,
        outcomes: Outcomes | None = None,
        background: bool = False,
        returns: bool = True,
    ) -> Order:
        """Queue rows; `order.future` gives float64[rows, outcomes] in the order they came. Who does not return asks
        nothing more when these are answered, so that nobody has to wait for it."""
        wanted = outcomes or self.model.outcomes
        order = Order(rows, client, wanted, on_progress, background=background, returns=returns)
        order.outputs = np.empty((len(rows), len(wanted)))
        if isinstance(self.model, SharesBeginnings):
            in_order, order.widths = self.model.arranged(rows)
            order.waiting = in_order[::-1]
        else:
            order.widths = [max(1, self._width(row)) for row in rows]
            order.waiting = sorted(range(len(rows)), key=order.widths.__getitem__)
        if rows:
            self._queue(order)
        else:
            order.finish(order.outputs)
        return order

    def consult(self, question: Callable[[], Any], client: str = "", background: bool = False) -> Order:
        """Queue a question that uses the model in its own way; `order.future` gives its answer."""
        order = Order((), client, question=question, background=background)
        self._queue(order)
        return order

    def evaluate(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        """Submit and wait: one question, after which none is expected."""
        answer: FloatArray = self.submit(rows, outcomes=outcomes, returns=False).future.result()
        return answer

    def busy(self) -> float:
        """How long the batch under way has been with the model, in seconds."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def __enter__(self) -> "ModelHost":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _queue(self, order: Order) -> None:
        with self._changed:
            if self._closed:
                raise RuntimeError(f"the host of {self.model.name} is closed")
            if order.client not in self._served:
                # A newcomer starts level with the least served, not with a credit from the past.
                self._served[order.client] = min((self._served[each.client] for each in self._orders), default=0.0)
            self._orders.append(order)
            for index, key in enumerate(order.keys):
                self._asked.setdefault(key, []).append((order, index))
            self._arrived += 1
            self._changed.notify()

    def _drop(self, orders: Iterable[Order]) -> None:
        """Forget orders, answered or not."""
        for order in orders:
            self._orders.remove(order)
            for key in {key for key, answered in zip(order.keys, order.answered, strict=True) if not answered}:
                others = [each for each in self._asked.pop(key, ()) if each[0] is not order]
                if others:
                    self._asked[key] = others

    def _serve(self) -> None:
        while True:
            try:
                if not self._serve_once():
                    return
            except BaseException as error:  # whatever it was: the next order must find somebody here
                _log.exception("a turn of the model's thread failed; the next one comes", model=self.model.name)
                self._abandon(error)
            finally:
                self._since = None

    def _serve_once(self) -> bool:
        """One batch or one question; false when the host is closed."""
        with self._changed:
            while not self._orders and not self._closed:
                self._changed.wait()
            self._be_patient()
            if self._closed:
                for order in self._orders:
                    order.fail(CancelledError())
                return False
            work = self._next()
        self._since = time.monotonic()
        if isinstance(work, Order):
            self._answer(work)
        elif work.rows:
            self._run(work)
        return True

    def _abandon(self, error: BaseException) -> None:
        """Fail all that waits: what is known of it cannot be trusted any more."""
        with self._changed:
            orders, self._orders, self._asked = self._orders, [], {}
        for order in orders:
            order.fail(error)

    def _be_patient(self) -> None:
        """Leave whoever was answered a moment to ask again, before the others' next batch begins."""
        if (before := self._expecting) is not None:
            self._expecting = None
            self._changed.wait_for(lambda: self._closed or self._arrived > before, PATIENCE_SECONDS)

    def _next(self) -> Order | Batch:
        """A question of the job whose turn it is, or a batch that begins with its rows."""
        cancelled = [order for order in self._orders if order.cancelled]
        self._drop(cancelled)
        for order in cancelled:
            order.fail(CancelledError())
        self._served = {order.client: self._served.get(order.client, 0.0) for order in self._orders}
        in_turn = sorted(self._orders, key=self._turn)
        if not in_turn:
            return Batch()
        if in_turn[0].question is not None:
            self._orders.remove(in_turn[0])
            self._served[in_turn[0].client] += self.batch_tokens
            return in_turn[0]
        return self._batch(in_turn)

    def _turn(self, order: Order) -> tuple[bool, float, bool, int]:
        """Turns of clients are counted in whole batches. At a tie the order with less to do goes first: it is the one
        somebody may be waiting for. But a client's many small orders do not keep its large one out for ever. Work in
        the background comes after all of these."""
        waits = order.background and order.passed_over < MOST_WAITED
        turns = self._served[order.client] // self.batch_tokens
        return waits, turns, order.passed_over < MOST_PASSED_OVER, order.left

    def _batch(self, in_turn: list[Order]) -> Batch:
        """As many rows as the budget holds: the widest of the first order, then of the others."""
        rows: dict[RowKey, TokenRow] = {}
        free = self._room(in_turn[0])
        outcomes, background = in_turn[0].outcomes, in_turn[0].background
        small = in_turn[0].is_small and not background
        for order in in_turn:
            order.passed_over += 1
            if order.question is not None or (small and not order.is_small) or order.outcomes != outcomes:
                continue
            if order.background and not background:
                continue
            while order.waiting:
                index = order.waiting[-1]
                key, width = order.keys[index], order.widths[index]
                if not order.answered[index] and key not in rows:
                    if rows and width > free:
                        break
                    rows[key] = order.rows[index]
                    order.passed_over = 0
                    free -= width
                    self._served[order.client] += width
                order.waiting.pop()
        return Batch(rows, outcomes)

    def _room(self, order: Order) -> int:
        """The budget of a batch that begins with this order, or a little more."""
        left = sum(order.widths[index] for index in order.waiting if not order.answered[index])
        batches = max(1, math.ceil(left / self.batch_tokens - OVERFULL))
        return max(self.batch_tokens, math.ceil(left / batches))

    def _run(self, batch: Batch) -> None:
        started = time.perf_counter()
        rows = batch.rows
        try:
            with enough_memory(self.model.name, self._device):
                outputs = np.asarray(self.model.outputs(list(rows.values()), batch.outcomes), dtype=np.float64)
            if outputs.shape != (possible := (len(rows), len(batch.outcomes))):
                raise BadModel(
                    f"{self.model.name} gave outputs of the wrong shape: got {outputs.shape}, possible is {possible}"
                )
        except BaseException as error:  # the model's failure belongs to the jobs in this batch, not to the host
            with self._changed:
                failed = dict.fromkeys(order for key in rows for order, _ in self._asked.get(key, ()))
                self._drop(failed)
            for order in failed:
                order.fail(error)
            return
        self.seconds += time.perf_counter() - started
        self.evaluated += len(rows)
        self._deliver(rows, outputs)

    def _deliver(self, rows: Iterable[RowKey], outputs: FloatArray) -> None:
        """To everybody who waits for these rows, those who came while the batch ran included."""
        with self._changed:
            orders: dict[Order, None] = {}
            for key, output in zip(rows, outputs, strict=True):
                for order, index in self._asked.pop(key, ()):
                    order.take(index, output)
                    orders[order] = None
            finished = [order for order in orders if not order.left]
            self._drop(finished)
            if any(order.returns and not order.background and len(order.rows) <= FEW_ROWS for order in finished):
                self._expecting = self._arrived
        for order in orders:
            if order.on_progress is not None and not order.cancelled:
                try:
                    order.on_progress(order.done)
                except Exception:  # one job's listener is no reason for the others to wait
                    _log.exception("progress cannot be told", model=self.model.name)
        for order in finished:
            order.finish(order.outputs)

    def _answer(self, order: Order) -> None:
        started = time.perf_counter()
        try:
            assert order.question is not None
            with enough_memory(self.model.name, self._device):
                found = order.question()
            order.finish(found)
        except BaseException as error:  # as above
            order.fail(error)
        self.seconds += time.perf_counter() - started
