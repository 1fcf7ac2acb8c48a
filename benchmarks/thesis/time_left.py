"""How long a run of many parts still takes, told to whoever waits, in a terminal or in a log."""

import time
from collections.abc import Callable

from rich.console import Console

TOLD_SECONDS = 30.0


class TimeLeft:
    """Work is weighed in seconds of a usual machine; how much slower or faster this one is shows as it goes on."""

    def __init__(
        self, work: float, console: Console, now: Callable[[], float] = time.monotonic, every: float = TOLD_SECONDS
    ) -> None:
        self._left, self._done = work, 0.0
        self._console, self._now, self._every = console, now, every
        self._began = self._told = now()

    def advance(self, work: float, what: str) -> None:
        """So much is done; say now and then how long the rest takes."""
        self._left, self._done = self._left - work, self._done + work
        if (moment := self._now()) - self._told >= self._every:
            self._told = moment
            self._console.print(f"{what}: about {self.minutes:.0f} minutes left for everything", highlight=False)

    @property
    def minutes(self) -> float:
        """Left, at the pace so far."""
        pace = (self._now() - self._began) / self._done if self._done else 1.0
        return max(self._left, 0.0) * pace / 60
