"""The service under load, in one run on one machine: `make load` (LOAD=--quick to try).

- 50 clients with mixed methods: the coalitions they need, evaluated by the service, against the same coalitions through
  the bare model in batches of its best size;
- a short LS-Tree behind a long directed graph, against the same on an idle service;
- the memory of server and worker over 2,000 jobs;
- how long /health/live takes meanwhile.
"""

import argparse
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import psutil
from tests.faults.server import Server

from benchmarks.bench import TRANSFORMER, Bench
from benchmarks.overhead import batches, forward_seconds
from benchmarks.sentences import of_length

CLIENTS = 50
MIXED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ls-tree", {}),
    ("hedge", {}),
    ("shap", {"budget": 400}),
    ("asiv", {"budget": 500}),
    ("lime", {"samples": 400}),
    ("mahe", {"samples": 400}),
    ("leave-one-out", {}),
)
BARE_BATCH = 32
"""Rows in a batch of the bare model: its best size here, or close to it."""

LENGTHS = (8, 12, 16, 20, 25)


class Health:
    """Asks whether the server is alive ten times a second, from a process of its own, and remembers how long it took.

    In this process it would wait for the clients' threads and for the bare model.
    """

    def __init__(self, address: str) -> None:
        processes = multiprocessing.get_context("spawn")
        self._here, there = processes.Pipe()
        self._process = processes.Process(target=watch, args=(address, there), daemon=True)
        self._process.start()
        self._here.recv()

    def tell(self, meanwhile: str) -> None:
        """Print how it was since the last time: the phases of a run differ."""
        self._here.send("tell")
        taken = sorted(self._here.recv())
        worst = ", ".join(f"{each:.1f}" for each in taken[-3:])
        print(
            f"/health/live during {meanwhile}, {len(taken)} times: median {statistics.median(taken):.1f} ms, "
            f"99% {taken[int(0.99 * len(taken))]:.1f} ms, slowest {worst} ms"
        )

    def stop(self) -> None:
        self._here.send("stop")
        self._process.join()


def watch(address: str, told: Connection) -> None:
    milliseconds = []
    with httpx.Client(base_url=address) as client:
        client.get("/health/live")
        told.send("begun")
        while True:
            if told.poll(0.1):
                if told.recv() == "stop":
                    return
                told.send(milliseconds)
                milliseconds = []
            started = time.perf_counter()
            client.get("/health/live")
            milliseconds.append(1000 * (time.perf_counter() - started))


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        started = time.perf_counter()
        server.start()
        server.wait_until()
        print(f"start to ready: {time.perf_counter() - started:.1f} s")
        try:
            yield server
        finally:
            server.stop()


def explain(server: Server, request: dict[str, Any]) -> dict[str, Any]:
    """One explanation, waited for as a program waits."""
    answer = server.client.post("/v1/explanations", json=request, headers={"Prefer": "wait=60"}, timeout=120)
    while answer.status_code == 429:
        time.sleep(int(answer.headers["retry-after"]))
        answer = server.client.post("/v1/explanations", json=request, headers={"Prefer": "wait=60"}, timeout=120)
    answer.raise_for_status()
    job: dict[str, Any] = answer.json()
    while job["finished"] is None:
        time.sleep(0.05)
        job = server.client.get(f"/v1/explanations/{job['id']}").json()
    assert job["status"] == "succeeded", job["problem"]
    return job


def mixed(jobs: int) -> list[dict[str, Any]]:
    """Every method in turn, every text once."""
    asked = []
    for number in range(jobs):
        method, parameters = MIXED[number % len(MIXED)]
        text = f"{of_length(LENGTHS[number % len(LENGTHS)])[0]} {number}"
        asked.append({"text": text, "model": TRANSFORMER, "method": method, "parameters": parameters})
    return asked


