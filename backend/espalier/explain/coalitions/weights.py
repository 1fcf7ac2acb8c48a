"""Indices as weighted sums over coalitions: sum over S of gamma(S) v(S).

Every index here treats players alike, so gamma(S) depends only on the size of S and on who of the players asked about
is in it. One small table for each index is then all that tells them apart, and whatever sums over coalitions (all of
them, a sample, the terms of a fitted model) is written once.
"""

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from espalier.explain.plan import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class PlayerIndex:
    """`table[a, s]` is the weight of a coalition of size s, with a = 1 where the player is in it."""

    table: FloatArray

    @property
    def size(self) -> int:
        return int(self.table.shape[-1]) - 1


@dataclass(frozen=True, slots=True, eq=False)
class PairIndex:
    """`table[b, a, s]` is the weight of a coalition of size s for the arrow j -> i: b = 1 where j, who is given, is in
    it, and a = 1 where i, who adds, is in it."""

    table: FloatArray

    @property
    def size(self) -> int:
        return int(self.table.shape[-1]) - 1


@cache
def shapley_value(size: int) -> PlayerIndex:
    """Weights of the Shapley value: what a player adds to the players before it, over all orders (Eq. 1)."""
    table = np.zeros((2, size + 1))
    for before in range(size):
        chance = 1 / (size * comb(size - 1, before))
        table[1, before + 1] = chance
        table[0, before] = -chance
    return PlayerIndex(table)


@cache
def gain_with(size: int) -> PairIndex:
    """G1(j -> i): what i adds when it comes after j, over all orders with j before i (first half of Eq. 7).

    It is the Bivariate Shapley value of Masoomi et al. (2021) given that j comes first, which is twice theirs: they
    average over all orders and count those with i first as zero.
    """
    table = np.zeros((2, 2, size + 1))
    for others, chance in enumerate(_chance_after(size)):
        table[1, 1, others + 2] = chance
        table[1, 0, others + 1] = -chance
    return PairIndex(table)


@cache
def gain_without(size: int) -> PairIndex:
    """G0(j -> i): what i adds in the same places with j taken out (second half of Eq. 7)."""
    table = np.zeros((2, 2, size + 1))
    for others, chance in enumerate(_chance_after(size)):
        table[0, 1, others + 1] = chance
        table[0, 0, others] = -chance
    return PairIndex(table)


@cache
def synergy(size: int) -> PairIndex:
    """ASIV as in Eq. 7, G1 - G0. It is twice Eq. 10, and symmetric: a second difference of one set function."""
    return PairIndex(gain_with(size).table - gain_without(size).table)


@cache
def shapley_interaction(size: int) -> PairIndex:
    """The Shapley interaction index (Grabisch, 1997): the same second difference with i and j arriving as one."""
    table = np.zeros((2, 2, size + 1))
    for others in range(size - 1):
        chance = 1 / ((size - 1) * comb(size - 2, others))
        table[1, 1, others + 2] = chance
        table[1, 0, others + 1] = table[0, 1, others + 1] = -chance
        table[0, 0, others] = chance
    return PairIndex(table)


def _chance_after(size: int) -> list[float]:
    """How likely exactly these k others (and j) come before i, given that j does: 2 (k+1)! (n-2-k)! / n!."""
    return [2 * (others + 1) / (size * (size - 1) * comb(size - 2, others)) for others in range(size - 1)]


@cache
def player_response(index: PlayerIndex, order: int) -> FloatArray:
    """What the index gives a player for one parity term of this order: [not in the term, in the term].

    A parity term of the players T is the product over T of +1 (present) or -1 (absent).
    """
    size = index.size
    found = np.zeros(2)
    for inside in (0, 1):
        if inside <= order <= size - 1 + inside:
            sums = _parity_sums(size - 1, order - inside)
            without, with_player = index.table[0, :size] @ sums, index.table[1, 1:] @ sums
            found[inside] = with_player - without if inside else with_player + without
    return found


@cache
def pair_response(index: PairIndex, order: int) -> FloatArray:
    """What the index gives j -> i for one parity term: [j in the term, i in the term]."""
    size = index.size
    found = np.zeros((2, 2))
    for given in (0, 1):
        for adds in (0, 1):
            if not given + adds <= order <= size - 2 + given + adds:
                continue
            sums = _parity_sums(size - 2, order - given - adds)
            for b in (0, 1):
                for a in (0, 1):
                    sign = (-1 if given and not b else 1) * (-1 if adds and not a else 1)
                    found[given, adds] += sign * (index.table[b, a, a + b : size - 1 + a + b] @ sums)
    return found


def _parity_sums(size: int, order: int) -> FloatArray:
    """For each coalition size k, the sum of one parity term of this order over all coalitions of k of the players."""
    return np.array(
        [
            float(
                sum((-1) ** (order - u) * comb(order, u) * comb(size - order, k - u) for u in range(min(order, k) + 1))
            )
            for k in range(size + 1)
        ]
    )
