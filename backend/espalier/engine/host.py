"""The model host: one model on one device, asked by many jobs at once.

Rows of all jobs wait here. Each batch begins with the job that has had the least of the device so far, and is filled up
with rows of about the same length from whoever has some, so that a short job is never stuck behind a long one and no
batch runs half empty. The forward passes run on the host's own thread; callers get a future.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from espalier.models.protocol import HostedModel, TokenRow

FloatArray = NDArray[np.float64]

CPU_BATCH_TOKENS = 1024
"""On two CPU cores a batch of 32 to 64 short sentences already runs at the processor's peak."""

CUDA_BATCH_TOKENS = 32768

FILLER_STRETCH = 1.25
"""Rows of other jobs join a batch if they are at most this much longer than its longest row: beyond that the padding
they cause costs more than the empty places they fill."""


@dataclass(eq=False)
class Order:
    """Rows one job waits for."""

    rows: Sequence[TokenRow]
    client: str
    on_progress: Callable[[int], None] | None
    future: "Future[FloatArray]" = field(default_factory=Future)
    waiting: list[int] = field(default_factory=list)
    outputs: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    done: int = 0
    cancelled: bool = False

    def cancel(self) -> None:
        """Take what is left off the queue; a batch under way is finished."""
        self.cancelled = True


class ModelHost:
    """Runs a model's forward passes on a thread of its own. Close it, or use it as a context manager."""

    def __init__(self, model: HostedModel, batch_tokens: int | None = None) -> None:
        self.model = model
        on_cuda = getattr(getattr(model, "device", None), "type", "cpu") == "cuda"
        self.batch_tokens = batch_tokens or (CUDA_BATCH_TOKENS if on_cuda else CPU_BATCH_TOKENS)
        self.seconds = 0.0
        self.evaluated = 0
        self._orders: list[Order] = []
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
        # Longest last, so that rows are taken from the end in order of falling length.
        order.waiting = sorted(range(len(rows)), key=lambda index: len(rows[index].ids))
        order.outputs = np.empty((len(rows), len(self.model.classes)))
        if not rows:
            order.future.set_result(order.outputs)
            return order
        with self._changed:
            if self._closed:
                raise RuntimeError(f"the host of {self.model.name} is closed")
            if client not in self._served:
                # A newcomer starts level with the least served, not with a credit from the past.
                self._served[client] = min((self._served[each.client] for each in self._orders), default=0.0)
            self._orders.append(order)
            self._changed.notify()
        return order

    def evaluate(self, rows: Sequence[TokenRow]) -> FloatArray:
        """Submit and wait."""
        return self.submit(rows).future.result()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def __enter__(self) -> "ModelHost":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._orders and not self._closed:
                    self._changed.wait()
                if self._closed:
                    for order in self._orders:
                        order.future.set_exception(CancelledError())
                    return
                batch = self._next_batch()
            if batch:
                self._run(batch)

    def _next_batch(self) -> list[tuple[Order, int]]:
        for order in [order for order in self._orders if order.cancelled]:
            self._orders.remove(order)
            order.future.set_exception(CancelledError())
        self._served = {order.client: self._served.get(order.client, 0.0) for order in self._orders}
        batch: list[tuple[Order, int]] = []
        width = 0
        # At a tie the job with less to do goes first: it is the one somebody may be waiting for.
        for order in sorted(self._orders, key=lambda each: (self._served[each.client], len(each.waiting))):
            while order.waiting:
                length = len(order.rows[order.waiting[-1]].ids)
                wider = max(width, length)
                if batch and ((len(batch) + 1) * wider > self.batch_tokens or wider > width * FILLER_STRETCH):
                    break
                batch.append((order, order.waiting.pop()))
                width = wider
                self._served[order.client] += length
        return batch

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
                order.future.set_exception(error)
            return
        self.seconds += time.perf_counter() - started
        self.evaluated += len(rows)
        for (order, index), output in zip(batch, outputs, strict=True):
            order.outputs[index] = output
            order.done += 1
        for order in orders:
            if order.on_progress is not None and not order.cancelled:
                order.on_progress(order.done)
            if order.done == len(order.rows):
                with self._changed:
                    self._orders.remove(order)
                order.future.set_result(order.outputs)
