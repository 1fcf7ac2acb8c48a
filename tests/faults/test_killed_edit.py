"""An edit on a real server that is killed: nothing half-made is listed, no process is left, and the next server makes
it to its end."""

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from tests.faults.server import PATIENCE, Server

DESIGN = {
    "model": "sst2-cnn",
    "words": ["not", "good"],
    "text": "This is not a good film.",
    "dataset": {
        "kind": "rows",
        "rows": [
            {"text": "It was not very good at all.", "label": "negative"},
            {"text": "The jokes are bad.", "label": "negative"},
            {"text": "A lovely, warm film.", "label": "positive"},
        ],
    },
    "rate": 1e-3,
    "steps": 60,
    "draws": 200,
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    started.start()
    started.wait_until()
    yield started
    started.stop()


def editing(server: Server) -> psutil.Process:
    """The process that makes the edit, as soon as there is one."""
    assert server.process is not None
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for child in psutil.Process(server.process.pid).children():
            if "espalier.lab.edits.process" in child.cmdline():
                return child
        time.sleep(0.02)
    raise TimeoutError("no process was started")


def edited(server: Server) -> list[str]:
    names = [each["name"] for each in server.client.get("/v1/catalog").json()["models"]]
    return [name for name in names if "not-good" in name]


def test_an_edit_whose_server_is_killed_is_made_by_the_next_one(server: Server) -> None:
    made = server.client.post("/v1/edits", json=DESIGN)
    assert made.status_code == 202, made.text
    path = f"/v1/edits/{made.json()['id']}"
    process = editing(server)
    server.kill()
    psutil.wait_procs([process], timeout=60)
    assert not process.is_running(), "a process outlived its server"
    server.start()
    server.wait_until()
    assert edited(server) == []
    editing(server).kill()
    ended = server.wait_while(path, "running")
    assert (ended["status"], ended["problem"]) == ("finished", None)
    assert edited(server) == [ended["model"]]
    assert server.client.get(f"{path}/results").json()["here_after"] > 0
    assert [each.name for each in (server.data / "edits").iterdir()] == [ended["model"]]
