"""`python -m benchmarks.busy`: HEDGE jobs of a server beside a busy process, over the same on a quiet machine.

torch's threads meet at barriers some hundred times in a pass. Whoever comes first looks again and again whether the
others are there (spins) before it sleeps: on a quiet machine that is the fastest way, on a busy one it takes the core
from the thread it waits for. What is measured is the worker of a real server, asked over REST, as it is shipped. Other
numbers of looks can be tried, each on a server of its own, by turns, since a machine's speed changes in minutes:

    python -m benchmarks.busy --spins 0,1000,4000,20000,300000
    python -m benchmarks.busy --rounds 1        # to see whether it runs; written down from 5

The last number of looks is what libgomp does when nothing is said.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from tests.faults.server import Server

from benchmarks import clock, pages, report
from benchmarks.bench import TRANSFORMER
from benchmarks.load import explain
from benchmarks.sections import Rows, Section, Target
from benchmarks.sentences import LONG, of_length

WANTED = 2.2
ENOUGH = 5
"""Rounds of a run that is written down."""

SHIPPED = "as shipped"


@dataclass(slots=True)
class Times:
    """Seconds of each job, and of each of its evaluations: no two texts need quite as many."""

    jobs: list[float] = field(default_factory=list)
    evaluations: list[float] = field(default_factory=list)

    def add(self, seconds: float, evaluations: int) -> None:
        self.jobs.append(seconds)
        self.evaluations.append(seconds / evaluations)


@dataclass(slots=True)
class Compared:
    """The same worker, quiet and beside something busy."""

    quiet: Times = field(default_factory=Times)
    busy: Times = field(default_factory=Times)

    @property
    def ratio(self) -> float:
        return median(self.busy.evaluations) / median(self.quiet.evaluations)


def main(
    spins: Annotated[str, typer.Option(help="Looks at a barrier to try, with commas; as shipped without.")] = "",
    busy: Annotated[int, typer.Option(help="Busy processes beside the server.")] = 1,
    rounds: Annotated[int, typer.Option(help="Quiet and busy jobs, by turns.")] = ENOUGH,
) -> None:
    """Measure, say what came out, and write it down."""
    run, tried = pages.Run(), spins.split(",") if spins else [SHIPPED]
    found = {each: Compared() for each in tried}
    with ExitStack() as stack:
        servers = {each: stack.enter_context(serving(each)) for each in tried}
        for server in servers.values():
            job(server, "warm")
        for number in range(rounds):
            for each, server in servers.items():
                found[each].quiet.add(*job(server, f"quiet{number}"))
                with busy_processes(busy):
                    found[each].busy.add(*job(server, f"busy{number}"))
    measured = section(found, busy, rounds)
    report.show(Console(), measured)
    if not spins and busy == 1 and rounds >= ENOUGH:
        report.write(measured, run)


@contextmanager
def serving(spins: str) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), {} if spins == SHIPPED else {"GOMP_SPINCOUNT": spins})
        server.start()
        try:
            server.wait_until()
            yield server
        finally:
            server.stop()


def job(server: Server, mark: str) -> tuple[float, int]:
    """Seconds from request to result, and evaluations. The mark makes a text that the worker has not seen."""
    text = f"{of_length(LONG)[0]} {mark}"
    began = clock.now()
    done = explain(server, {"text": text, "model": TRANSFORMER, "method": "hedge"})
    return clock.now() - began, done["explanation"]["evaluations"]["distinct"]


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


def section(found: dict[str, Compared], busy: int, rounds: int) -> Section:
    rows = [
        (
            name,
            f"{median(each.quiet.jobs):.2f}",
            f"{median(each.busy.jobs):.2f}",
            f"{1000 * median(each.quiet.evaluations):.2f}",
            f"{1000 * median(each.busy.evaluations):.2f}",
            f"{each.ratio:.2f}",
        )
        for name, each in found.items()
    ]
    columns = ("looks at a barrier", "quiet, s", "busy, s", "ms each, quiet", "ms each, busy", "busy / quiet")
    return Section(
        "Beside a busy process",
        f"HEDGE on texts of {LONG + 1} words, asked of a server over REST, from request to result: on a quiet machine, "
        f"and beside {busy} process{'es' if busy > 1 else ''} that only count{'' if busy > 1 else 's'}, by turns, "
        f"medians of {rounds}. Every text is a new one, so what is compared is the time of an evaluation.",
        [Rows("", columns, rows)],
        [
            Target(
                f"a HEDGE job beside {busy} busy process{'es' if busy > 1 else ''}, over its quiet time"
                + ("" if name == SHIPPED else f", {name} looks"),
                f"≤ {WANTED} ×",
                f"{each.ratio:.2f} ×",
                each.ratio <= WANTED,
            )
            for name, each in found.items()
        ],
    )


if __name__ == "__main__":
    typer.run(main)
