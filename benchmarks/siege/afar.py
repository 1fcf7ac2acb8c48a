"""Hostile clients come from other machines. Here they are processes of their own, which the system serves last: what
they do to the server is done by what they send, not by taking the processor from it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.siege.witness import Witness

ROOT = Path(__file__).parents[2]


class Afar:
    """`python -m MODULE ARGUMENTS`: says that it is ready, reads its orders, and tells in the end what it saw."""

    def __init__(self, module: str, *arguments: object) -> None:
        path = os.pathsep.join([str(ROOT), str(ROOT / "backend")])
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, arguments)],
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def begin(self, orders: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(orders) + "\n")
        self._process.stdin.flush()

    def tell(self, witness: Witness) -> None:
        """What it saw, when it has ended."""
        said, _ = self._process.communicate(timeout=1800)
        for attack, status, pause in json.loads(said):
            witness.saw(attack, status, pause)


def orders() -> Any:
    """Within such a process: what to do, as soon as it shall begin."""
    # Not only nice: who wakes takes the processor from an idle one at once, from a nice one when its slice is over,
    # and an answer takes a dozen wakings.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    print("ready", flush=True)
    return json.loads(sys.stdin.readline())


def report(witness: Witness) -> None:
    print(json.dumps(witness.answers))
