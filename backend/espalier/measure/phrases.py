"""The top phrase taken out (against other phrases of its length) and taken apart (cohesion)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from espalier.explain.plan import GameShape, Plan, ask, reorder

OTHERS = 20
"""Phrases of the same length that the top phrase is held against."""

SHUFFLES = 100
"""HEDGE, Eq. 8: Q."""


@dataclass(frozen=True, slots=True)
class PhraseDeletion:
    """What the text loses with its top phrase, and with other phrases of its length on average."""

    drop: float
    others: float

    @property
    def difference(self) -> float:
        return self.drop - self.others


def phrase_deletion(
    game: GameShape, phrase: Sequence[int], generator: np.random.Generator
) -> Plan[PhraseDeletion | None]:
    """None where there is no other phrase of the length. Where there are more than twenty, twenty are drawn."""
    own, length = frozenset(phrase), len(phrase)
    windows = [range(start, start + length) for start in range(game.size - length + 1)]
    others = [window for window in windows if frozenset(window) != own]
    if not others or not own:
        return None
    if len(others) > OTHERS:
        others = [others[index] for index in sorted(generator.permutation(len(others))[:OTHERS])]
    coalitions = np.ones((2 + len(others), game.size), dtype=bool)
    coalitions[1, list(own)] = False
    for row, window in zip(coalitions[2:], others, strict=True):
        row[list(window)] = False
    values = np.exp((yield from ask(coalitions))[:, game.target])
    return PhraseDeletion(float(values[0] - values[1]), float(values[0] - values[2:].mean()))


def cohesion(game: GameShape, phrase: Sequence[int], generator: np.random.Generator) -> Plan[float | None]:
    """HEDGE, Eq. 8: the words of the top phrase go back into the text at random places, one after the other.

    A single word, too: for it the score says how much its place matters. None where the phrase is the whole text.
    """
    inside = list(phrase)
    outside = [player for player in range(game.size) if player not in set(inside)]
    if not inside or not outside:
        return None
    orders = np.empty((SHUFFLES + 1, game.size), dtype=np.int64)
    orders[0] = np.arange(game.size)
    for row in orders[1:]:
        words = list(outside)
        for player in inside:
            words.insert(int(generator.integers(len(words) + 1)), player)
        row[:] = words
    values = np.exp((yield from reorder(orders))[:, game.target])
    return float(values[0] - values[1:].mean())
