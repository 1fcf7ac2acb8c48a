"""A cluster on this machine, in one run: `python -m benchmarks.cluster` (--quick to try).

- 200 mixed jobs with one worker of one thread, and with two: what a second one gains;
- what the crew itself costs (frames, Ray, courier) on a job of 1,000 evaluations: its time on the cluster against the
  same on an embedded worker, both on PostgreSQL;
- a 5-word LS-Tree on the cluster, against the same on an embedded worker;
- memory of what a cluster adds: Ray's own processes, actors and courier.

The section goes into docs/benchmarks.md; a quick run writes nothing.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console
from tests.faults.machines import Machines
from tests.faults.server import Server, requests
from tests.store.postgres import Postgres

from benchmarks import pages, report
from benchmarks.sections import Rows, Section, Target, seconds, times

CLIENTS = 16
SHORT = {"method": "ls-tree", "model": "sst2-minilm"}
EVALUATIONS = 1000
LONG = {"method": "shap", "model": "sst2-minilm", "parameters": {"algorithm": "permutation", "budget": EVALUATIONS}}
NEAR = 0.05
"""How far a job of so many evaluations may be from that: it takes whole permutations."""
LONG_TEXT = (
    "is not as warm as its music, and the jokes are old, but the two leads are so good, and now and then so very "
    "funny, that nobody who has seen it will mind."
)
"""Long enough that hardly any coalition is drawn twice: of a short one there are not a thousand to evaluate."""


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
def embedded() -> Iterator[Server]:
    """One worker of the server's own; its database is of the same kind, so that it is no part of the difference."""
    postgres = Postgres()
    try:
        with serving({"ESPALIER_DEVICES": "cpu", "ESPALIER_DATABASE": postgres.database()}) as server:
            yield server
    finally:
        postgres.close()


@contextmanager
def cluster(workers: int) -> Iterator[tuple[Server, Machines]]:
    """Machines with one processor each, and one server."""
    postgres, machines = Postgres(), Machines()
    machines.start_head()
    for _ in range(workers):
        machines.start_node()
    try:
        with serving(machines.settings | {"ESPALIER_DATABASE": postgres.database()}) as server:
            while len(machines.workers()) < workers or metric(server, "espalier_worker_up") < workers:
                time.sleep(0.2)
            yield server, machines
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


def latency(server: Server, body: dict[str, Any], texts: list[str], evaluations: int | None = None) -> float:
    """The median over games that are new to the worker; each took so many evaluations, where that is said."""
    warm(server)
    spent = []
    for text in texts:
        started = time.perf_counter()
        answer = server.client.post("/v1/explanations", json=body | {"text": text}, headers={"Prefer": "wait=60"})
        assert answer.json()["status"] == "succeeded", answer.text
        spent.append(time.perf_counter() - started)
        if evaluations is not None:
            took = answer.json()["explanation"]["evaluations"]["distinct"]
            assert abs(took - evaluations) <= NEAR * evaluations, f"{took} evaluations are not {evaluations}"
    return statistics.median(spent)


def warm(server: Server) -> None:
    """Every worker has model and parser."""
    for number in range(8):
        body = SHORT | {"text": f"A warm film, number {number}."}
        server.client.post("/v1/explanations", json=body, headers={"Prefer": "wait=60"})


KINDS = {
    "gcs_server": ("gcs_server",),
    "raylet": ("raylet/raylet",),
    "agents, monitors and reapers": (
        "agent",
        "log_monitor",
        "monitor.py",
        "ray_process_reaper",
        "dashboard",
        "ray start",
    ),
    "idle Python processes": ("ray::IDLE",),
    "actors": ("ray::RayWorker",),
    "couriers": ("espalier.engine.crews.ray.courier",),
}
"""What a cluster adds to a machine, by what its command line has. Worker processes are the same without it."""


def kind_of(line: str) -> str | None:
    if "espalier.engine.worker" in line:
        return None
    is_ray = "ray" in line
    return next((kind for kind, marks in KINDS.items() if is_ray and any(mark in line for mark in marks)), None)


def ray_memory(roots: list[int]) -> dict[str, float]:
    """Megabytes of its own (`uss`: libraries that many map are not counted for each) of what runs under some processes,
    by kind."""
    found: dict[str, float] = {}
    for root in roots:
        for process in psutil.Process(root).children(recursive=True):
            try:
                kind = kind_of(" ".join(process.cmdline()))
                if kind is not None:
                    found[kind] = found.get(kind, 0.0) + process.memory_full_info().uss / 1e6
            except psutil.NoSuchProcess:
                continue
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """Jobs a second with one worker and with two; seconds of a long and a short job, embedded and on the cluster."""

    jobs: int
    one: float
    two: float
    long: tuple[float, float]
    short: tuple[float, float]
    memory: dict[str, float]


def section(found: Measured) -> Section:
    gain, cost, slower = found.two / found.one, found.long[1] / found.long[0] - 1, found.short[1] / found.short[0]
    table = Rows(
        "",
        ("", "embedded", "cluster", "ratio"),
        [
            (f"a job of {EVALUATIONS:,} evaluations, s", *map(seconds, found.long), times(1 + cost)),
            ("a 5-word LS-Tree, ms", *(f"{1e3 * each:.0f}" for each in found.short), times(slower)),
        ],
    )
    workers = Rows(
        "",
        ("", "one worker", "two workers", "ratio"),
        [(f"{found.jobs} mixed jobs, a second", f"{found.one:.2f}", f"{found.two:.2f}", times(gain))],
    )
    memory = Rows("", ("head and one machine", "MB"), [(kind, f"{size:.0f}") for kind, size in found.memory.items()])
    return Section(
        "A cluster",
        "Workers have one thread each; servers, embedded or not, keep their jobs in PostgreSQL. Memory is what no "
        "other process shares, of what a cluster adds to the worker processes themselves.",
        [workers, table, memory],
        [
            Target("a second worker of a cluster does as much as the first", "≥ 1.80 ×", times(gain), gain >= 1.8),
            Target("a cluster costs a long job little", "≤ 5.0 %", f"{100 * cost:.1f} %", cost <= 0.05),
            Target("a short job on a cluster is not much slower", "≤ 1.50 ×", times(slower), slower <= 1.5),
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster")
    parser.add_argument(
        "--quick", action="store_true", help="Few jobs, to see that it works; the numbers mean nothing."
    )
    quick = parser.parse_args().quick
    run = pages.Run()
    jobs, repeats = (12, 2) if quick else (200, 15)
    five = [f"A warm film indeed {number}" for number in range(repeats)]
    long = [f"The film {number} {LONG_TEXT}" for number in range(repeats)]
    with embedded() as server:
        short_embedded = latency(server, SHORT, five)
        long_embedded = latency(server, LONG, long, EVALUATIONS)
    with cluster(1) as (server, machines):
        short_ray, long_ray = latency(server, SHORT, five), latency(server, LONG, long, EVALUATIONS)
        one = throughput(server, jobs, seed=41)
        assert server.process is not None
        memory = ray_memory([*machines.processes(), server.process.pid])
    with cluster(2) as (server, _):
        two = throughput(server, jobs, seed=42)
    found = section(Measured(jobs, one, two, (long_embedded, long_ray), (short_embedded, short_ray), memory))
    report.show(Console(), found)
    if not quick:
        report.write(found, run)


if __name__ == "__main__":
    main()
