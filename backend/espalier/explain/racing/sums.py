"""Weighted sums of values of which some are only forecast: how they vary, and which values tell most about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from espalier.explain.plan import FloatArray, IntArray
from espalier.explain.racing.forecast import Forecast


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """What is known of a sum, and the places in the forecast of the values that are not, with their weights, and how
    far it moves for what their means are off."""

    known: float
    places: IntArray
    weights: FloatArray
    moves: FloatArray

    def mean(self, forecasts: FloatArray) -> float:
        return self.known + float(self.weights @ forecasts[self.places])

    def expected(self, other: "Sum", forecast: Forecast) -> float:
        """Prior covariance of two sums."""
        return float(self.moves @ forecast.expected(self.places, other.places) @ other.moves)


class Spread:
    """How far sums may be from their forecasts, while more and more becomes known.

    Values that are learnt meanwhile stay in the sums: they vary no more, and only what is new is to be reckoned.
    """

    def __init__(self, forecast: Forecast, sums: Sequence[Sum]) -> None:
        self._forecast = forecast
        self._sums = sums
        self.prior: FloatArray = np.array([each.expected(each, forecast) for each in sums])
        self._rows: FloatArray = np.zeros((len(sums), 0))

    def variances(self) -> FloatArray:
        """Of each sum."""
        found: FloatArray = np.maximum(self.prior - np.square(self._known()).sum(axis=1), 0.0)
        return found

    def differences(self, leader: int) -> FloatArray:
        """Of each sum's difference to one of them."""
        first = self._sums[leader]
        shared = np.array([each.expected(first, self._forecast) for each in self._sums])
        rows = self._known()
        known = np.square(rows - rows[leader]).sum(axis=1)
        found: FloatArray = self.prior + self.prior[leader] - 2 * shared - known
        return found

    def _known(self) -> FloatArray:
        """What the known values say of the sums."""
        new = self._forecast.rows[:, self._rows.shape[1] :]
        if new.shape[1]:
            more = np.array([each.moves @ new[each.places] for each in self._sums])
            self._rows = np.hstack([self._rows, more])
        return self._rows


def telling(forecast: Forecast, leader: Sum, rivals: Sequence[Sum], weights: FloatArray, count: int) -> list[int]:
    """Places of the values that tell most about the differences between the leader and its rivals, one after the
    other: each reduces their variances most, in the proportion of the weights, given those before it."""
    places = np.unique(np.concatenate([leader.places, *(rival.places for rival in rivals)]))
    differences = np.zeros((len(places), len(rivals)))
    for column, rival in enumerate(rivals):
        differences[np.searchsorted(places, leader.places), column] += leader.moves
        differences[np.searchsorted(places, rival.places), column] -= rival.moves
    rows = forecast.rows[places]
    covariance = forecast.expected(places, places) - rows @ rows.T
    smallest = 1e-9 * float(np.max(np.diagonal(covariance)))
    told = covariance @ differences
    left = np.ones(len(places), dtype=bool)
    chosen: list[int] = []
    for _ in range(min(count, len(places))):
        variances = np.maximum(np.diagonal(covariance), smallest)
        gains = np.where(left, (told**2 @ weights) / variances, -1.0)
        best = int(np.argmax(gains))
        left[best] = False
        chosen.append(int(places[best]))
        column = covariance[:, best] / np.sqrt(variances[best])
        covariance = covariance - np.outer(column, column)
        told = told - np.outer(column, column @ differences)
    return chosen
