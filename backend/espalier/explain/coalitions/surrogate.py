"""A model of the game with interactions of up to five players, fitted to sampled coalitions.

The model is a sum of parity terms: products, over the players of a term, of +1 for a present and -1 for an absent one.
The terms up to an order span the same functions as a Möbius model of that order, and they fall apart on complementary
pairs: half the sum of a pair's values only knows terms of even order, half the difference only those of odd order. So
there are two separate regressions: `low` = 0 with the orders 0, 2 and 4, and `low` = 1 with the orders 1, 3 and 5.

There are far more terms than pairs, so those of the two higher orders are shrunk (ridge), by as much as predicts pairs
not fitted best. A small budget then leans on the low orders and a large one on all, and nothing jumps in between. The
terms themselves are never written out: for two coalitions their inner product is a polynomial of the number of players
on which these agree, and the fit has one unknown for each pair (universal kriging).
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from espalier.explain.coalitions.weights import PairIndex, PlayerIndex, pair_response, player_response
from espalier.explain.plan import BoolArray, FloatArray

DECAY = 0.01
"""Variance of a term against that of a term with two players less. Between 0.01 and 0.04 on sentences of a fine-tuned
transformer and on random networks; the fit hardly depends on it."""

SHRINKAGES = (0.1, 1.0, 10.0, 100.0, 1000.0)
"""Candidates: variance of a value that the model cannot express, against that of a term of the first shrunk order."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The fitted model. `free` are the coefficients of the order `low`; `strengths` say how much of each training
    coalition's kernel the model holds (zero for the others)."""

    free: FloatArray
    strengths: FloatArray
    predictions: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Surrogate:
    """Everything about the coalitions that fits share, whichever of them are held out.

    `signs` is +1 for present and -1 for absent, float[pairs, n]; the `usable` pairs may be fitted.
    """

    signs: FloatArray
    usable: NDArray[np.int64]
    agreements: NDArray[np.int64]

    @classmethod
    def of(cls, members: BoolArray, usable: BoolArray) -> "Surrogate":
        signs = np.where(members, 1.0, -1.0)
        chosen = np.flatnonzero(usable)
        agreements = ((signs @ signs[chosen].T + members.shape[1]) / 2).astype(np.int64)
        return cls(signs, chosen, agreements)

    def fit(self, values: FloatArray, held: BoolArray, low: int, shrinkage: float) -> Fit:
        """Fit the usable pairs that are not held out; predict all."""
        train = ~held[self.usable]
        rows = self.usable[train]
        kernel = kernel_table(self.signs.shape[1], low)[self.agreements[:, train]]
        free = self.signs if low == 1 else np.ones((len(self.signs), 1))
        system = kernel[rows] / shrinkage
        system[np.diag_indices_from(system)] += 1
        # Generalised least squares for the free coefficients, then kriging of what they leave.
        solved = cho_solve(cho_factor(system, overwrite_a=True), np.column_stack([free[rows], values[rows]]))
        weighted, target = solved[:, :-1], solved[:, -1]
        coefficients = np.linalg.solve(free[rows].T @ weighted, free[rows].T @ target)
        fitted = (target - weighted @ coefficients) / shrinkage
        strengths = np.zeros(len(self.signs))
        strengths[rows] = fitted
        return Fit(coefficients, strengths, free @ coefficients + kernel @ fitted)

    def choose_shrinkage(self, values: FloatArray, held: BoolArray, low: int) -> float:
        """The candidate whose fit comes nearest to the pairs held out."""
        errors = [
            float(np.square(values - self.fit(values, held, low, shrinkage).predictions)[held].sum())
            for shrinkage in SHRINKAGES
        ]
        return SHRINKAGES[int(np.argmin(errors))]


@cache
def kernel_table(size: int, low: int) -> FloatArray:
    """Inner product of the shrunk terms of two coalitions, by the number of players on which they agree."""
    agreement = 2 * np.arange(size + 1, dtype=np.float64) - size
    table: FloatArray = symmetric_polynomial(agreement, size, low + 2)
    return table + DECAY * symmetric_polynomial(agreement, size, low + 4)


def symmetric_polynomial(total: FloatArray, size: int, order: int) -> FloatArray:
    """Elementary symmetric polynomial of `size` numbers +1 or -1 that add up to `total` (by Newton's identities)."""
    before, current = np.zeros_like(total), np.ones_like(total)
    for k in range(1, order + 1):
        before, current = current, (total * current - (size - k + 2) * before) / k
    return current


@cache
def smoothed_player(index: PlayerIndex, low: int) -> PlayerIndex:
    """The index of the kernel around a coalition, by the coalition's size and whether the player is in it.

    So the index of a fitted model is a weighted sum over its training coalitions, as any index is.
    """
    size = index.size
    table = np.zeros_like(index.table)
    for order, variance in ((low + 2, 1.0), (low + 4, DECAY)):
        response = player_response(index, order)
        for inside, sign in ((0, -1.0), (1, 1.0)):
            others = 2 * (np.arange(size + 1, dtype=np.float64) - inside) - (size - 1)
            table[inside] += variance * (
                response[1] * sign * symmetric_polynomial(others, size - 1, order - 1)
                + response[0] * symmetric_polynomial(others, size - 1, order)
            )
    return PlayerIndex(table)


@cache
def smoothed_pair(index: PairIndex, low: int) -> PairIndex:
    """The index of the kernel around a coalition, by the coalition's size and who of j and i is in it."""
    size = index.size
    table = np.zeros_like(index.table)
    for order, variance in ((low + 2, 1.0), (low + 4, DECAY)):
        response = pair_response(index, order)
        for given, given_sign in ((0, -1.0), (1, 1.0)):
            for adds, adds_sign in ((0, -1.0), (1, 1.0)):
                others = 2 * (np.arange(size + 1, dtype=np.float64) - given - adds) - (size - 2)
                none, one, two = (symmetric_polynomial(others, size - 2, order - k) for k in range(3))
                table[given, adds] += variance * (
                    response[1, 1] * given_sign * adds_sign * two
                    + response[1, 0] * given_sign * one
                    + response[0, 1] * adds_sign * one
                    + response[0, 0] * none
                )
    return PairIndex(table)
