"""What people do: how long they think between two questions, and which methods they choose."""

import json
import random
from collections.abc import Mapping, Sequence
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
class Question:
    """What somebody asks: a method, and one of the texts."""

    method: str
    text: int


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds that one worker needs for each method on each of some texts, when it has nothing else to do. How much
    jobs differ in size is how much the texts differ in length."""

    seconds: Mapping[str, Sequence[float]]

    @classmethod
    def read(cls, path: Path) -> "Times":
        return cls(json.loads(path.read_text(encoding="utf-8"))["seconds"])

    @property
    def texts(self) -> int:
        return len(next(iter(self.seconds.values())))

    def of(self, question: Question) -> float:
        return self.seconds[question.method][question.text]

    def mean(self) -> float:
        means = {method: sum(self.seconds[method]) / self.texts for method in MIX}
        return sum(share * means[method] for method, share in MIX.items()) / sum(MIX.values())


class Habits:
    """Draws of one simulation, or of one visit to a real server: the same for the same seed."""

    def __init__(self, times: Times, seed: int, think_seconds: float = THINK_SECONDS, known: float = KNOWN) -> None:
        self.times = times
        self._draw = random.Random(seed)
        self._think = think_seconds
        self._known = known
        self._methods, self._shares = list(MIX), list(MIX.values())

    def thought(self) -> float:
        return self._draw.expovariate(1 / self._think)

    def question(self) -> Question | None:
        """None for one whose answer is known already."""
        if self._draw.random() < self._known:
            return None
        method = self._draw.choices(self._methods, self._shares)[0]
        return Question(method, self._draw.randrange(self.times.texts))

    def worker(self, count: int) -> int:
        """Whose game it is: hashing spreads them evenly."""
        return self._draw.randrange(count)
