"""How well a word suits a blank: how many others suit it better."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from espalier.models.protocol import FloatArray, TokenRow


@dataclass(frozen=True)
class Ranked:
    """How a filler's outputs are read: the rank, from 0, of the token that is named for each row's place."""

    tokens: tuple[tuple[int, int], ...]
    """Place and token."""

    @torch.inference_mode()
    def read(self, scores: torch.Tensor, words: NDArray[np.int64], rows: Sequence[TokenRow]) -> FloatArray:
        """float[rows, 1], from the words' scores, float[rows, words]; words are in the order of the vocabulary. What is
        no whole word has no rank, infinity."""
        named = dict(self.tokens)
        wanted = np.array([named[row.place or 0] for row in rows])
        if not len(words):
            return np.full((len(rows), 1), np.inf)
        at = np.searchsorted(words, wanted).clip(max=len(words) - 1)
        own = scores.gather(1, torch.as_tensor(at, device=scores.device)[:, None])
        ranks: FloatArray = (scores > own).sum(1).cpu().numpy().astype(np.float64)
        return np.where(words[at] == wanted, ranks, np.inf)[:, None]
