"""`make siege`, or `python -m benchmarks.siege --minutes 10`."""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.siege.siege import besiege


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = besiege(Path(folder), 60 * given.minutes, quiet_seconds=min(60.0, 20 * given.minutes))
    for name, value in vars(report).items():
        if name not in ("wrong", "failures"):
            print(f"{name:14} {value}")
    broken = report.broken() + report.slow() + report.idle()
    for each in broken:
        print(f"BROKEN: {each}")
    for each in report.failures if broken else ():
        print(each)
    sys.exit(1 if broken else 0)


main()
