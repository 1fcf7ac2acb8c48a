"""The model host: one model on one device, asked by many jobs at once.

Rows of all jobs wait here. Each batch begins with the job that has had the least of the device so far, and is filled up
with rows of the same width from whoever has some, so that a short job is never stuck behind a long one and no batch
runs half empty. The forward passes run on the host's own thread; callers get a future.

Which rows share a batch changes no result: a model gives each row a width of its own (see `models.batches`), and only
rows of one width go through it together. For a model without widths, which is known by its answers only, rows of about
the same length do.

Questions about the inside of a model wait in the same queue and are answered on the same thread: a model may be used
from one thread at a time.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from espalier.models.batches import HasWidths, filled
from espalier.models.protocol import HostedModel, TokenRow

FloatArray = NDArray[np.float64]

CPU_BATCH_TOKENS = 768
"""On two CPU cores such a batch runs within a few hundredths of the processor's peak and takes a tenth of a second:
what a short job waits for behind a long one."""

CUDA_BATCH_TOKENS = 32768

FILLER_STRETCH = 1.25
"""Without widths: rows of other jobs join a batch if they are at most this much longer than its longest row: beyond
that the padding they cause costs more than the empty places they fill."""

PATIENCE_SECONDS = 0.01
"""A job that has just been answered mostly asks again within milliseconds. A batch of others begun meanwhile would make
a short job wait a whole batch at every step; so long, the others can wait."""

FEW_ROWS = 64
"""Orders that are over in a batch or so: those of short jobs, and of methods that go step by step."""


@dataclass(eq=False)
class Order:
    """Rows one job waits for, or one question about the inside of the model."""

    rows: Sequence[TokenRow]
    client: str
    on_progress: Callable[[int], None] | None = None
    question: Callable[[], Any] | None = None
    future: "Future[Any]" = field(default_factory=Future)
    waiting: dict[int, list[int]] = field(default_factory=dict)
    outputs: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    done: int = 0
    cancelled: bool = False

    @property
    def left(self) -> int:
        return len(self.rows) - self.done

    def cancel(self) -> None:
        """Take what is left off the queue; a batch under way is finished, an answer under way is not waited for."""
        self.cancelled = True
        if self.question is not None:
            self.fail(CancelledError())

    def finish(self, answer: Any) -> None:
        with suppress(InvalidStateError):  # cancelled meanwhile: nobody waits any more
            self.future.set_result(answer)

    def fail(self, error: BaseException) -> None:
        with suppress(InvalidStateError):
            self.future.set_exception(error)


class ModelHost:
    """Runs a model's forward passes on a thread of its own. Close it, or use it as a context manager."""

    def __init__(self, model: HostedModel, batch_tokens: int | None = None) -> None:
        self.model = model
        on_cuda = getattr(getattr(model, "device", None), "type", "cpu") == "cuda"
        self.batch_tokens = batch_tokens or (CUDA_BATCH_TOKENS if on_cuda else CPU_BATCH_TOKENS)
        self.seconds = 0.0
        self.evaluated = 0
        self._width = model.width if isinstance(model, HasWidths) else None
        self._orders: list[Order] = []
        self._arrived = 0
        self._expecting: int | None = None
        self._served: dict[str, float] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name=f"host-{model.name}", daemon=True)
        self._thread.start()

    def submit(
        self, rows: Sequence[TokenRow], client: str = "", on_progress: Callable[[int], None] | None = None
    ) -> Order:
        """Queue rows; `order.future` gives float64[rows, classes] in the order they came."""
        order = Order(rows, client, on_progress)
        order.outputs = np.empty((len(rows), len(self.model.classes)))
        if not rows:
            order.finish(order.outputs)
            return order
        order.waiting = self._by_width(rows)
        self._queue(order)
        return order

    def consult(self, question: Callable[[], Any], client: str = "") -> Order:
        """Queue a question that uses the model in its own way; `order.future` gives its answer."""
        order = Order((), client, question=question)
        self._queue(order)
        return order

    def evaluate(self, rows: Sequence[TokenRow]) -> FloatArray:
        """Submit and wait."""
        answer: FloatArray = self.submit(rows).future.result()
        return answer

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def __enter__(self) -> "ModelHost":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _by_width(self, rows: Sequence[TokenRow]) -> dict[int, list[int]]:
        """Rows that may share a forward pass, widest first; without widths all of them, longest last."""
        if self._width is None:
            return {0: sorted(range(len(rows)), key=lambda index: len(rows[index].ids))}
        groups: dict[int, list[int]] = {}
        for index, row in enumerate(rows):
            groups.setdefault(self._width(row), []).append(index)
        return dict(sorted(groups.items(), reverse=True))

    def _queue(self, order: Order) -> None:
        with self._changed:
            if self._closed:
                raise RuntimeError(f"the host of {self.model.name} is closed")
            if order.client not in self._served:
                # A newcomer starts level with the least served, not with a credit from the past.
                self._served[order.client] = min((self._served[each.client] for each in self._orders), default=0.0)
            self._orders.append(order)
            self._arrived += 1
            self._changed.notify()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._orders and not self._closed:
                    self._changed.wait()
                self._be_patient()
                if self._closed:
                    for order in self._orders:
                        order.fail(CancelledError())
                    return
                work = self._next()
            if isinstance(work, Order):
                self._answer(work)
            elif work:
                self._run(work)

    def _be_patient(self) -> None:
        """Leave whoever was answered a moment to ask again, before the others' next batch begins."""
        if (before := self._expecting) is not None:
            self._expecting = None
            self._changed.wait_for(lambda: self._closed or self._arrived > before, PATIENCE_SECONDS)

    def _next(self) -> Order | list[tuple[Order, int]]:
        """A question of the job whose turn it is, or a batch that begins with its rows."""
        for order in [order for order in self._orders if order.cancelled]:
            self._orders.remove(order)
            order.fail(CancelledError())
        self._served = {order.client: self._served.get(order.client, 0.0) for order in self._orders}
        # Turns are counted in whole batches. At a tie the job with less to do goes first: it is the one somebody may be
        # waiting for.
        in_turn = sorted(self._orders, key=lambda each: (self._served[each.client] // self.batch_tokens, each.left))
        if not in_turn:
            return []
        if in_turn[0].question is not None:
            self._orders.remove(in_turn[0])
            self._served[in_turn[0].client] += self.batch_tokens
            return in_turn[0]
        return self._batch([order for order in in_turn if order.question is None])

    def _batch(self, in_turn: list[Order]) -> list[tuple[Order, int]]:
        """Rows of one width: those of the first order's widest, filled up with others'."""
        shared = next(iter(in_turn[0].waiting))
        together = sum(len(order.waiting.get(shared, ())) for order in in_turn)
        batch: list[tuple[Order, int]] = []
        width = shared
        most = self._rows_in_a_batch(shared, together) if shared else together
        for order in in_turn:
            rows = order.waiting.get(shared, [])
            while rows and len(batch) < most:
                length = shared or max(1, len(order.rows[rows[-1]].ids))
                wider = max(width, length)
                if batch and ((len(batch) + 1) * wider > self.batch_tokens or wider > width * FILLER_STRETCH):
                    break
                batch.append((order, rows.pop()))
                width = wider
                self._served[order.client] += length
            if not rows:
                order.waiting.pop(shared, None)
        return batch

    def _rows_in_a_batch(self, width: int, waiting: int) -> int:
        """The rows that wait, in batches of equal size: a last one of a few rows would run at half the speed."""
        fits = max(1, self.batch_tokens // width)
        batches = -(-waiting // fits)
        return min(filled(-(-waiting // batches)), fits)

    def _run(self, batch: list[tuple[Order, int]]) -> None:
        rows = [order.rows[index] for order, index in batch]
        orders = list(dict.fromkeys(order for order, _ in batch))
        started = time.perf_counter()
        try:
            outputs = np.asarray(self.model.outputs(rows), dtype=np.float64)
            if outputs.shape[0] != len(rows):
                raise ValueError(f"{self.model.name} gave {outputs.shape[0]} outputs for {len(rows)} rows")
        except BaseException as error:  # the model's failure belongs to the jobs in this batch, not to the host
            with self._changed:
                self._orders = [order for order in self._orders if order not in orders]
            for order in orders:
                order.fail(error)
            return
        self.seconds += time.perf_counter() - started
        self.evaluated += len(rows)
        for (order, index), output in zip(batch, outputs, strict=True):
            order.outputs[index] = output
            order.done += 1
        for order in orders:
            if order.on_progress is not None and not order.cancelled:
                order.on_progress(order.done)
            if not order.left:
                with self._changed:
                    self._orders.remove(order)
                    if len(order.rows) <= FEW_ROWS:
                        self._expecting = self._arrived
                order.finish(order.outputs)

    def _answer(self, order: Order) -> None:
        started = time.perf_counter()
        try:
            assert order.question is not None
            order.finish(order.question())
        except BaseException as error:  # as above
            order.fail(error)
        self.seconds += time.perf_counter() - started
