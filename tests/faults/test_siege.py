"""A short siege: `make siege` goes on for ten minutes, and is stricter about time, which a busy machine has none of."""

from pathlib import Path

import pytest
from benchmarks.siege.siege import besiege

SECONDS = 15


@pytest.mark.slow
def test_hostile_clients_break_nothing_and_honest_ones_get_what_they_got_in_peace(tmp_path: Path) -> None:
    report = besiege(tmp_path, SECONDS, quiet_seconds=SECONDS / 3)
    assert report.broken(slower=20, growth=2) == [], report
    assert report.attacks > 50
    assert report.fuzzed > 10
    assert report.honest >= 40
