"""A cluster on this machine, in one run: `python -m benchmarks.cluster` (--quick to try).

- 200 mixed jobs with one worker of one thread, and with two: what a second one gains;
- what the crew itself costs (frames, Ray, courier) on a job of 1,000 evaluations: its time on the cluster against the
  same on an embedded worker;
- a 5-word LS-Tree on the cluster, against the same on an embedded worker;
- memory of Ray's own processes.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from tests.faults.machines import Machines
from tests.faults.server import Server, requests
from tests.store.postgres import Postgres

CLIENTS = 16
SHORT = {"method": "ls-tree", "model": "sst2-minilm"}
LONG = {"method": "shap", "model": "sst2-minilm", "parameters": {"algorithm": "permutation", "budget": 1000}}
WORDS = ("warm", "cold", "dull", "sharp", "lovely", "funny", "slow", "tired")


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), environment | {"OMP_NUM_THREADS": "1", "ESPALIER_STOP_SECONDS": "0"})
        server.start()
        server.wait_until()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def cluster(workers: int) -> Iterator[Server]:
    """Machines with one processor each, and one server."""
    postgres, machines = Postgres(), Machines()
    machines.start_head()
    for _ in range(workers):
        machines.start_node()
    try:
        with serving(machines.settings | {"ESPALIER_DATABASE": postgres.database()}) as server:
            while len(machines.workers()) < workers or metric(server, "espalier_worker_up") < workers:
                time.sleep(0.2)
            yield server
    finally:
        machines.close()
        postgres.close()


def metric(server: Server, name: str) -> float:
    lines = server.client.get("/metrics").text.splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name}{{"))


def throughput(server: Server, jobs: int, seed: int) -> float:
    """Jobs a second."""
    asked = [each | {"model": "sst2-minilm"} for each in requests(jobs, seed)]
    warm(server)
    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        identities = list(clients.map(lambda each: server.ask(each, key=each["text"]), asked))
        for job in clients.map(server.wait, identities):
            assert job["status"] == "succeeded", job["problem"]
    return jobs / (time.perf_counter() - started)


def latency(server: Server, body: dict[str, Any], texts: list[str]) -> float:
    """The median over games that are new to the worker."""
    warm(server)
    spent = []
    for text in texts:
        started = time.perf_counter()
        answer = server.client.post("/v1/explanations", json=body | {"text": text}, headers={"Prefer": "wait=60"})
        assert answer.json()["status"] == "succeeded", answer.text
        spent.append(time.perf_counter() - started)
    return statistics.median(spent)


def warm(server: Server) -> None:
    """Every worker has model and parser."""
    for number in range(8):
        body = SHORT | {"text": f"A warm film, number {number}."}
        server.client.post("/v1/explanations", json=body, headers={"Prefer": "wait=60"})


def ray_memory() -> dict[str, float]:
    """Megabytes of Ray's own processes on this machine, by kind; workers' and couriers' left out."""
    found: dict[str, float] = {}
    for process in psutil.process_iter(["name", "cmdline", "memory_info"]):
        line = " ".join(process.info["cmdline"] or [])
        for kind in ("gcs_server", "raylet", "DashboardAgent", "RuntimeEnvAgent", "log_monitor", "dashboard.py"):
            if kind in (process.info["name"] or "") or (kind in line and "ray" in line):
                found[kind] = found.get(kind, 0.0) + process.info["memory_info"].rss / 1e6
                break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster")
    parser.add_argument(
        "--quick", action="store_true", help="Few jobs, to see that it works; the numbers mean nothing."
    )
    quick = parser.parse_args().quick
    jobs, repeats = (12, 2) if quick else (200, 15)
    five = [f"A {word} film indeed {number}" for number in range(repeats) for word in WORDS[:1]]
    long = [f"The {word} film {n} is not as {word} as its music." for n in range(repeats) for word in WORDS[:1]]
    print(f"{os.cpu_count()} cores; workers have one thread each")
    with serving({"ESPALIER_DEVICES": "cpu"}) as server:
        short_embedded, long_embedded = latency(server, SHORT, five), latency(server, LONG, long)
    with cluster(1) as server:
        short_ray, long_ray = latency(server, SHORT, five), latency(server, LONG, long)
        one = throughput(server, jobs, seed=41)
        memory = ray_memory()
    with cluster(2) as server:
        two = throughput(server, jobs, seed=42)
    print(f"{jobs} mixed jobs: {one:.2f} a second with one worker, {two:.2f} with two, {two / one:.2f} times as many")
    print(
        f"a job of 1,000 evaluations: {long_embedded:.2f} s embedded, {long_ray:.2f} s on the cluster, "
        f"{long_ray / long_embedded - 1:+.1%}"
    )
    print(
        f"a 5-word LS-Tree: {1e3 * short_embedded:.0f} ms embedded, {1e3 * short_ray:.0f} ms on the cluster, "
        f"{short_ray / short_embedded:.2f} times"
    )
    print(
        "Ray's own processes, head and one node: " + ", ".join(f"{kind} {size:.0f} MB" for kind, size in memory.items())
    )


if __name__ == "__main__":
    main()
