"""A model of the game with interactions of up to five players, fitted to sampled coalitions.

The model is a sum of parity terms: products, over the players of a term, of +1 for a present and -1 for an absent one.
The terms up to an order span the same functions as a Möbius model of that order, and they fall apart on complementary
pairs: half the sum of a pair's values only knows terms of even order, half the difference only those of odd order. So
there are two separate regressions: `low` = 0 with the orders 0, 2 and 4, and `low` = 1 with the orders 1, 3 and 5.

There are far more terms than pairs, so those of the two higher orders are shrunk (ridge), each the more the less is
expected of it before the fit (see `prior`). A small budget then leans on the low orders and a large one on all, and
nothing jumps in between.

The terms of all players are never written out: for two coalitions their inner product is an elementary symmetric
polynomial, and the fit has one unknown for each pair (universal kriging).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor
from scipy.linalg.lapack import dpotri

from espalier.explain.coalitions.prior import Prior, symmetric_polynomials
from espalier.explain.coalitions.weights import PairIndex, PlayerIndex, pair_response, player_response
from espalier.explain.plan import BoolArray, FloatArray

BLOCK = 4096
"""Rows of the kernel computed at once, which bounds the memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """One fit for each fold, to the pairs of the others. `free` are its coefficients of the order `low`; `strengths`
    say how much of each training coalition's kernel the model holds; `left` is what it leaves of the values of all
    pairs. The last axis is the fold."""

    free: FloatArray
    strengths: FloatArray
    left: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Surrogate:
    """Everything about the coalitions that fits share, whichever of them are held out.

    `signs` is +1 for present and -1 for absent, float[pairs, n]; the `usable` pairs may be fitted, and `kernel` is
    their inner product with all.
    """

    signs: FloatArray
    usable: BoolArray
    kernel: FloatArray
    low: int

    @classmethod
    def of(cls, members: BoolArray, usable: BoolArray, prior: Prior) -> "Surrogate":
        signs = np.where(members, 1.0, -1.0)
        kernel = np.empty((len(signs), int(usable.sum())))
        for start in range(0, len(signs), BLOCK):
            rows = slice(start, start + BLOCK)
            kernel[rows] = prior.kernel(signs[rows], signs[usable])
        return cls(signs, usable, kernel, prior.low)

    def cross(self, values: FloatArray, fold_of: NDArray[np.int64], folds: int) -> Crossed:
        """Fit as often as there are folds, each time with one of them held out; pairs of no fold are always fitted.

        All fits come from one projection. The fit to all pairs leaves P y. Without the pairs h, it misses them by
        P_hh^-1 (P y)_h, and is the fit to all with that much taken off their values.
        """
        rows, beyond = self.usable, ~self.usable
        free, wanted = free_terms(self.signs, self.low), values[rows]
        projection, regress, _ = project(self.kernel[rows], free[rows])
        left_by_all = projection @ wanted
        missed = np.zeros((len(wanted), folds))
        for fold in range(folds):
            held = np.flatnonzero(fold_of[rows] == fold)
            missed[held, fold] = np.linalg.solve(projection[np.ix_(held, held)], left_by_all[held])
        fitted = left_by_all[:, None] - projection @ missed
        coefficients = regress @ (wanted[:, None] - missed)
        left, strengths = np.empty((len(values), folds)), np.zeros((len(values), folds))
        strengths[rows] = fitted
        left[rows] = fitted + missed
        left[beyond] = values[beyond, None] - free[beyond] @ coefficients - self.kernel[beyond] @ fitted
        return Crossed(coefficients, strengths, left)


def free_terms(signs: FloatArray, low: int) -> FloatArray:
    """The terms of the order `low`, which are not shrunk."""
    return signs if low == 1 else np.ones((len(signs), 1))


def project(kernel: FloatArray, free: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """With A = K + 1 and the free columns F: P = A^-1 - A^-1 F (F' A^-1 F)^-1 F' A^-1, which takes values to what a fit
    leaves of them; (F' A^-1 F)^-1 F' A^-1, which takes them to the free coefficients; log |A| + log |F' A^-1 F|."""
    system = kernel.T.copy(order="F")  # as it is factorised: symmetric, and in place
    system[np.diag_indices_from(system)] += 1
    factor, _ = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    determinant = 2 * float(np.log(np.diagonal(factor)).sum())
    lower, _ = dpotri(factor, lower=1, overwrite_c=1)
    projection: FloatArray = np.tril(lower)
    projection += np.tril(projection, -1).T
    weighted = projection @ free
    information = free.T @ weighted
    regress = np.linalg.solve(information, weighted.T).astype(np.float64, copy=False)
    projection -= weighted @ regress
    return projection, regress, determinant + float(np.linalg.slogdet(information)[1])


def model_players(index: PlayerIndex, prior: Prior, signs: FloatArray, strengths: FloatArray) -> FloatArray:
    """The index of what a fit has in its shrunk terms."""
    involvement = prior.involvement
    found = np.zeros(index.size)
    sums = [(each.sum(), each @ signs) for each in _by_order(prior, signs, strengths)]
    for order, variance in prior.orders:
        response = player_response(index, order)
        for inside in (0, 1):
            # The symmetric polynomial of the others: division of power series by one factor.
            for power in range(order - inside + 1):
                factor = (-1) ** power * variance * response[inside]
                shared = sums[order - inside - power][(power + inside) % 2]
                found += factor * involvement ** (power + inside) * shared
    outside, inside = player_response(index, prior.low + 2)
    near = prior.near_coefficients(signs, strengths)
    found += outside * near.sum() + (inside - outside) * (near @ prior.near_members)
    return found


def model_pairs(index: PairIndex, prior: Prior, signs: FloatArray, strengths: FloatArray) -> FloatArray:
    """The same for every arrow, [j, i] for j -> i; the diagonal has no meaning."""
    involvement = prior.involvement
    found = np.zeros((index.size, index.size))
    sums = []
    for each in _by_order(prior, signs, strengths):
        single = each @ signs
        sums.append(((each.sum(), single[None, :]), (single[:, None], (signs * each[:, None]).T @ signs)))
    for order, variance in prior.orders:
        response = pair_response(index, order)
        for given, adds in ((0, 0), (0, 1), (1, 0), (1, 1)):
            rest = order - given - adds
            for power, other in ((p, q) for p in range(rest + 1) for q in range(rest + 1 - p)):
                factor = (-1) ** (power + other) * variance * response[given, adds]
                shared = sums[rest - power - other][(power + given) % 2][(other + adds) % 2]
                found += factor * np.outer(involvement ** (power + given), involvement ** (other + adds)) * shared
    response = pair_response(index, prior.low + 2)
    near, members = prior.near_coefficients(signs, strengths), prior.near_members
    for given, rows in ((0, 1 - members), (1, members)):
        for adds, columns in ((0, 1 - members), (1, members)):
            found += response[given, adds] * ((rows * near[:, None]).T @ columns)
    return found


def _by_order(prior: Prior, signs: FloatArray, strengths: FloatArray) -> list[FloatArray]:
    """For each order the symmetric polynomial of every training coalition, times its strength."""
    used = strengths != 0
    sums = [(signs[used] ** power) @ prior.involvement**power for power in range(1, prior.low + 5)]
    found = []
    for polynomial in symmetric_polynomials(sums):
        each = np.zeros_like(strengths)
        each[used] = strengths[used] * polynomial
        found.append(each)
    return found
