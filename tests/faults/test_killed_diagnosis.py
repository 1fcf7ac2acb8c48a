"""A diagnosis on a real server whose processes are killed: it goes on, to the rows of one that nobody disturbed."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.faults.server import ADJECTIVES, PATIENCE, Server

TEXTS = [
    f"Film {number} is {first} , but while the music is {second} , the jokes are not good ."
    for number, (first, second) in enumerate(zip(ADJECTIVES * 6, ADJECTIVES[3:] * 10, strict=False))
]
DESIGN = {
    "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
    "models": ["sst2-cnn", "sst2-lstm"],
    "diagnostics": ["linearity", "depth", "contrast", "fit", "context-free"],
    "linear": "sst2-bow",
    "interactions": [["not", "good"]],
    "draws": 200,
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    started.start()
    started.wait_until()
    yield started
    started.stop()


def begun(server: Server) -> str:
    answer = server.client.post("/v1/diagnoses", json=DESIGN)
    assert answer.status_code == 202, answer.text
    return f"/v1/diagnoses/{answer.json()['id']}"


def when_done(server: Server, path: str, units: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while (found := server.client.get(path).json())["done"] < units:
        assert time.monotonic() < deadline
        assert found["status"] == "running"
        time.sleep(0.01)


def rows(server: Server, path: str) -> list[dict[str, Any]]:
    found = server.client.get(f"{path}/rows.json").json()
    return [{name: value for name, value in row.items() if name != "seconds"} for row in found]


@pytest.mark.slow
def test_a_diagnosis_whose_server_and_worker_are_killed_ends_as_if_they_were_not(server: Server) -> None:
    path = begun(server)
    when_done(server, path, 8)
    server.kill()
    server.start()
    server.wait_until()
    when_done(server, path, 20)
    assert server.kill_worker()
    ended = server.wait_while(path, "running")
    assert (ended["status"], ended["done"], ended["failed"]) == ("finished", 2 * len(TEXTS), 0)
    undisturbed = begun(server)
    server.wait_while(undisturbed, "running")
    assert rows(server, path) == rows(server, undisturbed)
    assert len(rows(server, path)) == 2 * len(TEXTS)
