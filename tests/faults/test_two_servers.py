"""Two servers on one PostgreSQL, one of them killed with kill -9 under load. `make faults` sends 200 jobs."""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from tests.faults.server import PATIENCE, Server, requests, undisturbed, without_timing
from tests.store.postgres import Postgres

from espalier.store import Store
from espalier.store.jobs import JobRow

JOBS = int(os.environ.get("ESPALIER_SHARED_JOBS", "12"))
CLIENTS = 8
LONG = {
    "text": "A long and winding film " * 10,
    "model": "sst2-minilm",
    "method": "asiv",
    "parameters": {"budget": 3000},
}

Pair = tuple[Server, Server]


@pytest.fixture(scope="module")
def database(postgres: Postgres) -> str:
    return postgres.database()


@pytest.fixture(scope="module")
def pair(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    settings = {"ESPALIER_DATABASE": database, "ESPALIER_CLAIM_SECONDS": "3", "ESPALIER_STOP_SECONDS": "0"}
    servers = Server(tmp_path_factory.mktemp("one"), settings), Server(tmp_path_factory.mktemp("other"), settings)
    for server in servers:
        server.start()
    for server in servers:
        server.wait_until()
    yield servers
    for server in servers:
        server.stop()


def streamed(server: Server, identity: str) -> list[str]:
    """Names of all events of a job, listened to at one server to the end."""
    names: list[str] = []
    last = "0"
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            headers = {"Last-Event-ID": last}
            with server.client.stream("GET", f"/v1/explanations/{identity}/events", headers=headers) as answer:
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        last = line[4:]
                    elif line.startswith("event: "):
                        names.append(line[7:])
                    elif names[-1:] == ["finished"] and line.startswith("data: "):
                        assert json.loads(line[6:])["id"] == identity
                        return names
        except httpx.TransportError:
            time.sleep(0.1)
    raise TimeoutError(f"the stream of {identity} did not end")


def test_a_job_is_cancelled_at_the_server_that_does_not_have_it(pair: Pair) -> None:
    one, other = pair
    identity = one.ask(LONG, key="to be cancelled")
    assert other.client.get(f"/v1/explanations/{identity}").json()["status"] in ("queued", "running")
    assert other.client.delete(f"/v1/explanations/{identity}").json()["status"] == "cancelled"
    assert one.client.get(f"/v1/explanations/{identity}").json()["status"] == "cancelled"


def test_a_server_killed_under_load_loses_no_job_and_the_other_sees_every_stream_through(
    pair: Pair, database: str
) -> None:
    """Jobs go to both in turns; after half of them the first one is killed and stays away."""
    one, other = pair
    asked = requests(JOBS, seed=11)
    accepted: dict[str, dict[str, Any]] = {}
    streams: dict[str, list[str]] = {}
    sent = threading.Semaphore(0)

    def send(number: int) -> None:
        request = asked[number]
        first = pair[number % 2]
        try:
            identity = first.ask(request, key=request["text"])
        except httpx.TransportError:
            identity = other.ask(request, key=request["text"])
        accepted[identity] = request
        sent.release()
        streams[identity] = streamed(other, identity)

    with ThreadPoolExecutor(CLIENTS) as clients:
        sending = [clients.submit(send, number) for number in range(JOBS)]
        for _ in range(JOBS // 2):
            assert sent.acquire(timeout=PATIENCE)
        one.gave_up = True
        one.kill()
        for each in sending:
            each.result(timeout=PATIENCE)

    assert len(accepted) == JOBS, "a job was accepted twice"
    for identity, request in accepted.items():
        job = other.wait(identity)
        assert job["status"] == "succeeded", job["problem"]
        assert without_timing(job["explanation"]) == undisturbed(request)
        assert Counter(streams[identity])["finished"] == 1
    store = Store.at(database)
    with store.read() as session:
        ended = session.scalar(select(func.count()).where(JobRow.status == "succeeded"))
        unfinished = session.scalar(select(func.count()).where(JobRow.finished.is_(None)))
    store.close()
    assert (ended, unfinished) == (JOBS, 0)
