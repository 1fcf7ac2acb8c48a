"""The local sample: texts with some words absent, those near the original counting more (MAHE, section 4.1)."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import BoolArray, FloatArray

WHOLE = 100
"""Neighbourhoods up to this many coalitions are taken whole: sampling them would only add noise."""


@dataclass(frozen=True, slots=True)
class LocalSample:
    """Distinct coalitions, the full text first, and what each counts for.

    `counts` is how often each was drawn, `kernel` how near it is to the text. A coalition drawn many times is one
    evaluation of the model and one row of the fit.
    """

    coalitions: BoolArray
    counts: FloatArray
    kernel: FloatArray
    whole: bool

    @property
    def weights(self) -> FloatArray:
        return self.counts * self.kernel

    def rows(self, chosen: NDArray[np.intp]) -> "LocalSample":
        return LocalSample(self.coalitions[chosen], self.counts[chosen], self.kernel[chosen], self.whole)


def most_absent(size: int, vicinity: float) -> int:
    """How many words may be absent at once. Two at least: with one, no two words are ever seen without each other."""
    return min(size, max(2, round(vicinity * size)))


def local_sample(size: int, draws: int, vicinity: float, generator: np.random.Generator) -> LocalSample:
    """Draw the number of absent words uniformly from 0 to the vicinity's edge, then which ones.

    The distance is the number of absent words (the edit distance of the paper), the edge of the vicinity is one
    standard deviation of the Gaussian kernel.
    """
    edge = most_absent(size, vicinity)
    sizes = [comb(size, absent) for absent in range(edge + 1)]
    if sum(sizes) <= WHOLE:
        coalitions = np.ones((sum(sizes), size), dtype=bool)
        gone = [absent for count in range(edge + 1) for absent in combinations(range(size), count)]
        for row, absent in zip(coalitions, gone, strict=True):
            row[list(absent)] = False
        counts = np.repeat([draws / (edge + 1) / each for each in sizes], sizes)
    else:
        absences = generator.integers(0, edge + 1, size=draws)
        absences[0] = 0  # The text itself is always in the sample.
        coalitions, counts = distinct_rows(random_absences(absences, size, generator))
    distances = (~coalitions).sum(axis=1)
    return LocalSample(coalitions, counts, np.exp(-((distances / edge) ** 2) / 2), whole=sum(sizes) <= WHOLE)


def random_absences(absences: NDArray[np.int64], size: int, generator: np.random.Generator) -> BoolArray:
    """One coalition for each number of absent words, the absent ones chosen at random."""
    places = generator.random((len(absences), size)).argsort(axis=1).argsort(axis=1)
    return places >= absences[:, None]


def distinct_rows(coalitions: BoolArray) -> tuple[BoolArray, FloatArray]:
    """Each coalition once, and how often it was there. The full one, largest as a binary number, comes first."""
    rows, counts = np.unique(coalitions, axis=0, return_counts=True)
    return rows[::-1], counts[::-1].astype(np.float64)


@dataclass(frozen=True, slots=True)
class Split:
    """Rows to fit on, rows that decide when to stop, and rows that nothing but the reported R² has seen."""

    training: NDArray[np.intp]
    validation: NDArray[np.intp]
    test: NDArray[np.intp]


def split(sample: LocalSample, generator: np.random.Generator) -> Split:
    """80 %, 10 % and 10 % of the distinct coalitions, so that no held-out coalition was trained on under another draw.

    The text itself is always trained on: contributions are read there. Of a whole neighbourhood nothing is left to hold
    out, so all three parts are all of it.
    """
    rows = len(sample.coalitions)
    if sample.whole:
        everything = np.arange(rows, dtype=np.intp)
        return Split(everything, everything, everything)
    order = 1 + generator.permutation(rows - 1)
    tenth = rows // 10
    return Split(np.append(0, order[2 * tenth :]), order[:tenth], order[tenth : 2 * tenth])
