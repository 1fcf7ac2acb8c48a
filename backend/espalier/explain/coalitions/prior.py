"""What is expected of the terms of a text's game, before any is fitted: the variance of each.

- Words that matter alone also interact most: the variance of a term is the product of its players' involvements.
- Terms with two players more are fewer and weaker by `DECAY`.
- Players are in reading order, and neighbours interact more than words far apart: a share `NEAR` of the variance is on
  terms of the first shrunk order within `WINDOW` players, the closer the more.

Measured on sentences of a fine-tuned transformer; a fit hardly depends on the exact numbers, and what it misses is
corrected whatever they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import BoolArray, FloatArray

DECAY = 0.01
"""Variance of a term against that of a term with two players less."""

LEAST_INVOLVED = 0.3
"""Added to each player's share in the linear coefficients: a word that says nothing alone may still turn another."""

NEAR = 0.4
WINDOW = 6


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """Of the terms of one parity: `low` = 0 shrinks the orders 2 and 4, `low` = 1 the orders 3 and 5."""

    low: int
    involvement: FloatArray
    near: NDArray[np.int64]
    """Terms within a window, their players."""
    near_variances: FloatArray

    @classmethod
    def of(cls, involvement: FloatArray, low: int) -> "Prior":
        size, order = len(involvement), low + 2
        near = [
            (start, *others)
            for start in range(size - order + 1)
            for others in combinations(range(start + 1, min(start + WINDOW, size)), order - 1)
        ]
        terms = np.array(near, dtype=np.int64).reshape(-1, order)
        closeness = WINDOW - (terms[:, -1] - terms[:, 0])
        variances = closeness * involvement[terms].prod(axis=1)
        everything = symmetric_polynomials([np.array([np.sum(involvement**k)]) for k in range(1, order + 1)])[order]
        return cls(low, involvement, terms, NEAR * everything * variances / max(variances.sum(), 1e-300))

    @property
    def orders(self) -> tuple[tuple[int, float], ...]:
        """Orders whose terms of all players are shrunk, and their variance."""
        far = 1.0 - NEAR
        return (self.low + 2, far), (self.low + 4, far * DECAY)

    @property
    def near_members(self) -> FloatArray:
        """1 where a player is in a near term, float[terms, n]."""
        members = np.zeros((len(self.near), len(self.involvement)))
        np.put_along_axis(members, self.near, 1.0, axis=1)
        return members

    def near_coefficients(self, signs: FloatArray, strengths: FloatArray) -> FloatArray:
        """Of the near terms, in the model that has these strengths."""
        return self.near_variances * (strengths @ self._near(signs))

    def kernel(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Inner products of the terms of the coalitions in `first` with those in `second`, weighted by variance."""
        powers = range(1, self.low + 5)
        sums = [
            (first * self.involvement**power) @ second.T if power % 2 else np.array([np.sum(self.involvement**power)])
            for power in powers
        ]
        polynomials = symmetric_polynomials(sums)
        kernel: FloatArray = (self._near(first) * self.near_variances) @ self._near(second).T
        for order, variance in self.orders:
            polynomials[order] *= variance
            kernel += polynomials[order]
        return kernel

    def _near(self, signs: FloatArray) -> FloatArray:
        products: FloatArray = signs[:, self.near].prod(axis=2)
        return products


def involvements(members: BoolArray, odd: FloatArray) -> FloatArray:
    """How much each player takes part in interactions, judged by the linear coefficients of the odd part.

    The mean of the squares is one.
    """
    coefficients = np.abs(np.linalg.lstsq(np.where(members, 1.0, -1.0), odd, rcond=None)[0])
    typical = np.sqrt(np.square(coefficients).mean())
    found = coefficients / typical + LEAST_INVOLVED if typical > 0 else np.ones_like(coefficients)
    scaled: FloatArray = found / np.sqrt(np.square(found).mean())
    return scaled


def symmetric_polynomials(sums: Sequence[FloatArray]) -> list[FloatArray]:
    """Elementary symmetric polynomials of order 0, 1, … from the sums of first, second, … powers (Newton)."""
    found = [np.ones_like(sums[0])]
    for order in range(1, len(sums) + 1):
        # Added up in place, constants by themselves: these matrices are what a fit's time goes into.
        total = sums[0] * found[order - 1]
        for k in range(2, order + 1):
            if k % 2:
                total += sums[k - 1] * found[order - k]
            else:
                total -= sums[k - 1] * found[order - k]
        total /= order
        found.append(total)
    return found
