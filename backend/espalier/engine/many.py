"""Many texts as one piece of work: several are on their way at once, so that the model always has full batches.

While the model is at the rows of some texts, others are read, tokenised and parsed, and what was found of the first is
put together. That is all there is to it: hosts fill batches from whoever asks, and the parser parses for all who wait.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

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
