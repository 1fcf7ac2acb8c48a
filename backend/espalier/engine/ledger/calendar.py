"""When to forget, by a clock that may be wrong: what was deleted because it jumped does not come back."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

HOUR = 3600.0
"""Between two times of forgetting; the first one is so long after the start, when a wrong clock has mostly been set."""

DAY = 86_400.0

MOST_DRIFT = timedelta(minutes=5)
"""How far the clock and the seconds that have passed may differ in an hour."""

_log = structlog.get_logger(__name__)


class Calendar:
    """Compares the clock with the seconds that have really passed."""

    def __init__(self, keep: timedelta, passed: Callable[[], float] = time.monotonic) -> None:
        self._keep = keep
        self._passed = passed
        self._started = self._looked = passed()
        self._moment: datetime | None = None

    def forget_before(self, moment: datetime) -> datetime | None:
        """The time before which finished jobs are old; None when it is not time, or the clock cannot be believed."""
        if self._moment is None:
            self._moment = moment
        elapsed = self._passed() - self._looked
        if elapsed < HOUR:
            return None
        drift = abs(moment - self._moment - timedelta(seconds=elapsed))
        self._looked, self._moment = self._passed(), moment
        if drift > MOST_DRIFT:
            _log.warning("the clock has jumped: nothing is forgotten for an hour", seconds=drift.total_seconds())
            self._started = self._looked
            return None
        return moment - self._keep

    def may_forget_everything(self) -> bool:
        """Whether the clock has been steady for a day: then all that is kept may really be too old."""
        return self._passed() - self._started > DAY

    def again(self) -> None:
        """It could not be done: try again in a minute."""
        self._looked -= HOUR - 60
        if self._moment is not None:
            self._moment -= timedelta(seconds=HOUR - 60)
