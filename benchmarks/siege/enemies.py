"""Clients that make every attack in turn, together in a process of their own.

python -m benchmarks.siege.enemies PORT STUDY SECONDS < keys
"""

import itertools
import sys
import threading

from benchmarks.siege.afar import orders, report
from benchmarks.siege.attacks import ATTACKS, Attacker, Target
from benchmarks.siege.witness import Witness

STRIKES = 3
"""Of each client at least, however short the siege."""

PAUSE_SECONDS = 0.5
"""Between two attacks of one client."""


def main(target: Target, seconds: float) -> None:
    keys, witness, over = orders(), Witness(), threading.Event()
    threading.Timer(seconds, over.set).start()
    enemies = [
        threading.Thread(target=_attack, args=(Attacker(target, key, witness, number), number, over))
        for number, key in enumerate(keys)
    ]
    for enemy in enemies:
        enemy.start()
    for enemy in enemies:
        enemy.join()
    report(witness)


def _attack(attacker: Attacker, number: int, over: threading.Event) -> None:
    """All attacks in turn, each client beginning with another one, so that between them they have made all of them
    after few turns."""
    names, begin = list(ATTACKS), STRIKES * number
    for turn in itertools.count():
        if over.wait(PAUSE_SECONDS) and turn >= STRIKES:
            return
        attacker.strike(names[(begin + turn) % len(names)])


if __name__ == "__main__":
    main(Target(int(sys.argv[1]), sys.argv[2]), float(sys.argv[3]))