def throughput(server: Server, health: Health, bench: Bench, jobs: int) -> None:
    asked = mixed(jobs)
    worker = server.workers()[0]
    before = processor_seconds(worker)
    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        done = list(clients.map(lambda request: explain(server, request), asked))
    seconds = time.perf_counter() - started
    busy = processor_seconds(worker) - before
    health.tell(f"the load of {CLIENTS} clients")
    evaluated = sum(job["explanation"]["evaluations"]["distinct"] for job in done)
    print(
        f"{jobs} jobs of {CLIENTS} clients: {seconds:.1f} s, {evaluated:,} coalitions, "
        f"{evaluated / seconds:.0f} a second"
    )
    bare, bare_busy = 0.0, 0.0
    for request in asked:
        bench.job(request["text"], request["method"], **request["parameters"])
        rows = sorted(bench.transformer.distinct_rows.values(), key=lambda row: len(row.ids))
        ready = batches(bench, rows, BARE_BATCH)
        used, started = time.process_time(), time.perf_counter()
        forward_seconds(bench.transformer.network, ready)
        bare += time.perf_counter() - started
        bare_busy += time.process_time() - used
    print(f"the same coalitions through the bare model: {bare:.1f} s; share of its speed: {bare / seconds:.2f}")
    # On a machine that others use as well, the processor's time says more than the clock's.
    print(f"processor: worker {busy:.1f} s, bare model {bare_busy:.1f} s; share: {bare_busy / busy:.2f}")


def processor_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def latency(server: Server, repeats: int) -> None:
    def short(mark: str) -> float:
        seconds = []
        for number in range(repeats):
            request = {"text": f"Not {mark} film number {number}", "model": TRANSFORMER, "method": "ls-tree"}
            started = time.perf_counter()
            explain(server, request)
            seconds.append(time.perf_counter() - started)
        return statistics.median(seconds)

    short("warm")
    idle = short("idle")
    long = {"text": " ".join(f"word{number}" for number in range(60)), "model": TRANSFORMER, "method": "asiv"}
    behind = server.client.post("/v1/explanations", json=long | {"parameters": {"budget": 20_000}}).json()["id"]
    busy = short("busy")
    still = server.client.delete(f"/v1/explanations/{behind}").json()["status"]
    assert still == "cancelled", "the long job was over too soon to be in the way"
    print(
        f"5-word LS-Tree: idle {1000 * idle:.0f} ms, behind a 60-word graph {1000 * busy:.0f} ms: "
        f"{busy / idle:.1f} times"
    )


def memory(server: Server, jobs: int) -> None:
    assert server.process is not None
    processes = {"server": psutil.Process(server.process.pid), "worker": server.workers()[0]}

    def megabytes() -> dict[str, float]:
        return {name: process.memory_info().rss / 1e6 for name, process in processes.items()}

    measured = []
    with ThreadPoolExecutor(8) as clients:
        for part in range(4):
            numbers = range(part * jobs // 4, (part + 1) * jobs // 4)
            list(clients.map(lambda number: explain(server, small(number)), numbers))
            measured.append(megabytes())
    for name in processes:
        print(f"memory of the {name} after each quarter of {jobs} jobs: {[round(each[name]) for each in measured]} MB")


def small(number: int) -> dict[str, Any]:
    method = ("leave-one-out", "hedge", "ls-tree", "shap")[number % 4]
    model = ("sst2-bow", "sst2-cnn", "sst2-minilm")[number % 3]
    return {"text": f"Film {number} is warm, but not funny.", "model": model, "method": method}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="smaller, to see whether it runs")
    quick = parser.parse_args().quick
    with serving() as server:
        health = Health(str(server.client.base_url))
        latency(server, 5 if quick else 20)
        health.tell("the short job behind the long one")
        bench = Bench(quick)
        health.tell("loading the bare model")
        throughput(server, health, bench, CLIENTS if quick else 4 * CLIENTS)
        health.tell("the bare model on the same cores")
        memory(server, 200 if quick else 2000)
        health.tell("many jobs")
        health.stop()


if __name__ == "__main__":
    main()
