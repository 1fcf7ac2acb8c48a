"""When to forget, by a clock that may be wrong."""

from datetime import UTC, datetime, timedelta

import pytest

from espalier.engine.ledger.calendar import DAY, HOUR, Calendar

START = datetime(2026, 11, 17, tzinfo=UTC)
KEEP = timedelta(days=30)


class Clocks:
    """The clock on the wall, and the seconds that have really passed."""

    def __init__(self) -> None:
        self.passed = 1000.0
        self.wall = START
        self.calendar = Calendar(KEEP, lambda: self.passed)
        self.look()

    def go_on(self, seconds: float, jump: timedelta = timedelta(0)) -> None:
        self.passed += seconds
        self.wall += timedelta(seconds=seconds) + jump

    def look(self) -> datetime | None:
        return self.calendar.forget_before(self.wall)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


def test_what_is_older_than_it_is_kept_is_forgotten_every_hour(clocks: Clocks) -> None:
    for _ in range(3):
        clocks.go_on(HOUR / 2)
        assert clocks.look() is None
        clocks.go_on(HOUR / 2)
        assert clocks.look() == clocks.wall - KEEP


@pytest.mark.parametrize("jump", [timedelta(days=365), timedelta(days=-365), timedelta(hours=1)])
def test_a_clock_that_jumps_deletes_nothing_until_it_has_been_steady_for_an_hour(
    clocks: Clocks, jump: timedelta
) -> None:
    clocks.go_on(HOUR, jump)
    assert clocks.look() is None
    clocks.go_on(HOUR, -jump)  # somebody has set it right
    assert clocks.look() is None
    clocks.go_on(HOUR)
    assert clocks.look() == clocks.wall - KEEP


def test_everything_is_forgotten_only_by_a_clock_that_was_steady_for_a_day(clocks: Clocks) -> None:
    clocks.go_on(HOUR)
    assert not clocks.calendar.may_forget_everything()
    clocks.go_on(DAY)
    assert clocks.calendar.may_forget_everything()
    clocks.go_on(HOUR, timedelta(days=40))
    clocks.look()
    assert not clocks.calendar.may_forget_everything()


def test_a_time_that_could_not_be_used_comes_again_soon(clocks: Clocks) -> None:
    clocks.go_on(HOUR)
    assert clocks.look() is not None
    clocks.calendar.again()
    clocks.go_on(61)
    assert clocks.look() == clocks.wall - KEEP
