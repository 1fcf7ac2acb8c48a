"""What every hosted model is to the rest of the house: classes, limits, and outputs for rows of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from espalier.problems import NotSupported
from espalier.text import Passage

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]

Family = Literal["transformer", "adapter", "bow", "cnn", "lstm", "callable"]


class TokenRow(NamedTuple):
    """One input: token ids at their positions; nothing can be seen at the positions left out.

    `length` is how many positions there are, present or not. A transformer simply skips the gaps (what attention
    cannot see need not be computed); a convolution or a recurrent network fills them with its pad vector.
    """

    ids: IntArray
    positions: IntArray
    length: int


@dataclass(frozen=True, slots=True)
class Encoding:
    """A text in a model's tokens. `owners` gives each token's word, None for special tokens, which always stay.

    In a sentence pair the words of the second text are counted on from those of the first.
    """

    ids: tuple[int, ...]
    owners: tuple[int | None, ...]
    tokens: tuple[str, ...]

    def row(self) -> TokenRow:
        """The whole text, everything present."""
        return TokenRow(np.asarray(self.ids, dtype=np.int64), np.arange(len(self.ids)), len(self.ids))


@runtime_checkable
class HostedModel(Protocol):
    """A classifier on one device. `outputs` may be called from one thread at a time only."""

    name: str
    family: Family
    classes: tuple[str, ...]
    max_length: int
    revision: str
    mask_id: int | None

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        """Tokens of a text, or of a pair of texts. Raises TooLong instead of cutting."""
        ...

    def outputs(self, rows: Sequence[TokenRow]) -> FloatArray:
        """Logits, float32[rows, classes]. Logits of a model known only by its probabilities are their logarithms."""
        ...

    def inspect(self, question: str, **arguments: Any) -> Any:
        """Answer a question about the inside (weights, gradients), or raise NotSupported with what it can answer."""
        ...


def refuse(model: HostedModel, question: str, possible: Sequence[str]) -> NotSupported:
    """The answer of a model that cannot look inside itself in this way."""
    return NotSupported(
        f"{model.name} ({model.family}) cannot answer {question!r}: possible are {', '.join(possible) or 'none'}; "
        "choose a method that asks only for outputs"
    )
