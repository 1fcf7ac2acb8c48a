"""How good, and how bad, any order of a text's words could be: the limits of its AOPC (Edin et al., 2025).

They differ by text and by model, so raw values of two models say little beside each other; a value between its limits
does. Up to twelve words every set of words is asked for and dynamic programming finds the best chain through them.
Above, a beam of five goes on from the best so far, one word at a time.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape, Plan, ask

EXACT_WORDS = 12
BEAM = 5

MOST_WORDS = 60
"""A beam asks for about five times the square of the words: beyond this it is more work than any method's."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest mean drop over all steps, with an order for each; exact, or found by the beam."""

    lower: float
    upper: float
    worst: tuple[int, ...]
    best: tuple[int, ...]
    exact: bool


def bounds(game: GameShape) -> Plan[Bounds]:
    if game.size <= EXACT_WORDS:
        return (yield from _exact(game))
    upper, best = yield from _beam(game, 1.0)
    lower, worst = yield from _beam(game, -1.0)
    return Bounds(lower, upper, worst, best, exact=False)


def normalised(value: float, limits: Bounds) -> float | None:
    """0 for the worst order, 1 for the best; nothing where all orders are equally good."""
    width = limits.upper - limits.lower
    return None if width <= 1e-12 else (value - limits.lower) / width


def expected_bounds(words: int) -> int:
    """Evaluations the search takes, at most."""
    return 2**words if words <= EXACT_WORDS else 2 * BEAM * words * (words + 1) // 2


def _exact(game: GameShape) -> Plan[Bounds]:
    size = game.size
    sets = np.arange(2**size)
    members: BoolArray = (sets[:, None] >> np.arange(size)) & 1 == 1
    values = np.exp((yield from ask(members))[:, game.target])
    drops = values[-1] - values
    upper, best = _chain(drops, members)
    lower, worst = _chain(-drops, members)
    return Bounds(-lower / size, upper / size, worst, best, exact=True)


def _chain(drops: FloatArray, members: BoolArray) -> tuple[float, tuple[int, ...]]:
    """The largest sum of drops on a way from everybody to nobody, and the order in which players leave on it.

    `ahead[S]` is the most that can still be had from S on. A set without a player is a smaller number than the set, and
    has a player less: sizes are done one after the other, each at once.
    """
    size = members.shape[1]
    ahead = np.zeros(len(members))
    leaves = np.zeros(len(members), dtype=np.int64)
    counts = members.sum(axis=1)
    for count in range(1, size + 1):
        these = np.flatnonzero(counts == count)
        without = these[:, None] - (1 << np.arange(size))
        present = members[these]
        gains = np.where(present, (drops + ahead)[np.where(present, without, 0)], -np.inf)
        leaves[these] = gains.argmax(axis=1)
        ahead[these] = gains.max(axis=1)
    order: list[int] = []
    here = len(members) - 1
    while here:
        order.append(int(leaves[here]))
        here -= 1 << order[-1]
    return float(ahead[-1]), tuple(order)


def _beam(game: GameShape, sign: float) -> Generator[Ask, FloatArray, tuple[float, tuple[int, ...]]]:
    """The highest (or with -1 the lowest) mean drop that is found, and its order."""
    size = game.size
    everyone = np.ones((1, size), dtype=bool)
    full = float(np.exp((yield from ask(everyone))[0, game.target]))
    kept: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for _ in range(size):
        ways: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}
        for total, removed in kept:
            for player in sorted(set(range(size)) - set(removed)):
                gone = frozenset((*removed, player))
                # The same words gone in another order: only the better way there can be on the best way.
                if gone not in ways or ways[gone][0] < total:
                    ways[gone] = (total, (*removed, player))
        coalitions = np.ones((len(ways), size), dtype=bool)
        for row, gone in zip(coalitions, ways, strict=True):
            row[list(gone)] = False
        values = np.exp((yield from ask(coalitions))[:, game.target])
        found = [(way[0] + sign * (full - value), way[1]) for way, value in zip(ways.values(), values, strict=True)]
        kept = sorted(found, key=lambda way: (-way[0], way[1]))[:BEAM]
    total, order = kept[0]
    return sign * float(total) / size, order
