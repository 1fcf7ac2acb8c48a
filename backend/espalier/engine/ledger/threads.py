"""The store on threads of its own: the event loop never waits for a database."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class StoreThreads:
    """Several readers and one writer: what is written of a job arrives in the order it happened. Each transaction waits
    for the disk, so the clients take turns: a batch of many texts does not stand before somebody's one question."""

    def __init__(self) -> None:
        self._reader = ThreadPoolExecutor(4, "store-read")
        self._writer = ThreadPoolExecutor(1, "store-write")
        self._waiting: OrderedDict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = OrderedDict()
        self._queueing = Lock()

    async def read(self, query: Callable[..., Answer], *given: Any) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._reader, query, *given)

    async def write(self, query: Callable[..., Answer], *given: Any, client: str = "") -> Answer:
        """What is written for one client is written in the order it came."""
        written: Future[Answer] = Future()
        with self._queueing:
            self._waiting.setdefault(client, deque()).append((written, partial(query, *given)))
        self._writer.submit(self._write_next)
        return await asyncio.wrap_future(written)

    def _write_next(self) -> None:
        """For the client who has waited longest for a turn; that client's next one then waits for all others."""
        with self._queueing:
            client, queue = self._waiting.popitem(last=False)
            written, query = queue.popleft()
            if queue:
                self._waiting[client] = queue
        if not written.set_running_or_notify_cancel():
            return
        try:
            written.set_result(query())
        except BaseException as error:
            written.set_exception(error)

    def close(self) -> None:
        self._reader.shutdown()
        self._writer.shutdown()
