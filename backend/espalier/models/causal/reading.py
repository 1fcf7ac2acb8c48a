"""A text read from left to right on one device: what language models and classifiers over them share."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from espalier.models.causal.next_tokens import NextTokens
from espalier.models.causal.writing import Writing
from espalier.models.inside import answer
from espalier.models.laying_out import LaysOut
from espalier.models.outcomes import Outcomes
from espalier.models.precision import Rounding
from espalier.models.protocol import Encoding, FloatArray, TokenRow
from espalier.models.rounding import Lowers
from espalier.problems import BadModel, NotSupported, TooLong
from espalier.text import Passage

CPU_BATCH_TOKENS = 384
"""Half a second of a transformer of 135 million parameters on two cores: what a short job waits for behind a long one.
What earlier batches computed is remembered, so that small ones cost no more."""

CUDA_BATCH_TOKENS = 8192


class CausalReader(ABC):
    """A network that reads from left to right, and the writing that makes tokens of texts."""

    classes: tuple[str, ...]
    outcomes: Outcomes
    rounding: Rounding | None = None

    def __init__(
        self, name: str, family: str, network: NextTokens, writing: Writing, revision: str, max_length: int
    ) -> None:
        self.name = name
        self.family = family
        self.network = network
        self.writing = writing
        self.revision = revision
        self.max_length = max_length
        self.device = network.device
        self.batch_tokens = CUDA_BATCH_TOKENS if self.device.type == "cuda" else CPU_BATCH_TOKENS
        self.mask_id = writing.mask_id
        self.pad_id: int | None = writing.pad_id

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        if pair is not None:
            raise NotSupported(f"{self.name} reads one text: got a pair, possible is a text alone")
        encoding = self.writing.encode(passage)
        self._check(encoding.ids)
        if len(encoding.ids) > self.max_length:
            raise TooLong(
                f"text too long for {self.name}: got {len(encoding.ids):,} tokens ({len(passage.words):,} words), "
                f"possible are up to {self.max_length:,}; shorten the text or explain it in parts"
            )
        return encoding

    def arranged(self, rows: Sequence[TokenRow]) -> tuple[list[int], list[int]]:
        return self.network.arranged(rows)

    @abstractmethod
    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray: ...

    def lower(self, dtype: torch.dtype) -> None:
        if not isinstance(self.network, Lowers):
            raise NotSupported(f"{self.name} computes in one way: got {dtype}, possible is torch.float32")
        self.network.lower(dtype)

    def lay_out(self) -> None:
        if isinstance(self.network, LaysOut):
            self.network.lay_out()

    def inspect(self, question: str, **arguments: Any) -> Any:
        return answer(self, question, arguments)

    @contextmanager
    def _remembering(self) -> Iterator[None]:
        """After a failure nothing that is half computed is remembered."""
        try:
            yield
        except BaseException:
            self.network.forget()
            raise

    def _check(self, tokens: Sequence[int]) -> None:
        if max(tokens) >= self.network.vocabulary:
            raise BadModel(
                f"the tokenizer of {self.name} is another model's: got token {max(tokens):,}, possible are up to "
                f"{self.network.vocabulary - 1:,}"
            )
