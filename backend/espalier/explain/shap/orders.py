"""Shapley values along orders of arrival, each order together with its reverse (antithetic)."""

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.problems import BadParameter

IntArray = NDArray[np.int64]


def affordable(size: int, budget: int) -> int:
    """How many orders, each with its reverse, a budget allows: both ends once, then n-1 coalitions and complements.

    One order gives no standard error, so a budget for fewer than two is refused.
    """
    count = (budget - 2) // (2 * (size - 1))
    if count < 2:
        raise BadParameter(
            f"budget too small for {size} players: got {budget} coalitions, possible are {2 + 4 * (size - 1)} or more"
        )
    return count


def random_orders(game: GameShape, count: int, seed: int) -> IntArray:
    """Orders of all players, uniform. The first orders of a seed do not depend on how many are asked for."""
    return np.random.default_rng([seed, game.size]).random((count, game.size)).argsort(axis=1)


def arrivals(orders: IntArray) -> BoolArray:
    """For each order who is there after 1, 2, ... n-1 arrivals: bool[orders * (n-1), n].

    The complements are who is there along the reversed orders.
    """
    count, size = orders.shape
    place = orders.argsort(axis=1)
    return (place[:, None, :] < np.arange(1, size)[None, :, None]).reshape(count * (size - 1), size)


def gains(orders: IntArray, values: FloatArray, base: float, full: float) -> FloatArray:
    """What each player added on its arrival, averaged over an order and its reverse: float[orders, n].

    `values[side, row]` belongs to the coalitions of `arrivals` and to their complements.
    """
    count, size = orders.shape
    forward = np.full((count, size + 1), base)
    forward[:, 1:-1] = values[0].reshape(count, size - 1)
    forward[:, -1] = full
    backward = np.full((count, size + 1), full)
    backward[:, 1:-1] = values[1].reshape(count, size - 1)
    backward[:, -1] = base
    steps = (np.diff(forward, axis=1) - np.diff(backward, axis=1)) / 2
    found = np.empty((count, size))
    np.put_along_axis(found, orders, steps, axis=1)
    return found
