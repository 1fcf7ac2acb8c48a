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


def local_sample(size: int, draws: int, vicinity: float, seed: int) -> LocalSample:
    """Draw the number of absent words uniformly from 0 to the vicinity's edge, then which ones.

    The distance is the number of absent words (the edit distance of the paper), the edge of the vicinity is one
    standard deviation of the Gaussian kernel. With one seed, the coalitions of fewer draws are the first ones of more:
    going on to more precision loses nothing.
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
        coalitions, counts = distinct_rows(random_absences(0, edge, draws, size, seed))
    distances = (~coalitions).sum(axis=1)
    return LocalSample(coalitions, counts, np.exp(-((distances / edge) ** 2) / 2), whole=sum(sizes) <= WHOLE)


def random_absences(fewest: int, most: int, draws: int, size: int, seed: int) -> BoolArray:
    """The text itself, then coalitions with `fewest` to `most` words absent, any number as likely, chosen at random.

    Numbers and choices come from generators of their own: the first draws do not depend on how many follow.
    """
    numbers, choices = (np.random.default_rng([seed, size, part]) for part in (0, 1))
    absences = numbers.integers(fewest, most + 1, size=draws)
    absences[0] = 0
    places = choices.random((draws, size)).argsort(axis=1).argsort(axis=1)
    return places >= absences[:, None]


def distinct_rows(coalitions: BoolArray) -> tuple[BoolArray, FloatArray]:
    """Each coalition once, in the order of first appearance, and how often it was there."""
    _, first, counts = np.unique(np.packbits(coalitions, axis=1), axis=0, return_index=True, return_counts=True)
    order = np.argsort(first)
    return coalitions[first[order]], counts[order].astype(np.float64)


@dataclass(frozen=True, slots=True)
class Split:
    """Rows to fit on, rows that decide when to stop, and rows that nothing but the reported R² has seen."""

    training: NDArray[np.intp]
    validation: NDArray[np.intp]
    test: NDArray[np.intp]


def split(sample: LocalSample, seed: int) -> Split:
    """80 %, 10 % and 10 % of the distinct coalitions, so that no held-out coalition was trained on under another draw.

    The text itself is always trained on: contributions are read there. Of a whole neighbourhood nothing is left to hold
    out, so all three parts are all of it.
    """
    rows = len(sample.coalitions)
    if sample.whole:
        everything = np.arange(rows, dtype=np.intp)
        return Split(everything, everything, everything)
    order = 1 + np.random.default_rng([seed, rows]).permutation(rows - 1)
    tenth = rows // 10
    return Split(np.append(0, order[2 * tenth :]), order[:tenth], order[tenth : 2 * tenth])
