"""Clients that make every attack in turn, together in a process of their own.

python -m benchmarks.siege.enemies PORT STUDY SECONDS < keys
"""

import itertools
import math
import sys
import threading

from benchmarks.siege.afar import orders, report
from benchmarks.siege.attacks import ATTACKS, Attacker, Target
from benchmarks.siege.witness import Witness

PAUSE_SECONDS = 0.5
"""Between two attacks of one client."""


def main(target: Target, seconds: float) -> None:
    keys, witness, over = orders(), Witness(), threading.Event()
    threading.Timer(seconds, over.set).start()
    strikes = math.ceil(len(ATTACKS) / len(keys))
    enemies = [
        threading.Thread(target=_attack, args=(Attacker(target, key, witness, number), number, strikes, over))
        for number, key in enumerate(keys)
    ]
    for enemy in enemies:
        enemy.start()
    for enemy in enemies:
        enemy.join()
    report(witness)


def _attack(attacker: Attacker, number: int, strikes: int, over: threading.Event) -> None:
    """All attacks in turn, each client beginning with another one. However short the siege, between them they have
    made all."""
    names, begin = list(ATTACKS), strikes * number
    for turn in itertools.count():
        if over.wait(PAUSE_SECONDS) and turn >= strikes:
            return
        attacker.strike(names[(begin + turn) % len(names)])


if __name__ == "__main__":
    main(Target(int(sys.argv[1]), sys.argv[2]), float(sys.argv[3]))
