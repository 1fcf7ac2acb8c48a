"""Cases that schemathesis makes up from the description of the API. Each such client is a process of its own: what
makes up the cases is not made for threads.

    python -m benchmarks.siege.fuzz ADDRESS SECONDS START < key
"""

import sys
import time
import warnings
from typing import Any

from benchmarks.siege.afar import ROOT, orders, report
from benchmarks.siege.witness import Witness

CASES = 20
"""Of an operation, before it is the next one's turn."""

PAUSE_SECONDS = 0.02
NAME = "schemathesis"


def main(address: str, seconds: float, start: int) -> None:
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings

    warnings.simplefilter("ignore")
    schema = schemathesis.openapi.from_path(ROOT / "docs" / "openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    headers = orders()
    ends, turn, witness = time.monotonic() + seconds, start, Witness()
    while time.monotonic() < ends or not witness.answers:

        @settings(
            max_examples=CASES,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operations[turn % len(operations)].as_strategy())
        def some(case: Any) -> None:
            if time.monotonic() > ends and witness.answers:
                return
            time.sleep(PAUSE_SECONDS)
            try:
                answer = case.call(base_url=address, headers=headers, timeout=30)
                witness.saw(NAME, answer.status_code, answer.headers.get("retry-after", [None])[0])
                if answer.status_code >= 500 and answer.status_code != 503:
                    print(f"{case.as_curl_command()}\n{answer.text}", file=sys.stderr)
            except Exception:
                witness.saw(NAME, 0)  # a request that cannot even be sent, or no answer

        some()
        turn += 1
    report(witness)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
