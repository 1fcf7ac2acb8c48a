"""Threads on which keys and sign-ins are looked up: whatever else waits for a thread, nobody is locked out by it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Found = TypeVar("Found")

_THREADS = ThreadPoolExecutor(4, "gate")


async def look_up(query: Callable[..., Found], *given: Any) -> Found:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, query, *given)
