"""Words drawn at blanks, with numbers that are counted, never a stream.

Which word draw r puts at place i is decided by one number u(r, i) in [0, 1) and by nothing that happened before: the
word at which the probabilities, added up in the order of the vocabulary, first exceed u. So a draw does not depend on
how many there are, in which order rows come, or who asks; and texts that differ a little mostly get the same words,
which takes much of the noise out of differences between coalitions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from espalier.models.protocol import FloatArray, TokenRow

BLOCK = 256
"""Words whose probabilities are added up first: the place is then looked for among blocks, and within one."""


@lru_cache(maxsize=65536)
def number(seed: int, draw: int, place: int) -> float:
    """u(draw, place): the Philox generator at that count, 53 bits of it."""
    bits = np.random.Philox(key=seed, counter=[0, 0, draw, place]).random_raw()
    return float(int(bits) >> 11) * 2.0**-53


@dataclass(frozen=True)
class Drawn:
    """How a filler's outputs are read: `draws` tokens for each row, drawn from the words that may stand at its blank;
    without draws, the likeliest one."""

    draws: int
    seed: int = 0
    likeliest: bool = False

    def tokens(self, scores: NDArray[np.float32], words: NDArray[np.int64], rows: Sequence[TokenRow]) -> FloatArray:
        """float[rows, draws] of token ids, from float[rows, vocabulary]. Each row is reckoned by itself, so that its
        company cannot matter."""
        found = np.empty((len(rows), self.draws))
        for own, row, out in zip(scores, rows, found, strict=True):
            weights = own[words]
            out[:] = words[weights.argmax()] if self.likeliest else words[self._places(weights, row.place or 0)]
        return found

    def _places(self, scores: NDArray[np.float32], place: int) -> NDArray[np.int64]:
        """Where in the words each draw falls."""
        weights = np.zeros(-(-len(scores) // BLOCK) * BLOCK, dtype=np.float32)
        weights[: len(scores)] = np.exp(scores - scores.max())
        blocks = weights.reshape(-1, BLOCK)
        ends = np.cumsum(blocks.sum(axis=1, dtype=np.float64))
        chosen = np.empty(self.draws, dtype=np.int64)
        for draw in range(self.draws):
            target = number(self.seed, draw, place) * ends[-1]
            block = min(int(np.searchsorted(ends, target, side="right")), len(ends) - 1)
            before = ends[block - 1] if block else 0.0
            within = np.searchsorted(np.cumsum(blocks[block], dtype=np.float64), target - before, side="right")
            chosen[draw] = block * BLOCK + within
        # Rounding may leave the last number beyond the last word.
        return np.minimum(chosen, len(scores) - 1)
