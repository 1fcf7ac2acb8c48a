"""A cluster under load whose parts are killed: actors, machines, the head, servers, PostgreSQL, and the network between
a server and Ray. Streams are resumed at the other server all the time. `make cluster-faults` does each ten times; the
tests leave it to `tests/engine/test_engines.py`, which kills workers of a cluster, unless `ESPALIER_CLUSTER_KILLS` says
how often."""

import os
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from tests.faults.machines import Machines
from tests.faults.server import PATIENCE, Server, requests, undisturbed, without_timing
from tests.faults.streams import followed
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


def asked(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Questions to a small model, and every fifth to a large one."""
    for number, request in enumerate(requests(count, seed)):
        yield request | {"model": "sst2-minilm" if number % 5 == 4 else "sst2-bow"}


class Load:
    """Clients that ask one server, and then wait or listen at the other, until they are told to stop."""

    def __init__(self, cluster: Cluster, seed: int) -> None:
        self.accepted: dict[str, dict[str, Any]] = {}
        self.sent = 0
        self.streams: dict[str, list[tuple[int, str]]] = {}
        self.cluster = cluster
        self._rows_before = self._rows()
        self._asked = asked(100_000, seed)
        self._taking = threading.Lock()
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(CLIENTS)
        self._clients = [self._pool.submit(self._go_on, number) for number in range(CLIENTS)]

    def _go_on(self, number: int) -> None:
        servers = self.cluster.servers
        while not self._stopped.is_set():
            with self._taking:
                request = next(self._asked)
                self.sent += 1
            identity = servers[number % 2].ask(request, key=request["text"])
            self.accepted[identity] = request
            if number < CLIENTS // 2:
                servers[(number + 1) % 2].wait(identity)
            else:
                self.streams[identity] = followed((servers[(number + 1) % 2], servers[number % 2]), identity)

    def finish(self) -> None:
        self._stopped.set()
        for client in self._clients:
            client.result(timeout=2 * PATIENCE)

    def check(self) -> None:
        """Every accepted job has ended, once, with the bytes of an undisturbed run; and every stream told it once."""
        assert len(self.accepted) == self.sent >= CLIENTS, "a job was accepted twice, or is lost"
        for identity, request in self.accepted.items():
            job = self.cluster.servers[1].wait(identity)
            assert job["status"] == "succeeded", job["problem"]
            assert without_timing(job["explanation"]) == undisturbed(request)
        assert self.streams
        for events in self.streams.values():
            numbers, names = zip(*events, strict=True)
            assert list(numbers) == sorted(set(numbers)), "an event was told twice, or late"
            assert names.count("finished") == 1
        before, after = self._rows_before, self._rows()
        assert after == {"succeeded": before.get("succeeded", 0) + self.sent}

    def _rows(self) -> dict[str, int]:
        """Jobs that the database has, by status."""
        store = Store.at(self.cluster.database)
        with store.read() as session:
            counted = session.execute(select(JobRow.status, func.count()).group_by(JobRow.status))
            found: dict[str, int] = dict(counted.tuples().all())
        store.close()
        return found

    def add(self, identity: str, request: dict[str, Any]) -> None:
        """One that somebody else asked."""
        self.accepted[identity] = request
        with self._taking:
            self.sent += 1


def disturb(cluster: Cluster, seed: int, fault: Callable[[Load], None]) -> None:
    load = Load(cluster, seed)
    for _ in range(KILLS):
        time.sleep(draw.uniform(0.5, 3.0))
        fault(load)
        cluster.predict()
    load.finish()
    load.check()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory)
    yield made
    made.close()


def test_actors_that_are_killed_lose_no_job(cluster: Cluster) -> None:
    def kill(_: Load) -> None:
        draw.choice(cluster.machines.workers()).kill()

    disturb(cluster, 31, kill)


def test_machines_that_go_lose_no_job(cluster: Cluster) -> None:
    def kill(_: Load) -> None:
        cluster.machines.kill_node()
        time.sleep(1.0)
        cluster.machines.start_node()

    disturb(cluster, 32, kill)


def test_servers_that_are_killed_lose_no_job(cluster: Cluster) -> None:
    turns = cycle(cluster.servers)

    def kill(_: Load) -> None:
        server = next(turns)
        server.kill()
        time.sleep(1.0)
        server.start()
        server.wait_until()

    disturb(cluster, 33, kill)


def test_a_database_that_is_away_loses_no_job(cluster: Cluster) -> None:
    def restart(_: Load) -> None:
        cluster.postgres.halt()
        time.sleep(2.0)
        cluster.postgres.resume()
        for server in cluster.servers:
            server.wait_until()

    disturb(cluster, 34, restart)


def asked_meanwhile(cluster: Cluster, load: Load, request: dict[str, Any]) -> str:
    """A job that is accepted although nobody can do it."""
    answer = cluster.servers[0].client.post("/v1/explanations", json=request)
    assert answer.status_code == 202, answer.text
    identity = str(answer.json()["id"])
    load.add(identity, request)
    return identity


def test_while_the_cluster_is_away_jobs_are_accepted_and_wait(cluster: Cluster) -> None:
    extra = asked(KILLS, seed=36)

    def restart(load: Load) -> None:
        cluster.machines.kill_all()
        time.sleep(2.0)
        identity = asked_meanwhile(cluster, load, next(extra))
        for server in cluster.servers:
            assert server.client.get(f"/v1/explanations/{identity}").json()["status"] == "queued"
        cluster.machines.start_head()
        for _ in range(2):
            cluster.machines.start_node()
        assert cluster.servers[1].wait(identity)["status"] == "succeeded"

    disturb(cluster, 35, restart)


def test_a_head_that_goes_alone_loses_no_job(cluster: Cluster) -> None:
    """Its machines stay, find another head that knows nothing of them, and are started anew."""
    extra = asked(KILLS, seed=39)

    def restart(load: Load) -> None:
        cluster.machines.kill_head()
        time.sleep(2.0)
        identity = asked_meanwhile(cluster, load, next(extra))
        cluster.machines.start_head()
        assert cluster.servers[1].wait(identity)["status"] == "succeeded"

    disturb(cluster, 38, restart)


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

            def cut(_: Load) -> None:
                ip("link", "set", "espalier0", "down")
                time.sleep(CUT_SECONDS)
                ip("link", "set", "espalier0", "up")
                with httpx.Client(base_url=str(cluster.servers[0].client.base_url), timeout=60) as client:
                    client.get("/health/live")

            disturb(cluster, 37, cut)
        finally:
            cluster.close()
