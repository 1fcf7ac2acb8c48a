"""The store on threads of its own: the event loop never waits for a database."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class StoreThreads:
    """Several readers and one writer: what is written of a job arrives in the order it happened."""

    def __init__(self) -> None:
        self._reader = ThreadPoolExecutor(4, "store-read")
        self._writer = ThreadPoolExecutor(1, "store-write")

    async def read(self, query: Callable[..., Answer], *given: Any) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._reader, query, *given)

    async def write(self, query: Callable[..., Answer], *given: Any) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._writer, query, *given)

    def close(self) -> None:
        self._reader.shutdown()
        self._writer.shutdown()
