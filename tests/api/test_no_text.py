"""What is no text, or is nested beyond reading: refused at every door, before anything is written or answered."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from espalier.api.app import create_app
from espalier.api.openapi import COMMITTED
from espalier.settings import Settings

pytestmark = pytest.mark.slow  # a refused connection is kept open for a second

JSON = {"Content-Type": "application/json"}
BODIES = [
    (verb, path)
    for path, operations in json.loads(COMMITTED.read_text())["paths"].items()
    for verb, operation in operations.items()
    if "requestBody" in operation
]
"""Wherever a body is taken."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    folder = tmp_path_factory.mktemp("data")
    made = create_app(Settings(data=folder, frontend=folder))
    made.state.store.migrate()
    return made


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


def filled(path: str) -> str:
    names = {"model": "sst2-bow", "study": "s1", "person": "1", "evaluation": "e1", "identity": "i1"}
    return path.format(**names)


@pytest.mark.parametrize(("verb", "path"), BODIES)
async def test_a_nul_is_no_text_wherever_it_comes(client: httpx.AsyncClient, verb: str, path: str) -> None:
    """PostgreSQL keeps none."""
    for body in (b'{"text": "a\\u0000b"}', b'{"rows": [{"text": "\\\\\\u0000"}]}', b'{"\\u0000": 1}'):
        answer = await client.request(verb, filled(path), content=body, headers=JSON)
        assert answer.status_code == 422
        assert "U+0000" in answer.json()["detail"]


@pytest.mark.parametrize(("verb", "path"), BODIES)
async def test_half_a_character_is_no_text_wherever_it_comes(client: httpx.AsyncClient, verb: str, path: str) -> None:
    answer = await client.request(verb, filled(path), content=b'{"rows": [{"text": "\\ud83d"}]}', headers=JSON)
    assert answer.status_code == 422
    assert "U+D83D" in answer.json()["detail"]


@pytest.mark.parametrize(("verb", "path"), BODIES)
async def test_what_is_nested_too_deeply_is_refused_wherever_it_comes(
    client: httpx.AsyncClient, verb: str, path: str
) -> None:
    inner = "[" * 300 + "1" + "]" * 300
    for nested in (inner, '{"a":' * 300 + "1" + "}" * 300):
        body = f'{{"parameters": {{"x": {nested}}}}}'
        answer = await client.request(verb, filled(path), content=body, headers=JSON)
        assert answer.status_code == 422
        assert "nested too deeply" in answer.json()["detail"]


async def test_a_batch_with_nested_parameters_is_refused(client: httpx.AsyncClient) -> None:
    """Its settings were written before they were checked."""
    deep: Any = 1
    for _ in range(250):
        deep = [deep]
    body = {"texts": ["A film."], "model": "sst2-bow", "method": "leave-one-out", "parameters": {"x": deep}}
    assert (await client.post("/v1/batches", json=body)).status_code == 422


@pytest.mark.parametrize("text", ["\\\\u0000", "backslash \\\\\\\\u0000", "[" * 300, '{\\"a\\":' * 300, "\\\\ud83d"])
async def test_a_text_may_speak_of_all_that(client: httpx.AsyncClient, text: str) -> None:
    answer = await client.post("/v1/explanations", content=f'{{"text": "{text}", "colour": 1}}', headers=JSON)
    assert "colour" in answer.json()["detail"]


@pytest.mark.parametrize(
    "line", ["[" * 5_000, '{"text": ' + "9" * 5_000 + "}", '{"text": "\\ud83d"}', '{"text": "\\u0000"}']
)
@pytest.mark.parametrize("path", ["/v1/evaluations/plan", "/v1/evaluations", "/v1/studies", "/v1/studies/datasets"])
async def test_a_line_of_an_uploaded_file_is_refused_by_its_number(
    client: httpx.AsyncClient, path: str, line: str
) -> None:
    dataset = {"kind": "file", "name": "a.jsonl", "content": '{"text": "fine"}\n' + line}
    body: dict[str, Any] = {
        "/v1/studies/datasets": dataset,
        "/v1/studies": {"title": "T", "protocol": "coherence", "methods": ["leave-one-out"], "models": ["sst2-bow"]},
    }.get(path, {"models": ["sst2-bow"], "methods": [{"method": "leave-one-out"}]})
    answer = await client.post(path, json=body if body is dataset else body | {"dataset": dataset})
    assert answer.status_code == 422
    assert "line 2" in answer.json()["detail"]
