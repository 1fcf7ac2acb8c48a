"""Predictions and trees wait in a queue of their own, in which no client is before all others."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from espalier.api.app import CLIENT_DATASETS, create_app
from espalier.engine.admission import Busy
from espalier.engine.turns import Turns
from espalier.settings import Settings


async def ask(turns: Turns, client: str, order: list[str], gate: asyncio.Event) -> None:
    async with turns.turn(client):
        order.append(client)
        await gate.wait()


async def started(turns: Turns, clients: str, order: list[str], gate: asyncio.Event) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(ask(turns, client, order, gate)) for client in clients]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


async def test_a_client_with_many_questions_does_not_stand_before_one_with_one() -> None:
    order: list[str] = []
    gate = asyncio.Event()
    tasks = await started(Turns(1, 10, 100), "aaaaabc", order, gate)
    assert order == ["a"]
    gate.set()
    await asyncio.gather(*tasks)
    assert order == list("aabcaaa")


async def test_too_many_of_one_and_too_many_of_all_are_refused() -> None:
    turns, order, gate = Turns(1, 2, 3), [], asyncio.Event()
    tasks = await started(turns, "aab", order, gate)
    for client, said in (("a", "you have 2"), ("c", "the service has 3")):
        with pytest.raises(Busy, match=said) as refused:
            async with turns.turn(client):
                raise AssertionError
        assert refused.value.retry_after >= 1
    gate.set()
    await asyncio.gather(*tasks)
    async with turns.turn("a"):
        pass


async def test_who_leaves_the_queue_takes_nobodys_turn() -> None:
    turns, order, gate = Turns(1, 10, 100), [], asyncio.Event()
    tasks = await started(turns, "abc", order, gate)
    tasks[1].cancel()
    gate.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["a", "c"]
    async with turns.turn("d"):
        pass


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A server whose worker never answers."""
    app = create_app(Settings(data=tmp_path, frontend=tmp_path, client_questions=3))
    app.state.store.migrate()

    async def never(*given: Any) -> Any:
        await asyncio.Event().wait()

    for question in ("predict", "predict_all", "surprise", "parse"):
        setattr(app.state.engine, question, never)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/predictions", {"model": "sst2-bow", "text": "A film."}),
        ("/v1/surprise", {"model": "smollm2", "text": "A film."}),
        ("/v1/trees", {"text": "A film."}),
        ("/v1/models/sst2-bow:predict", {"instances": ["A film."]}),
    ],
)
async def test_a_client_that_asks_too_much_at_once_is_told_when_to_come_again(
    client: httpx.AsyncClient, path: str, body: dict[str, Any]
) -> None:
    waiting = [asyncio.create_task(client.post(path, json=body)) for _ in range(3)]
    await asyncio.sleep(0.2)
    refused = await client.post(path, json=body)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("POST", "/v1/evaluations"),
        ("POST", "/v1/evaluations/plan"),
        ("GET", "/v1/evaluations/none/results"),
        ("GET", "/v1/evaluations/none/points?measure=cohesion"),
        ("GET", "/v1/evaluations/none/table.csv"),
        ("POST", "/v1/studies"),
        ("POST", "/v1/studies/datasets"),
    ],
)
async def test_a_client_that_has_many_datasets_read_at_once_is_told_when_to_come_again(
    tmp_path: Path, verb: str, path: str
) -> None:
    app = create_app(Settings(data=tmp_path, frontend=tmp_path))
    app.state.store.migrate()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("10.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        others = [asyncio.create_task(_hold(app.state.dataset_turns)) for _ in range(CLIENT_DATASETS)]
        await asyncio.sleep(0)  # all of them have asked now
        refused = await client.request(verb, path, json={} if verb == "POST" else None)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        assert (await client.request(verb, path, json={} if verb == "POST" else None)).status_code in (202, 404, 422)


async def _hold(turns: Turns) -> None:
    async with turns.turn("address:10.0.0.1"):
        await asyncio.Event().wait()
