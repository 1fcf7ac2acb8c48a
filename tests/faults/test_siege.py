"""A short siege: `make siege` goes on for ten minutes, and looks at how long honest clients wait."""

from pathlib import Path

import pytest
from benchmarks.siege.attacks import ATTACKS
from benchmarks.siege.siege import Report, besiege

SECONDS = 15


@pytest.mark.slow
def test_hostile_clients_break_nothing_and_honest_ones_get_what_they_got_in_peace(tmp_path: Path) -> None:
    report = besiege(tmp_path, SECONDS, quiet_seconds=SECONDS / 3)
    assert report.broken(growth=2) == [], report
    assert set(ATTACKS) <= set(report.attacks)
    assert report.fuzzed > 0
    assert report.honest >= 40  # each of ten asks four times, however late


@pytest.mark.parametrize(("seconds", "least"), [(1200, 10_000), (600, 10_000), (60, 1_000), (15, 250)])
def test_a_siege_without_enough_made_up_cases_is_none(seconds: float, least: int) -> None:
    def told(fuzzed: int) -> list[str]:
        return Report(seconds, 1.0, 1.0, 40, {}, fuzzed, {}, 0, (1.0, 1.0), (1.0, 1.0)).idle()

    assert told(least) == []
    assert told(least - 1) == [f"too few cases were made up: got {least - 1:,}, possible are {least:,} or more"]
