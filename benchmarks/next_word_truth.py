"""Prompts whose next words everybody explains, and what they are held against: values that are right on average."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.next_words import PROMPT
from espalier.explain.plan import FloatArray

TWENTIES = (
    "The common lobster lives in the eastern Atlantic Ocean , the Mediterranean Sea and parts of the Black Sea near",
    "When the train finally reached the small station at the border , the old man picked up his suitcase and",
)
THIRTY = " ".join(PROMPT.split()[:30])
SMALLEST_ERROR = 1e-4
"""Less is rounding."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Values, and how sure they are."""

    values: FloatArray
    errors: FloatArray

    def error_of(self, estimates: Sequence[FloatArray]) -> float:
        """Root mean square error in units of the values' root mean square. What the truth's own noise adds to a square
        is its variance, which is known and taken off."""
        noise = np.square(self.errors).sum()
        off = np.mean([np.square(each - self.values).sum() for each in estimates]) - noise
        size = max(np.square(self.values).sum() - noise, np.finfo(np.float64).tiny)
        return float(max(np.sqrt(max(off, 0.0) / size), SMALLEST_ERROR))

    @property
    def uncertain(self) -> float:
        return float(np.sqrt(np.square(self.errors).sum() / np.square(self.values).sum()))
