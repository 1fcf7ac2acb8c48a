"""Bodies that are made to keep the server busy: what one costs grows with its size, and with nothing else."""

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from espalier.api import strict_json
from espalier.api.app import create_app
from espalier.settings import Settings

pytestmark = pytest.mark.slow  # a refused connection is kept open for a second

MEGABYTE = 1_000_000


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(data=tmp_path, frontend=tmp_path))
    app.state.store.migrate()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


def seconds(body: bytes) -> float:
    """Processor time of checking a body, the least of three. This thread's own: earlier tests left others running."""
    spent = []
    for _ in range(3):
        started = time.thread_time()
        strict_json.check(body, most_fields=len(body))
        spent.append(time.thread_time() - started)
    return min(spent)


def test_digits_cost_no_more_than_other_characters() -> None:
    """299 of them and something else, over and over: each was looked at 300 times."""
    long_runs = b'{"text": "' + b"9" * 299
    body = (long_runs + b'x", "a": "') * (MEGABYTE // 310)
    other = b"9xxxxxxxxx" * (len(body) // 10)
    assert seconds(body) < 10 * seconds(other) + 0.01


async def test_ten_of_many_wrong_fields_are_named(client: httpx.AsyncClient) -> None:
    body: dict[str, Any] = {"text": "A film."} | {f"field{number}": 1 for number in range(900)}
    answer = await client.post("/v1/explanations", json=body)
    assert answer.status_code == 422
    detail = answer.json()["detail"]
    assert detail.count("field") == 10
    assert detail.endswith("; and 890 more")


async def test_the_name_of_a_wrong_field_is_not_repeated_in_full(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/explanations", json={"text": "A film.", "x" * 500_000: 1})
    assert answer.status_code == 422
    assert len(answer.content) < 1000


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["fields", "nested", "parameters"])
async def test_more_fields_than_any_request_has_are_refused_before_they_are_looked_at(
    client: httpx.AsyncClient, shape: str
) -> None:
    many = {f"f{number}\\": 1 for number in range(20_000)}
    body: dict[str, Any] = {
        "fields": {"text": "A film."} | many,
        "nested": {"text": "A film.", "parameters": {"x": [many]}},
        "parameters": {"text": "A film.", "parameters": many},
    }[shape]
    answer = await client.post("/v1/explanations", content=json.dumps(body), headers=JSON)
    assert answer.status_code == 422
    assert "too many fields" in answer.json()["detail"]


async def test_more_lists_than_any_request_has_are_refused_before_they_are_looked_at(client: httpx.AsyncClient) -> None:
    spans = [[0, 1]] * 50_000
    answer = await client.post("/v1/explanations", json={"text": "A film.", "players": "spans", "spans": spans})
    assert answer.status_code == 422
    assert "too many lists" in answer.json()["detail"]
    text = "],[" * 16_000
    answer = await client.post("/v1/explanations", json={"text": text, "model": "nobody's"})
    assert "too many lists" not in answer.json()["detail"]


@pytest.mark.parametrize("number", ["1e999", "1E+999", "-1e400", "9" * 400 + ".5", "NaN", "-Infinity"])
def test_numbers_that_are_not_finite_are_found_wherever_they_stand(number: str) -> None:
    with pytest.raises(strict_json.BadJSON):
        strict_json.check(f'{{"text": "{"x" * 1_000}", "x": [{{"y": {number}}}]}}'.encode())


async def test_kserves_many_instances_are_not_too_many_fields(client: httpx.AsyncClient) -> None:
    body = {"instances": [{"text": "A film.", "pair": 1}] * 1_900}
    refused = (await client.post("/v1/models/sst2-bow:predict", json=body)).json()["detail"]
    assert "too many fields" not in refused
    assert "pair" in refused


async def test_a_text_may_look_like_fields(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/explanations", json={"text": '"a": ' * 5_000, "colour": "red"})
    assert "colour" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/v1/sessions", "/v1/session/answers", "/v1/session/stages", "/v1/session/x"])
async def test_where_no_key_is_asked_for_bodies_are_small(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.post(path, content=b'{"study": "' + b"a" * 40_000 + b'"}', headers=JSON)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        {"study": "a" * 5_000},
        {"study": "s", "parameters": {"PROLIFIC_PID": "a" * 10_000}},
        {"study": "s", "parameters": {"a" * 5_000: "a"}},
        {"study": "s", "parameters": {str(number): "a" for number in range(21)}},
    ],
)
async def test_what_people_come_with_has_a_length(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    assert (await client.post("/v1/sessions", json=body)).status_code == 422


@pytest.mark.parametrize("given", ["9" * 5_000, "-1", "1e5", "٣", "9" * 18])
async def test_an_event_id_that_is_none_is_no_failure(client: httpx.AsyncClient, given: str) -> None:
    body = {"text": "A film.", "model": "sst2-bow", "method": "leave-one-out"}
    job = (await client.post("/v1/explanations", json=body)).json()["id"]
    await client.delete(f"/v1/explanations/{job}")
    headers = [(b"Last-Event-ID", given.encode())]
    answer = await client.get(f"/v1/explanations/{job}/events", headers=headers)
    assert answer.status_code == 200
    assert "event: finished" in answer.text


JSON = {"Content-Type": "application/json"}
