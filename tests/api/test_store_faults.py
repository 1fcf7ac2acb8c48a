"""A store that cannot be written is said, and nothing is half done."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx import Response
from sqlalchemy import event

from espalier.store import Store


def ask(client: TestClient, text: str, method: str = "leave-one-out", **fields: Any) -> Response:
    return client.post("/v1/explanations", json={"text": text, "model": "sst2-bow", "method": method} | fields)


@contextmanager
def locked(client: TestClient) -> Iterator[None]:
    """Somebody else writes, and does not come to an end."""
    other = sqlite3.connect(client.app.state.store.engine.url.database, isolation_level=None)  # type: ignore[attr-defined]
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@contextmanager
def full(store: Store) -> Iterator[None]:
    """No page more than there are."""

    def limit(connection: Any, *_: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite takes it for as many pages as there are

    def lift(connection: Any, *_: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1073741823")

    event.listen(store.engine, "checkout", limit)
    try:
        yield
    finally:
        event.remove(store.engine, "checkout", limit)
        event.listen(store.engine, "checkout", lift)


def assert_unavailable(answer: Response, said: str) -> None:
    assert answer.status_code == 503
    assert answer.json()["type"] == "urn:espalier:problem:store-unavailable"
    assert said in answer.json()["detail"]
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.slow
def test_a_locked_database_refuses_jobs_and_answers_the_rest(client: TestClient) -> None:
    with locked(client):
        assert_unavailable(ask(client, "A locked film."), "locked")
        assert client.get("/health/live").status_code == 200
        assert client.post("/v1/predictions", json={"text": "A film.", "model": "sst2-bow"}).status_code == 200
    assert ask(client, "A locked film.").status_code == 202


def test_a_job_that_ends_while_the_database_is_locked_is_written_later(client: TestClient) -> None:
    identity = ask(client, "A film that " * 12, "asiv", model="sst2-minilm", parameters={"budget": 200}).json()["id"]
    with locked(client):
        wait(lambda: client.get(f"/v1/explanations/{identity}").json()["progress"]["evaluated"] >= 200)
        assert client.get(f"/v1/explanations/{identity}").json()["status"] == "running"
    wait(lambda: client.get(f"/v1/explanations/{identity}").json()["status"] == "succeeded")


def test_a_full_disk_refuses_jobs_and_corrupts_nothing(client: TestClient) -> None:
    store: Store = client.app.state.store  # type: ignore[attr-defined]
    long = "A film of many words. " * 50
    with full(store):
        answers = [ask(client, f"{long} 0")]
        while answers[-1].status_code == 202:
            assert len(answers) < 1000
            answers.append(ask(client, f"{long} {len(answers)}"))
        assert_unavailable(answers[-1], "full")
    assert ask(client, f"{long} again").status_code == 202
    for answer in answers[:-1]:
        wait(lambda answer=answer: client.get(answer.headers["location"]).json()["status"] == "succeeded")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"


def wait(condition: Any) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def quiet(client: TestClient) -> None:
    """Jobs of other tests have ended, so that nobody else writes."""
    wait(lambda: not client.app.state.engine.pressure("").jobs)  # type: ignore[attr-defined]
