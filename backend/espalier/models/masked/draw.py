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
import torch
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

    @torch.inference_mode()
    def read(self, scores: torch.Tensor, words: NDArray[np.int64], rows: Sequence[TokenRow]) -> FloatArray:
        """float[rows, draws] of token ids, from the words' scores, float[rows, words]. Every sum is within one row, and
        its shape is the same for all of them, so that a row's company cannot matter."""
        places = scores.argmax(1, keepdim=True) if self.likeliest else self._places(scores, rows)
        found: FloatArray = words[places.cpu().numpy()].astype(np.float64)
        return found

    def _places(self, scores: torch.Tensor, rows: Sequence[TokenRow]) -> torch.Tensor:
        """Where in the words each draw of each row falls, int[rows, draws]."""
        count, size = scores.shape
        weights = scores.new_zeros((count, -(-size // BLOCK) * BLOCK))
        weights[:, :size] = (scores - scores.amax(1, keepdim=True)).exp_()
        blocks = weights.view(count, -1, BLOCK)
        ends = blocks.sum(2, dtype=torch.float64).cumsum(1)
        numbers = [[number(self.seed, draw, row.place or 0) for draw in range(self.draws)] for row in rows]
        targets = torch.tensor(numbers, dtype=torch.float64, device=scores.device) * ends[:, -1:]
        # As many blocks end before the target as there are before its own; then the same within it.
        block = (ends[:, None] <= targets[:, :, None]).sum(2).clamp_(max=ends.shape[1] - 1)
        before = ends.gather(1, (block - 1).clamp_(min=0)).where(block > 0, 0.0)
        own = blocks.gather(1, block[:, :, None].expand(-1, -1, BLOCK)).double().cumsum(2)
        within = (own <= (targets - before)[:, :, None]).sum(2)
        # Rounding may leave the last number beyond the last word.
        return (block * BLOCK + within).clamp_(max=size - 1)
