"""The terms of a level: what groups of words add together, fitted to what the linear part leaves over.

A function of the presence of k words has 2^k cells. It is also a sum of products of presences, one for each subset of
the words (its Möbius form). Written so, a level is identified: the constant is the level's bias, products of one word
are corrections of the linear part, and products of two words or more are the interaction's own term, which is 0 as long
as at most one of its words is present. Where interactions overlap, a product belongs to the first that has it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np

from espalier.explain.local_fit import least_squares
from espalier.explain.plan import BoolArray, FloatArray

Players = tuple[int, ...]


@dataclass(frozen=True)
class Basis:
    """What a level is a sum of: a bias, corrections of `words`, and the products of each interaction."""

    interactions: tuple[Players, ...]
    words: Players

    @cached_property
    def products(self) -> tuple[tuple[Players, ...], ...]:
        """For each interaction, the products of two words or more that no interaction before it has."""
        taken: set[Players] = set()
        owned = []
        for players in self.interactions:
            subsets = (subset for size in range(2, len(players) + 1) for subset in combinations(players, size))
            owned.append(tuple(subset for subset in subsets if subset not in taken))
            taken.update(owned[-1])
        return tuple(owned)

    def columns(self, position: int) -> slice:
        """Where the products of an interaction are in the design."""
        start = 1 + len(self.words) + sum(len(owned) for owned in self.products[:position])
        return slice(start, start + len(self.products[position]))

    def design(self, coalitions: BoolArray) -> FloatArray:
        columns = [np.ones(len(coalitions), dtype=bool), *coalitions[:, self.words].T]
        columns += [coalitions[:, players].all(axis=1) for owned in self.products for players in owned]
        return np.column_stack(columns).astype(np.float64)

    def coefficients(self, bias: float, corrections: FloatArray, tables: Sequence[FloatArray]) -> FloatArray:
        """The same function, given a function of each interaction by its cells, as coefficients of the design."""
        sums: dict[Players, float] = {(): bias}
        sums.update({(word,): float(correction) for word, correction in zip(self.words, corrections, strict=True)})
        for players, table in zip(self.interactions, tables, strict=True):
            for cell, coefficient in zip(all_cells(len(players)), products_of(table), strict=True):
                present = tuple(player for player, there in zip(players, cell, strict=True) if there)
                sums[present] = sums.get(present, 0.0) + float(coefficient)
        order = [(), *((word,) for word in self.words), *(players for owned in self.products for players in owned)]
        return np.array([sums[players] for players in order])

    def cells(self, position: int, coefficients: FloatArray) -> tuple[float, ...]:
        """An interaction's term for each presence of its words: the sum of its products whose words are all there."""
        own = list(zip(self.products[position], coefficients[self.columns(position)].tolist(), strict=True))
        players = self.interactions[position]
        values = []
        for cell in all_cells(len(players)):
            present = {player for player, there in zip(players, cell, strict=True) if there}
            values.append(sum((value for words, value in own if present.issuperset(words)), 0.0))
        return tuple(values)


def all_cells(words: int) -> list[tuple[bool, ...]]:
    """Presence of each word in each cell, counted in binary: nobody first, the last word changing fastest."""
    return list(product((False, True), repeat=words))


def products_of(table: FloatArray) -> FloatArray:
    """The Möbius transform: from the values of the cells to the coefficients of the products."""
    words = (len(table) - 1).bit_length()
    cube = table.reshape((2,) * words)
    for axis in range(words):
        without, present = np.split(cube, 2, axis=axis)
        cube = np.concatenate([without, present - without], axis=axis)
    return cube.reshape(-1)


def fit_cells(basis: Basis, coalitions: BoolArray, leftover: FloatArray, weights: FloatArray) -> FloatArray:
    """Coefficients by least squares: on presences this is what taking the mean of each cell is for a single term."""
    return least_squares(basis.design(coalitions), leftover, weights)
