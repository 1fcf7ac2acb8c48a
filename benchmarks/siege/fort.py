"""The server under siege: it asks for keys, has a small study open, and its processes are watched."""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from tests.faults.server import Server

from espalier.access import Scope, issue
from espalier.store import open_store
from espalier.store.keys import AccessKeys

SETTINGS = {
    "ESPALIER_KEYS": "required",
    "ESPALIER_BODY_SECONDS": "3",
    "ESPALIER_JOINS": "30",
    "ESPALIER_PROLIFIC_KEYS": "/nowhere.json",  # nothing leaves this machine
}

DESIGN = {
    "title": "Under siege",
    "protocol": "coherence",
    "models": ["sst2-bow"],
    "methods": ["leave-one-out"],
    "items": 4,
    "votes": 2,
    "practice": [],
    "attention_checks": 0,
    "recruiting": {"providers": ["plain", "prolific"], "completion_code": "C0DE"},
}


class Fort:
    """Starts and stops the server, and gives keys to it."""

    def __init__(self, folder: Path) -> None:
        self.server = Server(folder, dict(SETTINGS))
        self.address = f"http://127.0.0.1:{self.server.port}"
        self.study = ""
        self._folder = folder

    def __enter__(self) -> "Fort":
        self.server.start()
        self.server.wait_until()
        self._keys = AccessKeys(open_store(f"sqlite:///{self._folder}/espalier.sqlite"))
        self._open_study()
        return self

    def __exit__(self, *_: object) -> None:
        self._keys.store.close()
        self.server.stop()

    def key(self, scope: Scope = "use") -> dict[str, str]:
        """The header that opens the gate for somebody new."""
        key, text = issue("siege", scope)
        self._keys.add(key)
        return {"Authorization": f"Bearer {text}"}

    def failures(self) -> list[str]:
        """The last lines of every failure in the server's log, with what led to it."""
        pieces = self.server.log().split("Traceback (most recent call last)")
        return [piece[:4000] for piece in pieces[1:4]]

    def _open_study(self) -> None:
        owner = self.key("owner")
        asked: Any = self.server.client.post("/v1/studies", json=DESIGN, headers=owner)
        asked.raise_for_status()
        self.study = asked.json()["id"]
        path, deadline = f"/v1/studies/{self.study}", time.monotonic() + 300
        while self.server.client.get(path, headers=owner).json()["status"] == "preparing":
            assert time.monotonic() < deadline, "the study was not prepared in time"
            time.sleep(0.1)
        self.server.client.post(f"{path}/publish", headers=owner).raise_for_status()


@dataclass
class Watch:
    """Looks at the server's processes, again and again, until it is told to stop."""

    server: Server
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Megabytes of the server, and of its workers together."""

    def __post_init__(self) -> None:
        self.workers = {worker.pid for worker in self.server.workers()}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def worker_deaths(self) -> int:
        return len(self.workers - {worker.pid for worker in self.server.workers()})

    def grown(self) -> tuple[float, float]:
        """How many times the memory of a third of the way there is at the end."""
        third, last = self.memory[len(self.memory) // 3], self.memory[-1]
        return last[0] / third[0], last[1] / third[1]

    def _look(self) -> None:
        assert self.server.process is not None
        process = psutil.Process(self.server.process.pid)
        while not self._stop.wait(0.5):
            workers = sum(worker.memory_info().rss for worker in self.server.workers())
            self.memory.append((process.memory_info().rss / 1e6, workers / 1e6))
