"""Whoever is refused often is heard more slowly, and nobody else is."""

import asyncio
import time
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from espalier.access import Caller
from espalier.api import pace, problems
from espalier.api.access.policy import KeyPolicy
from espalier.api.pace import LINE, SPARE, Pace
from espalier.problems import Problem


class Named:
    """A gate that believes everybody."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = dict(scope["headers"]).get(b"who", b"nobody").decode()
        scope.setdefault("state", {})["caller"] = Caller(f"key:{who}")
        await self.app(scope, receive, send)


class Wrong(Problem):
    status = 422


def served(policy: KeyPolicy) -> FastAPI:
    app = FastAPI()
    problems.install(app)
    app.add_middleware(Pace, policy=policy)
    app.add_middleware(Named)

    @app.get("/right")
    async def right() -> str:
        return "yes"

    @app.get("/wrong")
    async def wrong() -> str:
        raise Wrong("no")

    @app.post("/wrong")
    async def read_and_wrong(request: Request) -> str:
        await request.body()
        raise Wrong("no")

    return app


def client_of(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://here")


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    monkeypatch.setattr(pace, "APART_SECONDS", 0.0)
    async with client_of(served(KeyPolicy(always=True))) as client:
        yield client


async def ask(client: httpx.AsyncClient, path: str = "/wrong", who: str = "a") -> int:
    return (await client.get(path, headers={"who": who})).status_code


async def use_up(client: httpx.AsyncClient) -> None:
    """What a caller has to spare, and what it gets back meanwhile on a slow machine."""
    for _ in range(SPARE + SPARE // 2):
        assert await ask(client) == 422


async def test_who_has_refusals_to_spare_does_not_wait(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pace, "APART_SECONDS", 3600.0)
    async with asyncio.timeout(300):
        for _ in range(SPARE):
            assert await ask(client) == 422


async def test_many_right_requests_do_not_slow_anybody(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pace, "APART_SECONDS", 3600.0)
    async with asyncio.timeout(300):
        for _ in range(5 * SPARE):
            assert await ask(client, "/right") == 200


async def test_who_is_refused_often_is_heard_one_after_the_other(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    await use_up(client)
    monkeypatch.setattr(pace, "APART_SECONDS", 0.05)
    monkeypatch.setattr(pace, "BACK_EACH_SECOND", 0.0)
    started = time.monotonic()
    assert set(await asyncio.gather(*(ask(client) for _ in range(10)))) == {422}
    assert time.monotonic() - started >= 9 * 0.05  # side by side, and in one line all the same


async def test_others_do_not_wait_with_them(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch):
    await use_up(client)
    monkeypatch.setattr(pace, "BACK_EACH_SECOND", 0.0)
    monkeypatch.setattr(pace, "APART_SECONDS", 3600.0)
    slow = [asyncio.create_task(ask(client)) for _ in range(3)]
    async with asyncio.timeout(300):
        assert await ask(client, "/right", who="b") == 200
    assert not all(task.done() for task in slow)
    for task in slow:
        task.cancel()


async def test_a_line_that_is_too_long_is_sent_away_with_a_time_to_return(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    await use_up(client)
    monkeypatch.setattr(pace, "BACK_EACH_SECOND", 0.0)
    monkeypatch.setattr(pace, "APART_SECONDS", 3600.0)
    waiting = [asyncio.create_task(ask(client)) for _ in range(LINE + 1)]  # the first one is heard at once
    while sum(task.done() for task in waiting) == 0:
        await asyncio.sleep(0)
    answer = await client.get("/right", headers={"who": "a"})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
    assert answer.json()["type"] == "urn:espalier:problem:too-many-refusals"
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_large_bodies_count_for_many_and_are_waited_for_longer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pace, "BACK_EACH_SECOND", 0.0)
    paced = Pace(served(KeyPolicy(always=True)), KeyPolicy(always=True))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=Named(paced)), base_url="http://here") as client:
        for _ in range(SPARE // pace.LARGE):
            assert (await client.post("/wrong", content=b"x" * pace.LARGE_BYTES)).status_code == 422
        record = paced._records["key:nobody"]
        assert record.left(time.monotonic()) == SPARE  # so few, and nothing is left to spare
        before = time.monotonic()
        await client.post("/wrong", content=b"x" * pace.LARGE_BYTES)
    assert record.next_turn >= before + pace.LARGE_APART_SECONDS


async def test_who_has_been_quiet_is_heard_at_once_again(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch):
    await use_up(client)
    monkeypatch.setattr(pace, "APART_SECONDS", 3600.0)
    monkeypatch.setattr(pace, "BACK_EACH_SECOND", 1e6)
    async with asyncio.timeout(300):
        for _ in range(3):
            assert await ask(client, "/right") == 200


async def test_those_with_all_to_spare_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pace, "MOST_CALLERS", 5)
    monkeypatch.setattr(pace, "BACK_EACH_SECOND", 1e6)
    paced = Pace(served(KeyPolicy(always=True)), KeyPolicy(always=True))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=Named(paced)), base_url="http://here") as client:
        for number in range(50):
            await ask(client, who=str(number))
    assert len(paced._records) <= 5


async def test_where_no_keys_are_asked_for_nobody_waits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pace, "APART_SECONDS", 3600.0)
    monkeypatch.setattr(pace, "BACK_EACH_SECOND", 0.0)
    async with asyncio.timeout(300), client_of(served(KeyPolicy(always=False))) as client:
        for _ in range(3 * SPARE):
            assert await ask(client) == 422
