"""A short siege: `make siege` goes on for ten minutes, and looks at how long honest clients wait."""

from pathlib import Path

import pytest
from benchmarks.siege.attacks import ATTACKS
from benchmarks.siege.siege import besiege

SECONDS = 15


@pytest.mark.slow
def test_hostile_clients_break_nothing_and_honest_ones_get_what_they_got_in_peace(tmp_path: Path) -> None:
    report = besiege(tmp_path, SECONDS, quiet_seconds=SECONDS / 3)
    assert report.broken(growth=2) == [], report
    assert set(ATTACKS) <= set(report.attacks)
    assert report.fuzzed > 0
    assert report.honest >= 40  # each of ten asks four times, however late
