"""What values of the game will be, from those that are known: kriging with a stated error."""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.linalg import solve_triangular

from espalier.explain.neighbourhoods import coalition_rows
from espalier.explain.plan import FloatArray, IntArray
from espalier.explain.racing.bend import can_be_bent, slopes, straighten
from espalier.explain.racing.prior import JITTER, Prior

FIRST_SURPRISES = 3
"""The first values say where the scale of the game is: they surprise by its constant, and say nothing of its rest."""

RECENT = 100
FIRST_ROOM = 512


class Forecast:
    """A Gaussian process over coalitions, told value by value.

    The covariance of what is known is kept as its Cholesky root, and of each watched coalition the row that it would
    add to that. From these rows everything follows: forecasts are their products with the surprises, and covariances
    between forecasts are what the rows' products leave of the prior. A value learnt adds a column.
    """

    def __init__(self, prior: Prior) -> None:
        self.prior = prior
        self.players = len(prior.importance)
        self._known: list[int] = []
        self._values: list[float] = []
        self.places: dict[int, int] = {}
        """Of the watched coalitions, in `means` and `rows`."""
        self.means: FloatArray
        self._root: FloatArray
        self._rows: FloatArray
        self._signs: FloatArray
        self._restart(FIRST_ROOM)

    def __len__(self) -> int:
        """How many values are known."""
        return len(self._known)

    @property
    def scale(self) -> float:
        """The common factor of all variances: how large the last surprises were, in units of those expected. Where the
        text has come apart far, values differ less than at first."""
        later = self._surprises[max(FIRST_SURPRISES, len(self) - RECENT) : len(self)]
        return float(later @ later) / max(len(later), 1)

    @property
    def rows(self) -> FloatArray:
        """Of the watched coalitions: what is known of each."""
        return self._rows[:, : len(self)]

    @property
    def forecasts(self) -> FloatArray:
        """What the values of the watched coalitions will be."""
        return straighten(self.means) if self.prior.bent else self.means

    @property
    def slopes(self) -> FloatArray:
        """How far each of them moves for what its mean is off."""
        return slopes(self.means) if self.prior.bent else np.ones_like(self.means)

    @property
    def out_of_range(self) -> bool:
        """Whether a value has been learnt since the last fit that its scale does not have."""
        return self.prior.bent and not can_be_bent(np.array(self._values))

    def expected(self, first: IntArray, second: IntArray) -> FloatArray:
        """Prior covariances between watched coalitions, given by their places."""
        return self.prior.covariance(self._signs[first], self._signs[second])

    def learn(self, coalitions: Sequence[int], values: Sequence[float]) -> None:
        """These values are known from now on; none of them was before."""
        old, new = len(self), len(self) + len(coalitions)
        self._make_room(new)
        signs = self._signs_of(coalitions)
        if all(coalition in self.places for coalition in coalitions):
            rows = self.rows[[self.places[coalition] for coalition in coalitions]]
        else:
            rows = self._rows_of(signs)
        own = self.prior.covariance(signs, signs) + JITTER * np.eye(len(signs)) - rows @ rows.T
        corner = np.linalg.cholesky(own)
        left = self.prior.covariance(signs, self._signs) - rows @ self.rows.T
        columns = solve_triangular(corner, left, lower=True, check_finite=False).T
        surprises = self.prior.scaled(np.asarray(values)) - rows @ self._surprises[:old]
        surprises = solve_triangular(corner, surprises, lower=True, check_finite=False)
        self._rows[:, old:new], self._surprises[old:new] = columns, surprises
        self.means = self.means + columns @ surprises
        self._root[old:new, :old], self._root[old:new, old:new] = rows, corner
        self._known_signs[old:new] = signs
        self._known += coalitions
        self._values += values

    def watch(self, coalitions: Iterable[int]) -> None:
        """Have forecasts for these and no others."""
        wanted = list(dict.fromkeys(coalitions))
        kept = [coalition for coalition in wanted if coalition in self.places]
        new = [coalition for coalition in wanted if coalition not in self.places]
        places = [self.places[coalition] for coalition in kept]
        signs = self._signs_of(new)
        rows = np.zeros((len(wanted), self._rows.shape[1]))
        rows[: len(kept)] = self._rows[places]
        rows[len(kept) :, : len(self)] = self._rows_of(signs)
        self._rows, self._signs = rows, np.vstack([self._signs[places], signs])
        self.means = self.rows @ self._surprises[: len(self)]
        self.places = {coalition: place for place, coalition in enumerate(kept + new)}

    def refit(self) -> None:
        """Choose the prior anew, now that more is known. Nothing is watched after that."""
        known, values = self._known, self._values
        self.prior = self.prior.fitted(self._known_signs[: len(self)], np.array(values))
        self._known, self._values, self.places = [], [], {}
        self._restart(len(self._root))
        self.learn(known, values)

    def _restart(self, room: int) -> None:
        self._root, self._surprises = np.zeros((room, room)), np.zeros(room)
        self._known_signs = np.zeros((room, self.players))
        self._rows, self._signs = np.zeros((0, room)), np.zeros((0, self.players))
        self.means = np.zeros(0)

    def _make_room(self, count: int) -> None:
        """Doubled when it is full, so that little is copied."""
        room = len(self._root)
        if count <= room:
            return
        more = max(count, 2 * room) - room
        self._root = np.pad(self._root, ((0, more), (0, more)))
        self._rows = np.pad(self._rows, ((0, 0), (0, more)))
        self._surprises = np.pad(self._surprises, (0, more))
        self._known_signs = np.pad(self._known_signs, ((0, more), (0, 0)))

    def _signs_of(self, coalitions: Sequence[int]) -> FloatArray:
        if not coalitions:
            return np.zeros((0, self.players))
        return np.where(coalition_rows(coalitions, self.players), 1.0, -1.0)

    def _rows_of(self, signs: FloatArray) -> FloatArray:
        count = len(self)
        if not count or not len(signs):
            return np.zeros((len(signs), count))
        covariance = self.prior.covariance(self._known_signs[:count], signs)
        root = self._root[:count, :count]
        found: FloatArray = solve_triangular(root, covariance, lower=True, check_finite=False).T
        return found
