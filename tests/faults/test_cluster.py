"""A cluster under load whose parts are killed: actors, machines, the head, servers, PostgreSQL, and the network between
a server and Ray. `make cluster-faults` does each ten times; the tests leave it to `tests/engine/test_engines.py`, which
kills workers of a cluster, unless `ESPALIER_CLUSTER_KILLS` says how often."""

import os
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from tests.faults.machines import Machines
from tests.faults.server import PATIENCE, Server, requests, undisturbed, without_timing
from tests.store.postgres import Postgres

from espalier.store import Store
from espalier.store.jobs import JobRow

KILLS = int(os.environ.get("ESPALIER_CLUSTER_KILLS", "0"))
CLIENTS = int(os.environ.get("ESPALIER_CLUSTER_CLIENTS", "6"))
CUT_SECONDS = 10.0
"""Longer than a worker that cannot be reached keeps its jobs."""

pytestmark = pytest.mark.skipif(not KILLS, reason="ESPALIER_CLUSTER_KILLS says how often: make cluster-faults")

draw = random.Random(17)


class Cluster:
    """Machines, a database and two servers."""

    def __init__(self, tmp: pytest.TempPathFactory, ip: str = "127.0.0.1", first: dict[str, Any] | None = None) -> None:
        self.postgres = Postgres()
        self.database = self.postgres.database()
        self.machines = Machines(ip)
        self.machines.start_head()
        for _ in range(2):
            self.machines.start_node()
        settings = self.machines.settings | {
            "ESPALIER_DATABASE": self.database,
            "ESPALIER_CLAIM_SECONDS": "3",
            "ESPALIER_STOP_SECONDS": "0",
        }
        given = first or {}
        environment = settings | given.pop("environment", {})
        self.servers = [Server(tmp.mktemp("one"), environment, **given), Server(tmp.mktemp("other"), settings)]
        for server in self.servers:
            server.start()
        for server in self.servers:
            server.wait_until()
        self.predict()

    def predict(self) -> None:
        """Until a worker answers."""
        deadline = time.monotonic() + PATIENCE
        body = {"model": "sst2-bow", "text": "A film."}
        while self.servers[1].client.post("/v1/predictions", json=body).status_code != 200:
            assert time.monotonic() < deadline, self.servers[1].log()[-4000:]
            time.sleep(0.2)

    def close(self) -> None:
        for server in self.servers:
            server.stop()
        self.machines.close()
        self.postgres.close()


class Load:
    """Clients that ask one server, and look at the other when they wait, until they are told to stop."""

    def __init__(self, cluster: Cluster, seed: int) -> None:
        self.accepted: dict[str, dict[str, Any]] = {}
        self.cluster = cluster
        self._asked = (each | {"model": "sst2-bow"} for each in requests(100_000, seed))
        self._taking = threading.Lock()
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(CLIENTS)
        self._clients = [self._pool.submit(self._go_on, number) for number in range(CLIENTS)]

    def _go_on(self, number: int) -> None:
        servers = self.cluster.servers
        while not self._stopped.is_set():
            with self._taking:
                request = next(self._asked)
            identity = servers[number % 2].ask(request, key=request["text"])
            self.accepted[identity] = request
            servers[(number + 1) % 2].wait(identity)

    def finish(self) -> None:
        self._stopped.set()
        for client in self._clients:
            client.result(timeout=2 * PATIENCE)

    def check(self) -> None:
        """Every accepted job has ended, once, with the bytes of an undisturbed run."""
        assert len(self.accepted) >= CLIENTS
        for identity, request in self.accepted.items():
            job = self.cluster.servers[1].wait(identity)
            assert job["status"] == "succeeded", job["problem"]
            assert without_timing(job["explanation"]) == undisturbed(request)
        store = Store.at(self.cluster.database)
        with store.read() as session:
            unfinished = session.scalar(select(func.count()).where(JobRow.finished.is_(None)))
        store.close()
        assert unfinished == 0


def disturb(cluster: Cluster, seed: int, fault: Callable[[], None]) -> None:
    load = Load(cluster, seed)
    for _ in range(KILLS):
        time.sleep(draw.uniform(0.5, 3.0))
        fault()
        cluster.predict()
    load.finish()
    load.check()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory)
    yield made
    made.close()


def test_actors_that_are_killed_lose_no_job(cluster: Cluster) -> None:
    def kill() -> None:
        draw.choice(cluster.machines.workers()).kill()

    disturb(cluster, 31, kill)


def test_machines_that_go_lose_no_job(cluster: Cluster) -> None:
    def kill() -> None:
        cluster.machines.kill_node()
        time.sleep(1.0)
        cluster.machines.start_node()

    disturb(cluster, 32, kill)


def test_servers_that_are_killed_lose_no_job(cluster: Cluster) -> None:
    def kill() -> None:
        cluster.servers[0].kill()
        time.sleep(1.0)
        cluster.servers[0].start()
        cluster.servers[0].wait_until()

    disturb(cluster, 33, kill)


def test_a_database_that_is_away_loses_no_job(cluster: Cluster) -> None:
    def restart() -> None:
        cluster.postgres.halt()
        time.sleep(2.0)
        cluster.postgres.resume()
        for server in cluster.servers:
            server.wait_until()

    disturb(cluster, 34, restart)


def test_while_the_head_is_away_jobs_are_accepted_and_wait(cluster: Cluster) -> None:
    asked = [each | {"model": "sst2-bow"} for each in requests(KILLS, seed=36)]

    def restart() -> None:
        cluster.machines.kill_head()
        time.sleep(2.0)
        request = asked.pop()
        answer = cluster.servers[0].client.post("/v1/explanations", json=request)
        assert answer.status_code == 202, answer.text
        cluster.machines.start_head()
        for _ in range(2):
            cluster.machines.start_node()
        assert cluster.servers[1].wait(answer.json()["id"])["status"] == "succeeded"

    disturb(cluster, 35, restart)


NEAR, FAR = "10.201.17.1", "10.201.17.2"
SPACE = "espalier-far"


def ip(*given: str) -> None:
    subprocess.run(["ip", *given], check=True, capture_output=True)


@contextmanager
def far_away() -> Iterator[None]:
    """A network of its own, which one cable leads to."""
    ip("netns", "add", SPACE)
    try:
        ip("link", "add", "espalier0", "type", "veth", "peer", "name", "espalier1", "netns", SPACE)
        ip("addr", "add", f"{NEAR}/24", "dev", "espalier0")
        ip("link", "set", "espalier0", "up")
        for command in (f"addr add {FAR}/24 dev espalier1", "link set espalier1 up", "link set lo up"):
            ip("-n", SPACE, *command.split())
        yield
    finally:
        ip("netns", "del", SPACE)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes networks")
def test_a_network_that_breaks_between_a_server_and_the_cluster_loses_no_job(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The server is on the far side, with a process space of its own: it joins the cluster with a node that runs
    nothing."""
    with far_away():
        before = ("ip", "netns", "exec", SPACE, "unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
        first = {"before": before, "environment": {"ESPALIER_HOST": FAR, "ESPALIER_KEYS": "off"}, "address": FAR}
        cluster = Cluster(tmp_path_factory, NEAR, first)
        try:

            def cut() -> None:
                ip("link", "set", "espalier0", "down")
                time.sleep(CUT_SECONDS)
                ip("link", "set", "espalier0", "up")
                with httpx.Client(base_url=str(cluster.servers[0].client.base_url), timeout=60) as client:
                    client.get("/health/live")

            disturb(cluster, 37, cut)
        finally:
            cluster.close()
