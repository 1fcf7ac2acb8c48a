"""`python -m benchmarks.simulation`: how long people wait, and how many workers they need."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.simulation.people import KNOWN, THINK_SECONDS, Habits, Times
from benchmarks.simulation.queue import Outcome, simulate
from benchmarks.simulation.reality import TEXTS, measure, visit

TIMES = Path(__file__).parents[2] / ".cache" / "simulation" / "times.json"
"""Of this machine: those of another one say nothing here."""


def least_workers(run: Callable[[int], Outcome], target: float) -> tuple[int, Outcome]:
    """The fewest workers with which 95 of 100 wait no longer than `target`: doubled until it is enough, then halved."""
    most = 1
    while (found := run(most)).quantile(0.95) > target:
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", default=[30, 300, 1_000, 3_000, 10_000])
    parser.add_argument("--workers", type=int, help="Simulate so many; without it, find how many are needed.")
    parser.add_argument("--target", type=float, default=5.0, help="Seconds that 95 of 100 may wait.")
    parser.add_argument("--think", type=float, default=THINK_SECONDS, help="Mean seconds between answer and question.")
    parser.add_argument("--known", type=float, default=KNOWN, help="Share of answers that are known already.")
    parser.add_argument("--seconds", type=float, default=600.0, help="How long is simulated.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--times", type=Path, default=TIMES, help="Measured seconds of each method, in JSON.")
    parser.add_argument("--measure", type=int, metavar="TEXTS", help="Measure them anew, over so many texts.")
    parser.add_argument("--against", help="A server to visit in reality, with --people N and --workers as it has.")
    given = parser.parse_args()
    if given.measure or not given.times.exists():
        print(f"measuring how long jobs take on this machine, for {given.times}", file=sys.stderr)
        given.times.parent.mkdir(parents=True, exist_ok=True)
        given.times.write_text(json.dumps(measure(given.measure or TEXTS), indent=2) + "\n", encoding="utf-8")
    times = Times.read(given.times)

    def run(people: int, workers: int) -> Outcome:
        return simulate(people, workers, Habits(times, given.seed, given.think, given.known), given.seconds)

    table = Table(title=f"a worker needs {times.mean():.2f} s for a job in the mean", box=None)
    for column in ("people", "workers", "answers/s", "busy", "mean wait s", "50 %", "95 %", "99 %", ""):
        table.add_column(column, justify="right")

    def add(people: int, workers: int, found: Outcome, what: str = "") -> None:
        waits = (f"{found.quantile(share):.2f}" for share in (0.5, 0.95, 0.99))
        busy = f"{found.busy:.0%}" if found.busy else ""
        table.add_row(f"{people:,}", f"{workers}", f"{found.rate:.2f}", busy, f"{found.mean:.2f}", *waits, what)

    for people in given.people:
        if given.workers:
            workers, found = given.workers, run(people, given.workers)
        else:
            workers, found = least_workers(lambda count, people=people: run(people, count), given.target)
        add(people, workers, found, "simulated" if given.against else "")
        if given.against:
            habits = Habits(times, given.seed, given.think, given.known)
            add(people, workers, visit(given.against, people, habits, given.seconds, given.seed), "real")
    Console().print(table)


if __name__ == "__main__":
    main()
