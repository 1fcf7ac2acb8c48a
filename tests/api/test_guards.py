"""The guards as the app puts them together: keys, quotas and larger bodies. No worker is needed for any of it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from espalier.access import issue
from espalier.api.app import create_app
from espalier.settings import Settings


@pytest.fixture
def make(tmp_path: Path) -> Any:
    def made(**settings: Any) -> FastAPI:
        app = create_app(Settings(data=tmp_path, frontend=tmp_path, **settings))
        app.state.store.migrate()
        return app

    return made


def client_of(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url="http://test")


@pytest.fixture
async def reachable(make: Any) -> AsyncIterator[tuple[httpx.AsyncClient, FastAPI]]:
    """A server that other machines can reach."""
    app = make(host="0.0.0.0")
    async with client_of(app) as client:
        yield client, app


async def test_a_server_that_others_can_reach_asks_for_a_key(reachable: tuple[httpx.AsyncClient, FastAPI]) -> None:
    client, app = reachable
    assert (await client.get("/v1/catalog")).status_code == 401
    assert (await client.get("/metrics")).status_code == 401
    assert (await client.get("/health/live")).status_code == 200
    key, text = issue("Ada", "use")
    app.state.keys.add(key)
    answer = await client.get("/v1/catalog", headers={"Authorization": f"Bearer {text}"})
    assert answer.status_code == 200
    assert "content-security-policy" in answer.headers


async def test_a_person_signs_in_with_a_form(reachable: tuple[httpx.AsyncClient, FastAPI]) -> None:
    client, app = reachable
    key, text = issue("Ada", "use")
    app.state.keys.add(key)
    assert (await client.get("/", headers={"Accept": "text/html"})).headers["location"] == "/sign-in"
    own = {"Origin": "http://test"}
    assert (await client.post("/sign-in", data={"key": text}, headers=own)).status_code == 303
    assert (await client.get("/v1/catalog")).status_code == 200
    assert (await client.post("/sign-out", headers=own)).status_code == 303
    assert (await client.get("/v1/catalog")).status_code == 401


async def test_a_server_for_this_machine_asks_for_none(make: Any) -> None:
    async with client_of(make()) as client:
        assert (await client.get("/v1/catalog")).status_code == 200


def asked(number: int) -> dict[str, Any]:
    return {"text": f"Film number {number} is good.", "model": "sst2-bow", "method": "leave-one-out"}


async def test_too_many_jobs_of_one_client_are_refused_with_when_to_come_again(make: Any) -> None:
    async with client_of(make(client_jobs=2)) as client:
        for number in range(2):
            assert (await client.post("/v1/explanations", json=asked(number))).status_code == 202
        refused = await client.post("/v1/explanations", json=asked(3))
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.json()["type"] == "urn:espalier:problem:busy"
    assert "you have 2 jobs waiting, possible are up to 2" in refused.json()["detail"]


async def test_too_much_expected_work_of_all_clients_is_refused(make: Any) -> None:
    async with client_of(make(evaluations=900)) as client:
        answers = [await client.post("/v1/explanations", json=asked(number)) for number in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert "the service has 1,000 evaluations waiting" in answers[2].json()["detail"]


async def test_the_same_request_with_its_key_is_answered_even_then(make: Any) -> None:
    async with client_of(make(client_jobs=1)) as client:
        headers = {"Idempotency-Key": "once"}
        first = await client.post("/v1/explanations", json=asked(1), headers=headers)
        again = await client.post("/v1/explanations", json=asked(1), headers=headers)
    assert first.json()["id"] == again.json()["id"]


async def test_only_a_batch_may_be_large(make: Any) -> None:
    body = {"texts": ["A film. " * 200_000], "colour": "red"}  # refused for its colour, once it was read
    async with client_of(make()) as client:
        assert (await client.post("/v1/batches", json=body)).status_code == 422
        assert (await client.post("/v1/trees", json=body)).status_code == 413
    async with client_of(make(max_batch_bytes=1000)) as client:
        assert (await client.post("/v1/batches", json=body)).status_code == 413
