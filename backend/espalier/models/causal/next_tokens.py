"""What every network that says the next token is to this room, however it is built."""

from collections.abc import Sequence
from typing import Protocol

import torch

from espalier.models.protocol import TokenRow

EIGHT = 8
"""Rows of a matrix product come in multiples of this: other counts choose other kernels (see `models.batches`)."""


class ScoresTokens(Protocol):
    """Hidden states in, scores of the vocabulary out: what the head needs of any network."""

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """Scores of all tokens of the vocabulary, for a few hidden states at a time."""
        ...


class NextTokens(ScoresTokens, Protocol):
    """Rows in, hidden states out; hidden states in, scores of the vocabulary out. From one thread at a time."""

    device: torch.device

    @property
    def vocabulary(self) -> int:
        """How many tokens there are."""
        ...

    def ends(self, rows: Sequence[TokenRow]) -> torch.Tensor:
        """Hidden states at the rows' last tokens, float[rows, size]: the same bits in any company."""
        ...

    def everywhere(self, row: TokenRow) -> torch.Tensor:
        """Hidden states at all tokens of one row, float[tokens, size]."""
        ...

    def arranged(self, rows: Sequence[TokenRow]) -> tuple[list[int], list[int]]:
        """In which order rows should come, and how many tokens each (by its own index) adds to those before it."""
        ...

    def forget(self) -> None:
        """Give up what is remembered: after a failure it may be half computed."""
        ...
