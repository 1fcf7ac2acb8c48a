"""A quiet run, then the same with enemies; and what must hold."""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.siege.afar import Afar
from benchmarks.siege.fort import Fort, Watch
from benchmarks.siege.honest import Honest
from benchmarks.siege.witness import Witness

HOSTILE = 20
FUZZERS = 4
"""Of them: as many cases as they can make up."""

SLOWER = 2.0
"""How many times the median wait of the quiet run honest clients may wait."""

GROWTH = 1.25
"""How many times its memory of a third of the way a process may have at the end."""


CASES = 10_000
"""That the fuzzers make up at least, in ten minutes or more; in a shorter siege their part of it."""


@dataclass
class Report:
    """What happened. `broken` says what must not have, `slow` whether honest clients had to wait for it, and `idle`
    whether there was a siege at all."""

    seconds: float
    quiet_wait: float
    wait: float
    honest: int
    attacks: dict[str, int]
    fuzzed: int
    statuses: dict[str, int]
    worker_deaths: int
    grown: tuple[float, float]
    megabytes: tuple[float, float]
    wrong: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """What the server itself says went wrong in it."""

    def broken(self, growth: float = GROWTH) -> list[str]:
        found = list(self.wrong)
        if self.worker_deaths:
            found.append(f"{self.worker_deaths} workers died")
        if max(self.grown) > growth:
            found.append(f"memory grew {max(self.grown):.2f} times")
        return found

    def slow(self) -> list[str]:
        times = self.wait / self.quiet_wait
        return [f"honest clients wait {times:.1f} times as long"] if times > SLOWER else []

    def idle(self) -> list[str]:
        """A siege shows nothing by what was never sent."""
        least = round(CASES * min(1.0, self.seconds / 600))
        if self.fuzzed >= least:
            return []
        return [f"too few cases were made up: got {self.fuzzed:,}, possible are {least:,} or more"]


def besiege(folder: Path, seconds: float, quiet_seconds: float) -> Report:
    with Fort(folder) as fort:
        Honest(fort).run(_over())  # models are loaded, and memory is what it will be
        quiet = Honest(fort)
        quiet.run(_over(quiet_seconds))
        port, address = fort.server.port, fort.address
        fuzzers = [Afar("benchmarks.siege.fuzz", address, seconds, 17 * number) for number in range(FUZZERS)]
        enemies = Afar("benchmarks.siege.enemies", port, fort.study, seconds)
        besieged, witness = Honest(fort), Witness()
        besieged.answers = dict(quiet.answers)
        with Watch(fort.server) as watch:
            for fuzzer in fuzzers:
                fuzzer.begin(fort.key())
            enemies.begin([fort.key() for _ in range(HOSTILE - FUZZERS)])
            besieged.run(_over(seconds))
            for each in (enemies, *fuzzers):
                each.tell(witness)
            time.sleep(1)
            deaths = watch.worker_deaths
        attacks = witness.attacks
        return Report(
            seconds=seconds,
            quiet_wait=quiet.median(),
            wait=besieged.median(),
            honest=len(besieged.waits),
            attacks=dict(attacks),
            fuzzed=attacks["schemathesis"],
            statuses=dict(sorted(witness.statuses.items())),
            worker_deaths=deaths,
            grown=watch.grown(),
            megabytes=watch.memory[-1],
            wrong=[*dict.fromkeys([*quiet.wrong, *besieged.wrong, *witness.wrong])],
            failures=fort.failures(),
        )


def _over(seconds: float = 0) -> threading.Event:
    """Set after so many seconds."""
    over = threading.Event()
    timer = threading.Timer(seconds, over.set)
    timer.daemon = True
    timer.start()
    return over
