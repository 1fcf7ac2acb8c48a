"""How often people may come from one address to one study: enough for a class behind one router, too few to reserve all
tasks under invented names, or to try names until one is known."""

import threading
import time
from collections import OrderedDict, deque

from espalier.problems import Problem

WINDOW_SECONDS = 600.0

MOST_PLACES = 10_000
"""Pairs of study and address that are remembered; of more, those that came longest ago are forgotten."""


class TooManyJoins(Problem):
    code = "busy"
    status = 429

    def __init__(self, retry_after: int, first: bool) -> None:
        super().__init__(
            f"too many have come from this address to this study: possible is to try again in {retry_after} seconds"
        )
        self.retry_after = retry_after
        self.first = first


class Joins:
    """Counts in memory: a server that starts again starts counting again."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._full: set[tuple[str, str]] = set()
        self._counting = threading.Lock()

    def count(self, study: str, address: str) -> None:
        """One more, or refused; `first` for the one with whom it became too many."""
        now, place = time.monotonic(), (study, address)
        with self._counting:
            times = self._times.setdefault(place, deque())
            self._times.move_to_end(place)
            while times and times[0] <= now - WINDOW_SECONDS:
                times.popleft()
            if len(times) >= self._most:
                first = place not in self._full
                self._full.add(place)
                raise TooManyJoins(max(1, round(times[0] + WINDOW_SECONDS - now)), first)
            self._full.discard(place)
            times.append(now)
            while len(self._times) > MOST_PLACES:
                self._full.discard(self._times.popitem(last=False)[0])
