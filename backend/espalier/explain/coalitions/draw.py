"""Which coalitions to evaluate: distinct ones, in complementary pairs, in one order that every budget takes from.

Sizes k and n-k are one stratum, since a coalition always comes with its complement. The empty coalition, the single
players and their complements come first. Then come coalitions that were chosen for what they teach (see `design`),
and at last all sizes alike at random, a small size being exhausted before a larger one.

With one seed there is one order, so the coalitions of a small budget are among those of any larger one: going on to
more precision loses nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import BoolArray, FloatArray
from espalier.problems import BadParameter

IntArray = NDArray[np.int64]

LISTED = 5_000
"""Strata up to this size are listed and shuffled; larger ones are drawn until enough distinct pairs are found."""

BLOCK = 512
"""Pairs drawn at once. It is part of the order, so it must not depend on the budget."""


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """Coalitions in complementary pairs, in the order in which budgets take them.

    `members[p]` is the smaller coalition of pair p, its complement is implied, and `strata[p]` is its size. The first
    pair is the empty coalition and the whole text. `population` is how many pairs each stratum has.
    """

    members: BoolArray
    strata: IntArray
    population: FloatArray

    @property
    def size(self) -> int:
        return int(self.members.shape[1])

    @property
    def pairs(self) -> int:
        return len(self.members)

    @property
    def taken(self) -> IntArray:
        """Pairs of each stratum that are here."""
        return np.bincount(self.strata, minlength=len(self.population))

    @property
    def exhausted(self) -> BoolArray:
        full: BoolArray = self.taken == self.population
        return full

    @property
    def complete(self) -> bool:
        """Every coalition there is."""
        return bool(self.pairs == self.population.sum())

    def coalitions(self) -> BoolArray:
        """All of them: the smaller ones, then their complements."""
        return np.concatenate([self.members, ~self.members])

    def within(self, budget: int) -> "Draw":
        """The part of this draw that a smaller budget takes."""
        return self.only(slice(0, budget // 2))

    def only(self, pairs: slice | BoolArray | IntArray) -> "Draw":
        """Some of its pairs."""
        return Draw(self.members[pairs], self.strata[pairs], self.population)


def populations(size: int) -> list[int]:
    """Pairs there are in each stratum. Coalitions of half the players pair with each other."""
    return [comb(size, k) if 2 * k < size else comb(size, k) // 2 for k in range(size // 2 + 1)]


def minimum_budget(size: int) -> int:
    """Coalitions without which there is no standard error: sizes 0 and 1 and their complements, and two pairs of each
    other size."""
    return 2 * int(_share(size, 2).sum())


def check_budget(size: int, budget: int) -> None:
    """Refuse a budget that is too small before anything is evaluated."""
    if budget < minimum_budget(size):
        raise BadParameter(
            f"budget too small for {size} players: got {budget} coalitions, possible are {minimum_budget(size)} or more"
        )


def allocation(size: int, budget: int) -> IntArray:
    """Pairs to take from each stratum at random, never fewer of any when the budget is larger."""
    enough, too_many = 2, budget + 2
    while too_many - enough > 1:
        middle = (enough + too_many) // 2
        if 2 * _share(size, middle).sum() <= budget:
            enough = middle
        else:
            too_many = middle
    shares, more = _share(size, enough), _share(size, enough + 1)
    for stratum in np.flatnonzero(more > shares):
        if 2 * (shares.sum() + 1) <= budget:
            shares[stratum] += 1
    return shares


def _share(size: int, level: int) -> IntArray:
    """As many coalitions of each size: `level` pairs from a stratum of two sizes, half from the one in the middle."""
    return np.array(
        [
            pairs if k <= 1 else min(pairs, level if 2 * k < size else max(2, level // 2))
            for k, pairs in enumerate(populations(size))
        ],
        dtype=np.int64,
    )


def draw(size: int, budget: int, seed: int, first: BoolArray | None = None) -> Draw:
    """The coalitions of a budget: at most that many, all distinct. Those of `first` come before any other, in their
    order; it begins with the empty coalition and the single players."""
    check_budget(size, budget)
    pairs = budget // 2
    chosen = np.zeros((0, size), dtype=bool) if first is None else first[:pairs]
    members = chosen
    if len(chosen) < pairs:
        # As many more as could be among the chosen: these are passed over.
        at_random = _at_random(size, min(budget + 2 * len(chosen), 2 * sum(populations(size))), seed)
        known = {row.tobytes() for row in chosen}
        new = np.array([row.tobytes() not in known for row in at_random], dtype=bool)
        members = np.concatenate([chosen, at_random[new][: pairs - len(chosen)]])
    return Draw(members, members.sum(axis=1), np.array(populations(size), dtype=np.float64))


def _at_random(size: int, budget: int, seed: int) -> BoolArray:
    """The first pairs of the strata's orders, one stratum after the other in each round."""
    taken = allocation(size, budget)
    strata = np.repeat(np.arange(len(taken)), taken)
    ranks = np.concatenate([np.arange(count) for count in taken])
    # The round in which a pair is taken: what is always there first, and the middle every second time (see `_share`).
    rounds = np.where(ranks < 2, 1, np.where(2 * strata == size, 2 * ranks + 1, ranks))
    rounds[strata <= 1] = 0
    order = np.lexsort((ranks, strata, rounds))
    members = np.concatenate([_stratum(size, k, int(count), seed) for k, count in enumerate(taken)])
    return members[order]


def _stratum(size: int, chosen: int, count: int, seed: int) -> BoolArray:
    """The first pairs of the stratum's order, as the smaller coalition (in the middle: the one with player 0)."""
    generator = np.random.default_rng([seed, size, chosen])
    population = populations(size)[chosen]
    if population <= LISTED:
        listed = _listed(size, chosen)
        return listed[generator.permutation(population)[:count]]
    found: dict[bytes, BoolArray] = {}
    for row in _endless(size, chosen, generator):
        if len(found) == count:
            break
        found.setdefault(row.tobytes(), row)
    return np.array(list(found.values()), dtype=bool).reshape(count, size)


def _listed(size: int, chosen: int) -> BoolArray:
    first = 1 if 2 * chosen == size else 0
    picks = list(combinations(range(first, size), chosen - first))
    rows = np.zeros((len(picks), size), dtype=bool)
    rows[:, :first] = True
    if chosen > first:
        np.put_along_axis(rows, np.array(picks), True, axis=1)
    return rows


def _endless(size: int, chosen: int, generator: np.random.Generator) -> Iterator[BoolArray]:
    while True:
        picks = np.argpartition(generator.random((BLOCK, size)), chosen, axis=1)[:, :chosen]
        rows = np.zeros((BLOCK, size), dtype=bool)
        np.put_along_axis(rows, picks, True, axis=1)
        if 2 * chosen == size:
            rows ^= ~rows[:, :1]
        yield from rows
