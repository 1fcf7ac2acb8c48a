"""kill -9 of the worker and of the whole server, and workers that hang, under load. `make faults` does it a hundred and
thirty times."""

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psutil
import pytest
from tests.faults.server import PATIENCE, Server, requests, undisturbed, without_timing

WORKER_KILLS = int(os.environ.get("ESPALIER_WORKER_KILLS", "2"))
SERVER_KILLS = int(os.environ.get("ESPALIER_SERVER_KILLS", "1"))
CLIENTS = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {"ESPALIER_STOP_SECONDS": "0", "ESPALIER_WORKER_SILENCE_SECONDS": "5"}
    started = Server(tmp_path_factory.mktemp("killed"), settings)
    started.start()
    started.wait_until()
    yield started
    started.stop()


class Load:
    """Clients that go on asking until they are told to stop, and then wait for everything that was accepted."""

    def __init__(self, server: Server, seed: int) -> None:
        self.accepted: dict[str, dict[str, Any]] = {}
        self._server = server
        self._asked = iter(requests(100_000, seed))
        self._taking = threading.Lock()
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(CLIENTS)
        self._clients = [self._pool.submit(self._go_on) for _ in range(CLIENTS)]

    def _go_on(self) -> None:
        while not self._stopped.is_set():
            with self._taking:
                request = next(self._asked)
            identity = self._server.ask(request, key=request["text"])
            self.accepted[identity] = request
            self._server.wait(identity)

    def finish(self) -> None:
        self._stopped.set()
        for client in self._clients:
            client.result(timeout=2 * PATIENCE)

    def check(self) -> int:
        for identity, request in self.accepted.items():
            job = self._server.wait(identity)
            assert job["status"] == "succeeded", job["problem"]
            assert without_timing(job["explanation"]) == undisturbed(request)
        return len(self.accepted)


def test_a_worker_killed_or_hung_at_random_moments_loses_no_job_and_changes_no_result(server: Server) -> None:
    """A third of them hang: they neither work nor end."""
    draw, load = random.Random(4), Load(server, seed=1)
    for number in range(WORKER_KILLS):
        server.wait_until()
        time.sleep(draw.uniform(0.1, 2.5))
        strike(server.hang_worker if number % 3 == 1 else server.kill_worker)
        wait_for_a_new_worker(server)
    load.finish()
    assert load.check() >= CLIENTS
    assert all(worker.status() != psutil.STATUS_STOPPED for worker in server.workers()), "a hung worker is left"


def strike(at_a_worker: Callable[[], bool]) -> None:
    """On a busy machine the server may just be replacing one itself, which seemed to hang."""
    deadline = time.monotonic() + PATIENCE
    while not at_a_worker():
        assert time.monotonic() < deadline, "no worker was there to be struck"
        time.sleep(0.02)


def wait_for_a_new_worker(server: Server) -> None:
    deadline = time.monotonic() + PATIENCE
    while server.client.get("/health/ready").status_code == 200 or not server.workers():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_server_killed_at_random_moments_loses_no_job_and_changes_no_result(server: Server) -> None:
    draw, load = random.Random(5), Load(server, seed=2)
    for _ in range(SERVER_KILLS):
        server.wait_until()
        time.sleep(draw.uniform(0.1, 2.5))
        server.kill()
        server.start()
    load.finish()
    assert load.check() >= CLIENTS


def test_a_server_that_is_stopped_leaves_its_jobs_to_the_next_start(server: Server) -> None:
    server.wait_until()
    long = {"text": "A long and winding film " * 8, "model": "sst2-minilm", "method": "asiv"}
    long["parameters"] = {"budget": 300}
    identity = server.ask(long, key="long")
    assert server.process is not None
    server.process.terminate()
    server.process.wait(60)
    server.start()
    job = server.wait(identity)
    assert job["status"] == "succeeded"
    text = server.client.get(f"/v1/explanations/{identity}").text
    again = server.client.post("/v1/explanations", json=long)
    assert again.status_code == 200
    start = '"explanation":'
    assert again.text[again.text.index(start) :] == text[text.index(start) :]
