"""POST /v1/batches on a real server."""

import json
import time
from typing import Any

import httpx
import pytest

HOW = {"model": "sst2-bow", "method": "leave-one-out"}
TEXTS = [f"Film number {number} is good." for number in range(20)]


@pytest.fixture(scope="module")
def batch(service: str) -> dict[str, Any]:
    answer = httpx.post(f"{service}/v1/batches", json={"texts": TEXTS, **HOW}, timeout=60)
    assert answer.status_code == 202
    document: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/v1/batches/{document['id']}"
    return document


def lines(service: str, batch: dict[str, Any], after: int = 0) -> list[str]:
    answer = httpx.get(f"{service}{batch['results']}", params={"after": after}, timeout=300)
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [line for line in answer.text.split("\n") if line]


def test_results_come_in_order_and_are_those_of_single_questions(service: str, batch: dict[str, Any]) -> None:
    read = [json.loads(line) for line in lines(service, batch)]
    assert [line["index"] for line in read] == list(range(len(TEXTS)))
    body = {"text": TEXTS[7], **HOW}
    single = httpx.post(f"{service}/v1/explanations", json=body, headers={"Prefer": "wait=30"}, timeout=60)
    assert read[7]["explanation"] == single.json()["explanation"]


def test_reading_again_gives_the_same_bytes_and_can_begin_anywhere(service: str, batch: dict[str, Any]) -> None:
    everything = lines(service, batch)
    assert lines(service, batch) == everything
    assert lines(service, batch, after=15) == everything[15:]
    assert lines(service, batch, after=len(TEXTS)) == []


def test_a_finished_batch_says_so(service: str, batch: dict[str, Any]) -> None:
    deadline = time.monotonic() + 120
    while (shown := httpx.get(f"{service}/v1/batches/{batch['id']}").json())["status"] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (shown["status"], shown["done"], shown["failed"], shown["total"]) == ("finished", 20, 0, 20)


def test_a_cancelled_batch_ends_with_the_reason_in_its_lines(service: str) -> None:
    texts = [f"The film number {number} is not very good, but the music of it is." for number in range(300)]
    body = {"texts": texts, "model": "sst2-minilm", "method": "hedge"}
    batch = httpx.post(f"{service}/v1/batches", json=body, timeout=60).json()
    cancelled = httpx.delete(f"{service}/v1/batches/{batch['id']}", timeout=60).json()
    assert cancelled["status"] == "cancelled"
    last = json.loads(lines(service, batch, after=299)[0])
    assert last["problem"]["type"] == "urn:espalier:problem:cancelled"


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        ({"texts": []}, 422, "texts"),
        ({"texts": ["x"] * 1001}, 422, "1000"),
        ({"model": "nobody"}, 404, "unknown model"),
        ({"method": "magic"}, 404, "unknown method"),
        ({"parameters": {"magic": 1}}, 422, "bad parameter"),
        ({"pair": "x"}, 422, "pair"),
    ],
)
def test_what_is_wrong_for_all_texts_is_refused_at_once(service: str, change: Any, status: int, said: str) -> None:
    answer = httpx.post(f"{service}/v1/batches", json={"texts": ["Good."], **HOW} | change, timeout=60)
    assert answer.status_code == status
    assert said in answer.json()["detail"]


def test_a_batch_that_is_not_there_is_a_problem(service: str) -> None:
    for answer in (httpx.get(f"{service}/v1/batches/no"), httpx.get(f"{service}/v1/batches/no/results")):
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
