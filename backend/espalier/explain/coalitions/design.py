"""Which coalitions teach most, before any is evaluated.

In the fitted model (see `surrogate`) the error of every Shapley value has a closed form that does not depend on the
values, only on which coalitions are known and on what is expected of terms. So with the same expected of all players
the next coalition can be chosen as the one that takes away most of it, one after the other: optimal design, greedily.
The choice belongs to a number of players and a seed, not to a text, so it is made once.
"""

from functools import lru_cache

import numpy as np

from espalier.explain.coalitions.draw import draw, minimum_budget
from espalier.explain.coalitions.posterior import player_covariances
from espalier.explain.coalitions.prior import Prior
from espalier.explain.coalitions.weights import player_response, shapley_value
from espalier.explain.plan import BoolArray, FloatArray

CHOSEN = 256
"""Pairs that are chosen, the single players among them. The time grows with their square, and what they gain over
random ones becomes small."""

ALL_CHOSEN, ONE_AT_RANDOM = 48, 3
"""After so many pairs every third is the next candidate as it was drawn: sizes that no choice falls on are seen, too,
and stated errors do not rest on the model alone. (At 200 coalitions they covered 90 % where 95 % was said.)"""

CANDIDATES = 1024
"""Pairs to choose from, drawn at random."""

OWN_STREAM = 1_000_003
"""Added to the seed of the candidates: what comes after the chosen ones is drawn independently of them."""

FREE = 1e4
"""Variance that stands for the unknown one of the terms that are not shrunk, against a noise of 1."""

EQUAL = 1e-9
"""Gains that differ by less are the same: rounding must not choose."""


@lru_cache(maxsize=64)
def design(size: int, seed: int) -> BoolArray:
    """Pairs as their smaller coalitions, in the order of choice; empty coalition and single players first."""
    budget = min(max(2 * CANDIDATES, minimum_budget(size)), 1 << size)
    candidates = draw(size, budget, seed + OWN_STREAM).members
    always = size + 1
    if always >= min(CHOSEN, len(candidates)):
        return candidates[:always]
    greedy = _Greedy(candidates)
    for place in range(always):
        greedy.know(place)
    for place in range(always, min(CHOSEN, len(candidates))):
        as_drawn = place >= ALL_CHOSEN and place % ONE_AT_RANDOM == ONE_AT_RANDOM - 1
        greedy.know(greedy.next() if as_drawn else greedy.best())
    found = candidates[greedy.known]
    found.flags.writeable = False
    return found


class _Greedy:
    """Covariances of the candidates' values, and of the Shapley values with them, given what is known so far."""

    def __init__(self, members: BoolArray) -> None:
        size = members.shape[1]
        index, prior = shapley_value(size), Prior.of(np.ones(size), low=1)
        signs = np.where(members, 1.0, -1.0)
        outside, inside = player_response(index, 1)
        of_free = np.full((size, size), outside) + (inside - outside) * np.eye(size)
        self._with_values = player_covariances(index, prior, members) + FREE * (of_free @ signs.T)
        self._covariance = prior.kernel(signs, signs) + FREE * (signs @ signs.T)
        self._covariance[np.diag_indices_from(self._covariance)] += 1
        self._left = self._covariance.diagonal().copy()
        self._explained = np.empty((min(CHOSEN, len(members)), len(members)))
        self.known: list[int] = []

    def best(self) -> int:
        """The candidate that takes most away from the sum of the values' variances; of equal ones the first."""
        gains: FloatArray = np.square(self._with_values).sum(axis=0) / self._left
        gains[self.known] = 0.0
        return int(np.argmax(gains >= gains.max() * (1 - EQUAL)))

    def next(self) -> int:
        """The first candidate that is not known."""
        unknown = np.ones(len(self._left), dtype=bool)
        unknown[self.known] = False
        return int(np.argmax(unknown))

    def know(self, place: int) -> None:
        """One step of a Cholesky factorisation, with the rows in order of choice."""
        count = len(self.known)
        row = self._covariance[place] - self._explained[:count, place] @ self._explained[:count]
        row /= np.sqrt(row[place])
        self._explained[count] = row
        self._with_values -= np.outer(self._with_values[:, place] / row[place], row)
        # What is known has nothing left; the floor keeps the division defined.
        self._left = np.maximum(self._left - row**2, np.finfo(np.float64).tiny)
        self.known.append(place)
