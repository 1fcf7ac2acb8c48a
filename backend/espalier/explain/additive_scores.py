"""Word scores that must sum to what the words change, and how far they are from it."""

from collections.abc import Generator

import numpy as np
from pydantic import Field

from espalier.explain.plan import Ask, FloatArray, GameShape, ask
from espalier.explain.word_scores import WordScores


class AdditiveScores(WordScores):
    additivity_error: float = Field(
        description="By how much base and the values together miss full: rounding where the method is exact, and the "
        "error of the approximation where it is not."
    )


def ends(game: GameShape) -> Generator[Ask, FloatArray, tuple[float, float]]:
    """The game's own values of no word and of the whole text: what additivity is measured against."""
    coalitions = np.stack([np.zeros(game.size, dtype=bool), np.ones(game.size, dtype=bool)])
    values = yield from ask(coalitions, expected=2)
    return float(values[0, game.target]), float(values[1, game.target])


def missing(values: FloatArray, base: float, full: float) -> float:
    """By how much base and the values together miss full."""
    return float(abs(base + values.sum() - full))
