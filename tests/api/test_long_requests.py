"""Requests that are too long in one place: refused by name, and no worker hears of them."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

LONG = "é" * 400_000
ASKED = {"text": "A film.", "model": "sst2-bow", "method": "leave-one-out"}


def restarts(client: TestClient) -> str:
    lines = client.get("/metrics").text.splitlines()
    return next(line for line in lines if line.startswith("espalier_worker_restarts_total"))


@pytest.mark.parametrize(
    "fields",
    [
        {"target": LONG},
        {"tree": f"(S {LONG})"},
        {"tree": "(" * 90_000},
        {"tree": f"(S {'é' * 90_000})"},
        {"model": LONG},
        {"method": LONG},
        {"spans": [[0, 1]] * 2000, "players": "spans"},
        {"parameters": {"window": LONG}},
        {"parameters": {str(number): 1 for number in range(100)}},
        {"background": ["x" * 20_000], "reference": "marginal"},
    ],
)
def test_what_is_too_long_is_refused_in_few_words(client: TestClient, fields: dict[str, Any]) -> None:
    before = restarts(client)
    answer = client.post("/v1/explanations", json=ASKED | fields)
    assert answer.status_code in (404, 422), answer.text[:300]
    assert len(answer.content) < 5_000
    assert client.post("/v1/predictions", json={"text": "A film.", "model": "sst2-bow"}).status_code == 200
    assert restarts(client) == before


@pytest.mark.parametrize("fields", [{"target": LONG}, {"method": LONG}, {"parameters": {"window": LONG}}])
def test_a_batch_that_is_too_long_beside_its_texts_is_refused(client: TestClient, fields: dict[str, Any]) -> None:
    body = {"texts": ["A film."], "model": "sst2-bow", "method": "leave-one-out"} | fields
    answer = client.post("/v1/batches", json=body)
    assert answer.status_code in (404, 422), answer.text[:300]
    assert len(answer.content) < 5_000
