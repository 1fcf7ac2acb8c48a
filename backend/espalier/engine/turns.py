"""Small questions in turns: a bounded queue, the clients one after the other.

Predictions, trees, and whether a request can be done, are answered while somebody waits, so they are not jobs; but each
costs a worker's time, and without a queue one client could have a thousand of them before everybody else's.
"""

import asyncio
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from espalier.engine.admission import Busy

RETRY_SECONDS = 2


class Turns:
    """`at_once` are answered side by side; of one client `most_of_one` may be asked at a time, of all `most`."""

    def __init__(self, at_once: int, most_of_one: int = sys.maxsize, most: int = sys.maxsize) -> None:
        self._free = at_once
        self._most_of_one = most_of_one
        self._most = most
        self._asked: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """The caller's turn, when it comes. Refused at once where too many are asked already."""
        self._check("you have", self._asked[client], self._most_of_one)
        self._check("the service has", self._asked.total(), self._most)
        self._asked[client] += 1
        try:
            await self._wait(client)
            try:
                yield
            finally:
                self._next()
        finally:
            self._asked[client] -= 1
            if not self._asked[client]:
                del self._asked[client]  # or every address that ever asked would be remembered

    def _check(self, who: str, got: int, possible: int) -> None:
        if got >= possible:
            raise Busy(
                f"too much to do: {who} {got:,} questions waiting, possible are up to {possible:,}; "
                f"try again in {RETRY_SECONDS} seconds",
                RETRY_SECONDS,
            )

    async def _wait(self, client: str) -> None:
        if self._free > 0:
            self._free -= 1
            return
        coming: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(coming)
        try:
            await coming
        except asyncio.CancelledError:
            if coming.done() and not coming.cancelled():
                self._next()  # its turn had come just then
            raise

    def _next(self) -> None:
        """Give a turn to the client who has waited longest for one; that client's next question then waits for all
        others."""
        while self._waiting:
            client, queue = self._waiting.popitem(last=False)
            coming = queue.popleft()
            if queue:
                self._waiting[client] = queue
            if not coming.done():
                coming.set_result(None)
                return
        self._free += 1
