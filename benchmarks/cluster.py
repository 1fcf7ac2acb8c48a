"""A cluster on this machine, in one run: `python -m benchmarks.cluster` (--quick to try).

- 200 mixed jobs with one worker of one thread, and with two: what a second one gains, and who else uses the two cores
  meanwhile; and the same where each machine has a core of its own, as two machines of one core would;
- two processes that do nothing but ask the bare model, each on a core of its own, against one: the most that this
  machine can give;
- what the crew itself costs (frames, Ray, courier) on a job of 1,000 evaluations: its time on the cluster against the
  same on an embedded worker, both on PostgreSQL;
- a 5-word LS-Tree on the cluster, against the same on an embedded worker;
- memory of what a cluster adds: Ray's own processes, actors and courier.

The section goes into docs/benchmarks.md; a quick run writes nothing.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
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
WAIT_SECONDS = 60
SEED = 41
BATCH = 32
"""Rows of a pass of the bare model."""

LEAST_SHOWN = 0.005
"""Of a core."""
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
def cluster(workers: int, apart: bool = False) -> Iterator[tuple[Server, Machines]]:
    """Machines with one worker each, and one server. `apart`: a machine, its worker and Ray's processes there, has one
    core; head, server, database and clients have both."""
    postgres, machines = Postgres(), Machines()
    machines.start_head()
    for number in range(workers):
        machines.start_node(core=number if apart else None)
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


def throughput(server: Server, jobs: int) -> float:
    """Jobs a second."""
    asked = [each | {"model": "sst2-minilm"} for each in requests(jobs, SEED)]
    warm(server)
    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        for job in clients.map(lambda each: answered(server, each), asked):
            assert job["status"] == "succeeded", job["problem"]
    return jobs / (time.perf_counter() - started)


def answered(server: Server, body: dict[str, Any]) -> dict[str, Any]:
    """Asked and waited for as clients do: asking ten times a second whether it is done takes a fifth of a core."""
    headers = {"Prefer": f"wait={WAIT_SECONDS}", "Idempotency-Key": body["text"]}
    while True:
        job: dict[str, Any] = server.client.post(
            "/v1/explanations", json=body, headers=headers, timeout=2 * WAIT_SECONDS
        ).json()
        if job["finished"] is not None:
            return job


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


OTHERS = {
    "espalier.engine.worker": "worker processes",
    "espalier serve": "the server",
    "postgres": "PostgreSQL",
    "benchmarks.cluster": "clients",
}


def kind_of(line: str) -> str | None:
    if "espalier.engine.worker" in line:
        return None
    is_ray = "ray" in line
    return next((kind for kind, marks in KINDS.items() if is_ray and any(mark in line for mark in marks)), None)


def processor_seconds() -> dict[str, float]:
    """Of everything on this machine, by kind."""
    found: dict[str, float] = {}
    for process in psutil.process_iter(["cmdline", "name", "cpu_times"]):
        line, spent = " ".join(process.info["cmdline"] or []), process.info["cpu_times"]
        if spent is not None:
            kind = kind_of(line) or next((kind for mark, kind in OTHERS.items() if mark in line), "everything else")
            found[kind] = found.get(kind, 0.0) + spent.user + spent.system
    return found


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
class Bare:
    """Passes of the bare model a second, of one process and of two at once."""

    one: float
    two: float

    @property
    def gain(self) -> float:
        return self.two / self.one


def passes(core: int, ready: Any, length: float) -> int:
    """How often the bare model answers a batch within so many seconds, on one thread of one core."""
    import numpy as np
    import torch

    from espalier.games.game import make_game
    from espalier.models.catalog import catalog
    from espalier.text import read

    os.sched_setaffinity(0, {core})
    torch.set_num_threads(1)
    model = catalog().load("sst2-minilm")
    game = make_game(model, (read(LONG_TEXT),))
    rows = game.rows(np.random.default_rng(0).random((BATCH, len(game.players))) < 0.5)
    model.outputs(rows)
    ready.wait()
    count, end = 0, time.perf_counter() + length
    while time.perf_counter() < end:
        model.outputs(rows)
        count += 1
    return count


def bare(length: float) -> Bare:
    """The middle of three turns."""
    turns = [[_passes_of(processes, length) for processes in (1, 2)] for _ in range(3)]
    one, two = (statistics.median(each) for each in zip(*turns, strict=True))
    return Bare(one, two)


def _passes_of(processes: int, length: float) -> float:
    context = get_context("spawn")
    with context.Manager() as manager, context.Pool(processes) as pool:
        ready = manager.Barrier(processes)
        return sum(pool.starmap(passes, [(core, ready, length) for core in range(processes)])) / length


@dataclass(frozen=True, slots=True)
class Shared:
    """Jobs a second with one worker and with two, and what used the processor while there were two, in cores."""

    one: float
    two: float
    used: dict[str, float]

    @property
    def gain(self) -> float:
        return self.two / self.one


def shared(jobs: int, apart: bool) -> Shared:
    """The same jobs, each time on a cluster that has seen nothing."""
    with cluster(1, apart) as (server, _):
        one = throughput(server, jobs)
    with cluster(2, apart) as (server, _):
        warm(server)
        before, started = processor_seconds(), time.perf_counter()
        two = throughput(server, jobs)
        after, took = processor_seconds(), time.perf_counter() - started
    used = {kind: (spent - before.get(kind, 0.0)) / took for kind, spent in after.items()}
    return Shared(one, two, dict(sorted(used.items(), key=lambda each: -each[1])))


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of a long and a short job are embedded and on the cluster."""

    jobs: int
    bare: Bare
    together: Shared
    apart: Shared
    long: tuple[float, float]
    short: tuple[float, float]
    memory: dict[str, float]


