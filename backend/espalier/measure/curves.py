"""What a prediction loses with its most important words, and what these say alone: AOPC, log-odds, sufficiency.

Plans here are answered in log-probabilities. An order is a player for each rank, the most important first; of several
orders (random ones) the mean is measured.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape, Plan, ask

IntArray = NDArray[np.int64]

PERCENTS = tuple(range(5, 55, 5))
"""Shares of the words that are removed; the papers' tables are at 20."""

FLOOR = 1e-6
"""Of a probability in clipped log-odds: without one a mean is ruled by the few texts in which a class all but
vanishes."""


@dataclass(frozen=True, slots=True)
class Removal:
    """By share of words removed, float[shares] each: the probability lost, and the logarithm of what is left of it."""

    drop: FloatArray
    log_odds: FloatArray
    log_odds_clipped: FloatArray


def count_of(percent: int, words: int) -> int:
    """How many words a share is: at least one, halves rounded up."""
    return max(1, (2 * percent * words + 100) // 200)


def removal(game: GameShape, orders: IntArray) -> Plan[Removal]:
    """HEDGE, Eq. 6 and 7, for one text: the top words are removed in the way of the game's reference."""
    full, left = yield from _values(game, ~_top(orders))
    clipped = np.log(np.maximum(np.exp(left), FLOOR)) - np.log(max(np.exp(full), FLOOR))
    return Removal(
        drop=(np.exp(full) - np.exp(left)).mean(axis=0),
        log_odds=(left - full).mean(axis=0),
        log_odds_clipped=clipped.mean(axis=0),
    )


def retention(game: GameShape, orders: IntArray) -> Plan[FloatArray]:
    """Sufficiency (DeYoung et al., 2020): what is lost when nothing but the top words stays, float[shares]."""
    full, left = yield from _values(game, _top(orders))
    return np.asarray((np.exp(full) - np.exp(left)).mean(axis=0))


def whole_curve(game: GameShape, orders: IntArray) -> Plan[float]:
    """The mean drop over all steps, from one word removed to all: what normalised AOPC is made from."""
    steps = np.arange(1, game.size + 1)
    ranks = np.argsort(orders, axis=1)
    full, left = yield from _values(game, ranks[:, None, :] >= steps[:, None])
    return float((np.exp(full) - np.exp(left)).mean())


def _top(orders: IntArray) -> BoolArray:
    """bool[orders, shares, players]: the most important words of each share."""
    counts = np.array([count_of(percent, orders.shape[1]) for percent in PERCENTS])
    ranks = np.argsort(orders, axis=1)
    return np.asarray(ranks[:, None, :] < counts[:, None])


def _values(game: GameShape, coalitions: BoolArray) -> Generator[Ask, FloatArray, tuple[float, FloatArray]]:
    """The log-probability of the whole text, and those of the coalitions in their shape."""
    shape = coalitions.shape[:-1]
    everyone = np.ones((1, game.size), dtype=bool)
    values = yield from ask(np.concatenate([everyone, coalitions.reshape(-1, game.size)]))
    explained = values[:, game.target]
    return float(explained[0]), explained[1:].reshape(shape)
