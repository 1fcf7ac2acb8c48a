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

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_factor
from scipy.linalg.lapack import dpotri

from espalier.explain.coalitions.prior import Prior, symmetric_polynomials
from espalier.explain.coalitions.weights import PairIndex, PlayerIndex, pair_response, player_response
from espalier.explain.plan import BoolArray, FloatArray

BLOCK = 4096
"""Rows of the kernel computed at once, which bounds the memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The model of one parity after the values of some pairs.

    `free` are its coefficients of the order `low`, and `strengths` say how much of each training coalition's kernel it
    holds; they are also what it leaves of the values. `noise` is the variance of what no term expresses. The rest says
    how values go into the fit (see `project`).
    """

    prior: Prior
    members: BoolArray
    free: FloatArray
    strengths: FloatArray
    noise: float
    projection: FloatArray
    regress: FloatArray
    spread: FloatArray

    @classmethod
    def to(cls, members: BoolArray, values: FloatArray, prior: Prior) -> "Fit":
        signs = np.where(members, 1.0, -1.0)
        free = free_terms(signs, prior.low)
        projection, regress, spread, _ = project(prior.kernel(signs, signs), free)
        nothing = np.zeros(len(values))
        empty = cls(prior, members, np.zeros(len(spread)), nothing, 0.0, projection, regress, spread)
        return empty.with_values(values)

    def with_values(self, values: FloatArray) -> "Fit":
        """To other values of the same pairs, with the same prior: linear in them."""
        free = free_terms(np.where(self.members, 1.0, -1.0), self.prior.low)
        # Free terms leave no trace in what is left; taken off before, they leave no rounding either.
        first = np.linalg.lstsq(free, values, rcond=None)[0]
        rest = values - free @ first
        strengths = self.projection @ rest
        noise = max(0.0, float(rest @ strengths)) / freedom(len(values), len(self.spread))
        return replace(self, free=first + self.regress @ rest, strengths=strengths, noise=noise)

    @property
    def surprise(self) -> float:
        """How far the values are from what the model says of each when it has seen all others: the mean square, in
        units of what it expects. A model that knows how wrong it is has one."""
        if not self.noise:
            return 1.0
        return float(np.mean(self.strengths**2 / np.diagonal(self.projection))) / self.noise

    def predict(self, members: BoolArray) -> FloatArray:
        """What the model says of other pairs' values."""
        signs, known = np.where(members, 1.0, -1.0), np.where(self.members, 1.0, -1.0)
        found = free_terms(signs, self.prior.low) @ self.free
        for start in range(0, len(signs), BLOCK):
            rows = slice(start, start + BLOCK)
            found[rows] += self.prior.kernel(signs[rows], known) @ self.strengths
        return found


def freedom(pairs: int, free: int) -> int:
    """Degrees of freedom that the noise is judged by."""
    return max(1, pairs - free)


def free_terms(signs: FloatArray, low: int) -> FloatArray:
    """The terms of the order `low`, which are not shrunk."""
    return signs if low == 1 else np.ones((len(signs), 1))


def project(kernel: FloatArray, free: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """With A = K + 1 and the free columns F: P = A^-1 - A^-1 F (F' A^-1 F)^-1 F' A^-1, which takes values to what a fit
    leaves of them; (F' A^-1 F)^-1 F' A^-1, which takes them to the free coefficients; (F' A^-1 F)^-1, which is these
    coefficients' covariance; log |A| + log |F' A^-1 F|."""
    system = kernel.T.copy(order="F")  # as it is factorised: symmetric, and in place
    system[np.diag_indices_from(system)] += 1
    factor, _ = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    determinant = 2 * float(np.log(np.diagonal(factor)).sum())
    lower, _ = dpotri(factor, lower=1, overwrite_c=1)
    projection: FloatArray = np.tril(lower)
    projection += np.tril(projection, -1).T
    weighted = projection @ free
    information = free.T @ weighted
    spread = np.linalg.inv(information).astype(np.float64, copy=False)
    regress = spread @ weighted.T
    projection -= weighted @ regress
    return projection, regress, spread, determinant + float(np.linalg.slogdet(information)[1])


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
