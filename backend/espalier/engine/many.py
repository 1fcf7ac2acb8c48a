"""Many texts as one piece of work: several are on their way at once, so that the model always has full batches.

While the model is at the rows of some texts, others are read, tokenised and parsed, and what was found of the first is
put together. That is all there is to it: hosts fill batches from whoever asks, and the parser parses for all who wait.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")

AT_ONCE = 16
"""Texts on their way. A batch of the model holds the rows of one or two sentences by LS-Tree, a dozen are parsed
together, and a few more are being put together."""


def each_of(asked: Iterable[Asked], answer: Callable[[Asked], Found], at_once: int = AT_ONCE) -> Iterator[Found]:
    """`answer` of each, in order, some of them at the same time. What it raises is raised where its answer would come;
    whoever stops early waits for those under way and begins no more."""
    with ThreadPoolExecutor(at_once, "text") as threads:
        under_way: deque[Future[Found]] = deque()
        try:
            for one in asked:
                if len(under_way) == at_once:
                    yield under_way.popleft().result()
                under_way.append(threads.submit(answer, one))
            while under_way:
                yield under_way.popleft().result()
        finally:
            for future in under_way:
                future.cancel()


async def each_awaited(
    asked: Iterable[Asked], answer: Callable[[Asked], Coroutine[Any, Any, Found]], at_once: Callable[[], int]
) -> AsyncGenerator[tuple[Asked, Found]]:
    """The same where answers come from elsewhere and are only waited for. `at_once` is asked again after every answer:
    with none allowed it ends. Whoever stops early cancels those under way."""
    waiting = iter(asked)
    under_way: deque[tuple[Asked, asyncio.Task[Found]]] = deque()
    try:
        while True:
            while len(under_way) < at_once():
                for one in waiting:
                    under_way.append((one, asyncio.create_task(answer(one))))
                    break
                else:
                    break
            if not under_way:
                return
            one, task = under_way[0]
            found = await task
            under_way.popleft()
            yield one, found
    finally:
        for _, task in under_way:
            task.cancel()
        await asyncio.gather(*(task for _, task in under_way), return_exceptions=True)