def section(found: Measured) -> Section:
    cost, slower = found.long[1] / found.long[0] - 1, found.short[1] / found.short[0]
    table = Rows(
        "",
        ("", "embedded", "cluster", "ratio"),
        [
            (f"a job of {EVALUATIONS:,} evaluations, s", *map(seconds, found.long), times(1 + cost)),
            ("a 5-word LS-Tree, ms", *(f"{1e3 * each:.0f}" for each in found.short), times(slower)),
        ],
    )
    both = {"machines share two cores": found.together, "a machine has one core": found.apart}
    workers = Rows(
        "",
        (f"{found.jobs} mixed jobs, a second", "one worker", "two workers", "ratio"),
        [(name, f"{each.one:.2f}", f"{each.two:.2f}", times(each.gain)) for name, each in both.items()],
    )
    most = Rows(
        "",
        ("passes of the bare model a second", "one process", "two processes", "ratio"),
        [("each on a core of its own", f"{found.bare.one:.1f}", f"{found.bare.two:.1f}", times(found.bare.gain))],
    )
    kinds = [kind for kind, used in found.together.used.items() if used >= LEAST_SHOWN]
    used = Rows(
        "",
        ("cores used by two workers' jobs", *both),
        [(kind, *(f"{each.used.get(kind, 0.0):.2f}" for each in both.values())) for kind in kinds],
    )
    memory = Rows("", ("head and one machine", "MB"), [(kind, f"{size:.0f}") for kind, size in found.memory.items()])
    gain = found.together.gain
    return Section(
        "A cluster",
        "Workers have one thread each; servers, embedded or not, keep their jobs in PostgreSQL. Everything runs on the "
        "same two cores: what head, server, database and clients use, workers do not have. In the second line of the "
        "first table each machine is held to a core of its own, with all that Ray starts there, so that one worker has "
        "no more than a machine of one core has. What two processes do that only ask the bare model, batch after "
        "batch, is the most that two workers of one thread could. Memory is what no other process shares, of what a "
        "cluster adds to the worker processes themselves.",
        [workers, most, used, table, memory],
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
        assert server.process is not None
        memory = ray_memory([*machines.processes(), server.process.pid])
    most = bare(2 if quick else 15)
    together, apart = (shared(jobs, each) for each in (False, True))
    measured = Measured(jobs, most, together, apart, (long_embedded, long_ray), (short_embedded, short_ray), memory)
    found = section(measured)
    report.show(Console(), found)
    if not quick:
        report.write(found, run)


if __name__ == "__main__":
    main()
