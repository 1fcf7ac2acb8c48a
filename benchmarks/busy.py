"""A HEDGE job on a machine that is busy with something else, over the same job on a quiet one.

    python -m benchmarks.busy

torch's threads meet at barriers some hundred times in a pass. Whoever comes first looks again and again whether the
others are there (spins) before it sleeps: on a quiet machine that is the fastest way, on a busy one it takes the core
from the thread it waits for. Several numbers of looks are tried by turns, since a machine's speed changes in minutes.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Annotated

import typer

from benchmarks import clock
from benchmarks.sentences import LONG, of_length

WANTED = 2.2
SPINS = "0,1000,4000,20000,300000"
"""The last is what libgomp does when nothing is said."""


class Job:
    """A process of its own with a model in it, which runs the same job whenever it is told to."""

    def __init__(self, spins: str, threads: int) -> None:
        environment = {**os.environ, "GOMP_SPINCOUNT": spins, "OMP_NUM_THREADS": str(threads)}
        environment.pop("OMP_WAIT_POLICY", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.busy", "--child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.seconds()  # the first one loads and warms up

    def seconds(self) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """As many that only count."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def child() -> None:
    from benchmarks.bench import Bench

    bench, text = Bench(quick=False), of_length(LONG)[0]
    for _ in sys.stdin:
        started = clock.now()
        bench.job(text, "hedge")
        print(clock.now() - started, flush=True)


def main(
    spins: Annotated[str, typer.Option(help="Looks at a barrier to try, with commas.")] = SPINS,
    threads: Annotated[int, typer.Option(help="Threads of the job.")] = os.cpu_count() or 1,
    busy: Annotated[int, typer.Option(help="Busy processes beside it.")] = 1,
    rounds: int = 5,
    is_child: Annotated[bool, typer.Option("--child", hidden=True)] = False,
) -> None:
    """The middle of some rounds, quiet and busy, for each number of looks."""
    if is_child:
        return child()
    jobs = {each: Job(each, threads) for each in spins.split(",")}
    quiet: dict[str, list[float]] = {each: [] for each in jobs}
    loaded: dict[str, list[float]] = {each: [] for each in jobs}
    for _ in range(rounds):
        for each, job in jobs.items():
            quiet[each].append(job.seconds())
            with busy_processes(busy):
                loaded[each].append(job.seconds())
    for job in jobs.values():
        job.close()
    fastest = min(median(times) for times in quiet.values())
    typer.echo(f"HEDGE, {LONG} words, {threads} threads, {busy} busy process beside it, {rounds} rounds by turns\n")
    typer.echo(
        "|  looks | quiet, s | over the fastest | busy, s | busy / quiet | met |\n|---:|---:|---:|---:|---:|---|"
    )
    for each in jobs:
        alone, beside = median(quiet[each]), median(loaded[each])
        met = "yes" if beside / alone <= WANTED else "no"
        typer.echo(f"| {each} | {alone:.2f} | {alone / fastest:.2f} | {beside:.2f} | {beside / alone:.2f} | {met} |")
    return None


if __name__ == "__main__":
    typer.run(main)
