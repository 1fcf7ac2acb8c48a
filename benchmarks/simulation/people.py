"""What people do: how long they think between two questions, and which methods they choose."""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

THINK_SECONDS = 45.0
"""Between an answer and the next question: reading a picture takes longer than making it."""

MIX: Mapping[str, float] = {
    "hedge": 0.25,
    "ls-tree": 0.25,
    "shap": 0.20,
    "leave-one-out": 0.10,
    "lime": 0.10,
    "asiv": 0.10,
}
"""Shares of the methods. A guess: no installation has been watched for long."""

KNOWN = 0.15
"""Share of questions whose answer is known already: a class looks at the same sentence. They reach no worker."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds that one worker needs for a job of each method, when it has nothing else to do."""

    seconds: Mapping[str, float]

    @classmethod
    def read(cls, path: Path) -> "Times":
        return cls(json.loads(path.read_text(encoding="utf-8"))["seconds"])

    def mean(self) -> float:
        return sum(share * self.seconds[method] for method, share in MIX.items()) / sum(MIX.values())


class Habits:
    """Draws of one simulation, the same for the same seed. Sizes of jobs vary with the length of texts: half of them
    are within a factor of two."""

    def __init__(self, times: Times, seed: int, think_seconds: float = THINK_SECONDS, known: float = KNOWN) -> None:
        self._draw = random.Random(seed)
        self._times = times
        self._think = think_seconds
        self._known = known
        self._methods, self._shares = list(MIX), list(MIX.values())

    def thought(self) -> float:
        return self._draw.expovariate(1 / self._think)

    def method(self) -> str:
        return self._draw.choices(self._methods, self._shares)[0]

    def work(self) -> float:
        """Seconds of a worker that the next question takes; 0 when its answer is known."""
        if self._draw.random() < self._known:
            return 0.0
        # Log-normal with mean 1: the middle half lies within a factor of two.
        spread = 0.514
        return self._times.seconds[self.method()] * self._draw.lognormvariate(-(spread**2) / 2, spread)

    def worker(self, count: int) -> int:
        """Whose game it is: hashing spreads them evenly."""
        return self._draw.randrange(count)
