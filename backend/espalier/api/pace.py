"""Who is refused often is heard more slowly: making up wrong requests must not cost the others their server.

A refusal takes nearly as much work as an answer, and no quota counts it. So each caller has a few to spare, which come
back with time; whoever has used them up is let in one request at a time, at a pace that a person would not notice, and
more slowly after large bodies, which take longest to refuse. Sending more side by side does not help: they wait in one
line.
"""

import asyncio
import time
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from espalier.api import problems
from espalier.api.access.policy import KeyPolicy
from espalier.problems import Problem

SPARE = 30
"""Refusals that cost nothing: a program that tries things out, a page that looks for what is gone."""

BACK_EACH_SECOND = 1.0
"""Of them that a caller gets back."""

LARGE_BYTES = 500_000
LARGE = 10
"""Refusals that one with a body of this size, or a larger one, counts for."""

APART_SECONDS = 0.2
LARGE_APART_SECONDS = 5.0
"""Between two requests of a caller that has none to spare; the second after a large body that was refused."""

LINE = 20
"""Requests of such a caller that may wait; the next one is sent away."""

MOST_CALLERS = 10_000
"""Remembered at once, before those are forgotten that have all to spare."""


class TooManyRefusals(Problem):
    code = "too-many-refusals"
    status = 429
    retry_after = 5

    def __init__(self) -> None:
        super().__init__(
            f"too many requests were refused: got {LINE} waiting after more than {SPARE} wrong ones, possible is one "
            f"after the other, {1 / APART_SECONDS:g} a second, until there are fewer wrong ones"
        )


@dataclass(slots=True)
class _Record:
    """Of one caller: refusals not yet forgiven, as of when; when the next request is heard, and how many wait."""

    refused: float = 0.0
    counted: float = 0.0
    next_turn: float = 0.0
    waiting: int = 0

    def left(self, now: float) -> float:
        return max(0.0, self.refused - (now - self.counted) * BACK_EACH_SECOND)

    def add(self, now: float, size: int) -> None:
        part = min(1.0, size / LARGE_BYTES)
        # No further than a little past the mark: who was wrong for an hour is not paced for another one.
        self.refused = min(self.left(now) + 1 + part * (LARGE - 1), 1.5 * SPARE)
        self.counted = now
        self.next_turn = max(self.next_turn, now + part * LARGE_APART_SECONDS)

    async def turn(self) -> None:
        """Wait for it, if this caller has nothing to spare."""
        now = time.monotonic()
        if self.left(now) <= SPARE:
            return
        if self.waiting >= LINE:
            raise TooManyRefusals
        turn = max(now, self.next_turn)
        self.next_turn = turn + APART_SECONDS
        self.waiting += 1
        try:
            await asyncio.sleep(turn - now)
        finally:
            self.waiting -= 1


class Pace:
    """Knows the caller by what the gate has found out. Where no keys are asked for, everyone is one user, who may do to
    their own machine what they like."""

    def __init__(self, app: ASGIApp, policy: KeyPolicy) -> None:
        self.app = app
        self.policy = policy
        self._records: dict[str, _Record] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.policy.asks(scope):
            await self.app(scope, receive, send)
            return
        client: str = scope["state"]["caller"].client
        try:
            if (record := self._records.get(client)) is not None:
                await record.turn()
        except TooManyRefusals as problem:
            await problems.answer(problem)(scope, receive, send)
            return
        size = 0

        async def weighed() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            return message

        async def seen(message: Message) -> None:
            if message["type"] == "http.response.start" and 400 <= message["status"] < 500:
                self._refused(client, size)
            await send(message)

        await self.app(scope, weighed, seen)

    def _refused(self, client: str, size: int) -> None:
        now = time.monotonic()
        if len(self._records) >= MOST_CALLERS:
            self._records = {who: each for who, each in self._records.items() if each.left(now) or each.waiting}
        self._records.setdefault(client, _Record()).add(now, size)
