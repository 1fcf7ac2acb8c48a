"""Bodies of all connections together, at the real door: large ones are told to come again, small ones find room."""

import asyncio
import json
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.types import Message

from espalier.api import problems
from espalier.api.request_guard import RequestGuard
from espalier.api.room import SMALL_BYTES

LARGE = SMALL_BYTES + 10_000


class Echo(BaseModel):
    text: str


@pytest.fixture
def app() -> FastAPI:
    """Room for two large bodies and a bit."""
    made = FastAPI()
    problems.install(made)
    made.add_middleware(RequestGuard, max_bytes=1_000_000, seconds=60, room=25_000)

    @made.post("/echo")
    async def echo(body: Echo) -> int:
        return len(body.text)

    return made


class Line:
    """A client that sends its body in pieces, when it is told to."""

    def __init__(self, app: FastAPI, *headers: tuple[bytes, bytes]) -> None:
        self.sent: asyncio.Queue[Message] = asyncio.Queue()
        self.heard: list[Message] = []
        scope: Any = {
            "type": "http",
            "method": "POST",
            "path": "/echo",
            "raw_path": b"/echo",
            "query_string": b"",
            "headers": [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked"), *headers],
            "server": ("192.0.2.1", 80),
        }
        self._answering = asyncio.create_task(app(scope, self.sent.get, self._hear))

    async def _hear(self, message: Message) -> None:
        self.heard.append(message)

    async def say(self, piece: bytes, more: bool = True) -> None:
        """Said, and heard by the server: whatever can be done without a further piece is done."""
        await self.sent.put({"type": "http.request", "body": piece, "more_body": more})
        while not self.sent.empty():
            await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def leave(self) -> None:
        await self.sent.put({"type": "http.disconnect"})
        await self._answering

    async def answer(self) -> tuple[int, dict[bytes, bytes]]:
        await self._answering
        return self.heard[0]["status"], dict(self.heard[0]["headers"])


def body(size: int) -> bytes:
    return json.dumps({"text": "x" * (size - len('{"text": ""}'))}).encode()


async def test_large_bodies_beyond_the_room_are_told_to_come_again_and_small_ones_find_it(app: FastAPI) -> None:
    first, second, third, small = (Line(app) for _ in range(4))
    await first.say(body(LARGE)[:-1])
    await second.say(body(LARGE)[:-1])
    await third.say(body(LARGE), more=False)
    status, headers = await third.answer()
    assert status == 503
    assert int(headers[b"retry-after"]) > 0
    await small.say(body(SMALL_BYTES), more=False)
    assert (await small.answer())[0] == 200
    await first.say(b"}", more=False)
    assert (await first.answer())[0] == 200
    again = Line(app)
    await again.say(body(LARGE), more=False)
    assert (await again.answer())[0] == 200
    await second.leave()


async def test_who_leaves_in_the_middle_leaves_the_room(app: FastAPI) -> None:
    for _ in range(5):
        line = Line(app)
        await line.say(body(LARGE)[:-1])
        await line.leave()
        assert line.heard == []
    last = Line(app)
    await last.say(body(LARGE), more=False)
    assert (await last.answer())[0] == 200


async def test_what_is_announced_and_does_not_come_takes_no_room(app: FastAPI) -> None:
    waiting = [Line(app, (b"content-length", b"900000")) for _ in range(10)]
    for line in waiting:
        await line.say(b'{"text": "')
    large = Line(app)
    await large.say(body(LARGE), more=False)
    assert (await large.answer())[0] == 200
    for line in waiting:
        await line.leave()
