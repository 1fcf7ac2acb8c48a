"""Cases that schemathesis makes up from the description of the API. Each such client is a process of its own: what
makes up the cases is not made for threads.

    python -m benchmarks.siege.fuzz ADDRESS SECONDS START < key
"""

import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from benchmarks.siege.witness import Witness

ROOT = Path(__file__).parents[2]
CASES = 20
"""Of an operation, before it is the next one's turn."""

PAUSE_SECONDS = 0.02


class Fuzzer:
    """From the outside: ready once it has read the description, and then at it for so many seconds."""

    def __init__(self, address: str, key: dict[str, str], seconds: float, start: int) -> None:
        command = [sys.executable, "-m", "benchmarks.siege.fuzz", address, str(seconds), str(start)]
        path = os.pathsep.join([str(ROOT), str(ROOT / "backend")])
        self._process = subprocess.Popen(
            command, env=os.environ | {"PYTHONPATH": path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._key = json.dumps(key)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def begin(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(self._key + "\n")
        self._process.stdin.flush()

    def tell(self, witness: Witness) -> None:
        """What it saw, when it has ended."""
        said, _ = self._process.communicate(timeout=1800)
        for status, pause in json.loads(said):
            witness.saw("schemathesis", status, pause)


def main(address: str, seconds: float, start: int) -> list[tuple[int, str | None]]:
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings

    warnings.simplefilter("ignore")
    schema = schemathesis.openapi.from_path(ROOT / "docs" / "openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    print("ready", flush=True)
    headers, ends = json.loads(sys.stdin.readline()), time.monotonic() + seconds
    seen: list[tuple[int, str | None]] = []
    turn = start
    while time.monotonic() < ends or not seen:

        @settings(
            max_examples=CASES,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operations[turn % len(operations)].as_strategy())
        def some(case: Any) -> None:
            if time.monotonic() > ends and seen:
                return
            time.sleep(PAUSE_SECONDS)
            try:
                answer = case.call(base_url=address, headers=headers, timeout=30)
                seen.append((answer.status_code, answer.headers.get("retry-after", [None])[0]))
            except Exception:
                seen.append((0, None))  # a request that cannot even be sent, or no answer

        some()
        turn += 1
    return seen


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))))
