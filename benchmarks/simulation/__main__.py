"""`python -m benchmarks.simulation`: how long people wait, and how many workers they need."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import pages
from benchmarks.sections import Row, Rows
from benchmarks.simulation.people import KNOWN, THINK_SECONDS, Habits, Times
from benchmarks.simulation.queue import Outcome, simulate
from benchmarks.simulation.reality import TEXTS, measure, own_server, visit

PAGE = pages.DOCS / "cluster.md"
COLUMNS = ("people", "workers", "answers/s", "busy", "mean wait s", "50 %", "95 %", "99 %")
OWN_WORKERS = 2
"""Of the server that `--page` visits: one thread each, as many as the machine that this is written on has cores."""

TIMES = Path(__file__).parents[2] / ".cache" / "simulation" / "times.json"
"""Of this machine: those of another one say nothing here."""


def least_workers(run: Callable[[int], Outcome], target: float, people: int) -> tuple[int, Outcome]:
    """The fewest workers with which 95 of 100 wait no longer than `target`: doubled until it is enough, then halved."""
    most = 1
    while (found := run(most)).quantile(0.95) > target:
        if most >= people:  # nobody waits for anybody else any more
            raise SystemExit(
                f"jobs alone take longer: got --target {target:g}, possible is {found.quantile(0.95):.0f} or more"
            )
        most *= 2
    least, enough = most // 2, (most, found)
    while most - least > 1:
        middle = (least + most) // 2
        found = run(middle)
        if found.quantile(0.95) <= target:
            most, enough = middle, (middle, found)
        else:
            least = middle
    return enough


class Simulation:
    """People with the same habits, simulated and real, as rows of a table."""

    def __init__(self, times: Times, given: argparse.Namespace) -> None:
        self._times, self._given = times, given

    def habits(self) -> Habits:
        return Habits(self._times, self._given.seed, self._given.think, self._given.known)

    def run(self, people: int, workers: int) -> Outcome:
        return simulate(people, workers, self.habits(), self._given.seconds)

    def sized(self, people: int) -> Row:
        """With the workers that were named, or as many as these people need."""
        workers = self._given.workers
        if workers:
            return _cells(people, workers, self.run(people, workers))
        return _cells(people, *least_workers(lambda count: self.run(people, count), self._given.target, people))

    def compared(self, address: str, people: int, workers: int) -> list[Row]:
        """Simulated, and the same people at a real server."""
        real = visit(address, people, self.habits(), self._given.seconds, self._given.seed)
        both = (("simulated", self.run(people, workers)), ("real", real))
        return [(what, *_cells(people, workers, found)) for what, found in both]


def _cells(people: int, workers: int, found: Outcome) -> Row:
    waits = (f"{found.quantile(share):.2f}" for share in (0.5, 0.95, 0.99))
    busy = f"{found.busy:.0%}" if found.busy else ""
    return f"{people:,}", f"{workers}", f"{found.rate:.2f}", busy, f"{found.mean:.2f}", *waits


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", default=[30, 300, 1_000, 3_000, 10_000])
    parser.add_argument("--workers", type=int, help="Simulate so many; without it, find how many are needed.")
    parser.add_argument("--target", type=float, default=15.0, help="Seconds that 95 of 100 may wait.")
    parser.add_argument("--think", type=float, default=THINK_SECONDS, help="Mean seconds between answer and question.")
    parser.add_argument("--known", type=float, default=KNOWN, help="Share of answers that are known already.")
    parser.add_argument("--seconds", type=float, default=600.0, help="How long is simulated.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--times", type=Path, default=TIMES, help="Measured seconds of each method, in JSON.")
    parser.add_argument("--measure", type=int, metavar="TEXTS", help="Measure them anew, over so many texts.")
    parser.add_argument("--against", help="A server to visit in reality, with --people N and --workers as it has.")
    parser.add_argument(
        "--page",
        type=int,
        nargs="+",
        metavar="PEOPLE",
        help=f"Let so many visit a server with {OWN_WORKERS} workers, too, and write both tables into docs/cluster.md.",
    )
    given, beginning = parser.parse_args(), pages.Run()
    if given.measure or not given.times.exists():
        print(f"measuring how long jobs take on this machine, for {given.times}", file=sys.stderr)
        given.times.parent.mkdir(parents=True, exist_ok=True)
        given.times.write_text(json.dumps(measure(given.measure or TEXTS), indent=2) + "\n", encoding="utf-8")
    times = Times.read(given.times)
    simulation, title = Simulation(times, given), f"a worker needs {times.mean():.2f} s for a job in the mean"
    if given.against:
        rows = [row for people in given.people for row in simulation.compared(given.against, people, given.workers)]
        show(title, ("", *COLUMNS), rows)
        return
    sizes = [simulation.sized(people) for people in given.people]
    show(title, COLUMNS, sizes)
    if given.page:
        with own_server(OWN_WORKERS) as address:
            rows = [row for people in given.page for row in simulation.compared(address, people, OWN_WORKERS)]
        show("the same people at a real server", ("", *COLUMNS), rows)
        pages.put_in(PAGE, "sizes", [Rows("", COLUMNS, sizes), Rows("", ("", *COLUMNS), rows)], beginning)


def show(title: str, columns: Row, rows: list[Row]) -> None:
    table = Table(title=title, box=None)
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
