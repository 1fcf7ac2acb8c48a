"""What is expected of the terms of a text's game, before any is fitted: the variance of each, against that of a value
which no term expresses.

- A term's variance is the product of its players' involvements, times a factor of its order.
- Players are in reading order, and neighbours interact more than words far apart: terms of the first shrunk order
  within `WINDOW` players are expected to be larger, the closer the more.

Words that matter alone also interact most: that is where the involvements begin. What a game's own values say about
them, and about the factors, comes after (see `tuning`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import BoolArray, FloatArray

LEAST_INVOLVED = 0.3
"""Added to each player's share in the linear coefficients: a word that says nothing alone may still turn another."""

WINDOW = 6

EXPRESSED = (400.0, 100.0, 300.0)
"""Where the factors begin: the terms of each order, and the near ones, make up so much of the variance of a value. A
transformer's sentences end up near these proportions."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """Of the terms of one parity: `low` = 0 shrinks the orders 2 and 4, `low` = 1 the orders 3 and 5."""

    low: int
    involvement: FloatArray
    near: NDArray[np.int64]
    """Terms within a window, their players."""
    factors: FloatArray
    """Of the terms of the first and of the second shrunk order, and of the near ones."""

    @classmethod
    def of(cls, involvement: FloatArray, low: int) -> "Prior":
        size, order = len(involvement), low + 2
        near = [
            (start, *others)
            for start in range(size - order + 1)
            for others in combinations(range(start + 1, min(start + WINDOW, size)), order - 1)
        ]
        flat = cls(low, involvement, np.array(near, dtype=np.int64).reshape(-1, order), np.ones(3))
        whole = symmetric_polynomials([np.array([np.sum(involvement**power)]) for power in range(1, low + 5)])
        parts = np.array([whole[order][0], whole[order + 2][0], flat.near_variances.sum()])
        return replace(flat, factors=EXPRESSED / np.where(parts > 0, parts, np.inf))

    @property
    def orders(self) -> tuple[tuple[int, float], ...]:
        """Orders whose terms of all players are shrunk, and their factors."""
        return (self.low + 2, float(self.factors[0])), (self.low + 4, float(self.factors[1]))

    @property
    def near_variances(self) -> FloatArray:
        """What is expected of the near terms beyond what is expected of all."""
        closeness = WINDOW - (self.near[:, -1] - self.near[:, 0])
        variances: FloatArray = self.factors[2] * closeness * self.involvement[self.near].prod(axis=1)
        return variances

    @property
    def near_members(self) -> FloatArray:
        """1 where a player is in a near term, float[terms, n]."""
        members = np.zeros((len(self.near), len(self.involvement)))
        np.put_along_axis(members, self.near, 1.0, axis=1)
        return members

    def near_coefficients(self, signs: FloatArray, strengths: FloatArray) -> FloatArray:
        """Of the near terms, in the model that has these strengths."""
        return self.near_variances * (strengths @ self.near_terms(signs))

    def kernel(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Inner products of the terms of the coalitions in `first` with those in `second`, weighted by variance."""
        polynomials = self.polynomials(first, second)
        kernel: FloatArray = (self.near_terms(first) * self.near_variances) @ self.near_terms(second).T
        for order, factor in self.orders:
            polynomials[order] *= factor
            kernel += polynomials[order]
        return kernel

    def polynomials(self, first: FloatArray, second: FloatArray) -> list[FloatArray]:
        """The same for the terms of order 0, 1, … alone, all factors one."""
        sums = [
            (first * self.involvement**power) @ second.T if power % 2 else np.array([np.sum(self.involvement**power)])
            for power in range(1, self.low + 5)
        ]
        return symmetric_polynomials(sums)

    def near_terms(self, signs: FloatArray) -> FloatArray:
        """The near terms of coalitions, float[coalitions, terms]."""
        products: FloatArray = signs[:, self.near[:, 0]]
        for place in range(1, self.near.shape[1]):
            products *= signs[:, self.near[:, place]]
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
    found = [np.ones(1)]
    # Added up in place, and with one room for products: these matrices are what a fit's time goes into.
    product = np.empty_like(sums[0])
    for order in range(1, len(sums) + 1):
        total = sums[0] * found[order - 1]
        for k in range(2, order + 1):
            np.multiply(sums[k - 1], found[order - k], out=product)
            if k % 2:
                total += product
            else:
                total -= product
        total /= order
        found.append(total)
    return found
