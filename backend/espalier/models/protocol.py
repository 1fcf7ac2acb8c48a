"""What every hosted model is to the rest of the house: outcomes, limits, and outputs for rows of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from espalier.models.outcomes import Outcomes
from espalier.problems import NotSupported
from espalier.text import Passage

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]


class TokenRow(NamedTuple):
    """One input: token ids at their positions; nothing can be seen at the positions left out.

    `length` is how many positions there are, present or not. A transformer simply skips the gaps (what attention
    cannot see need not be computed); a convolution or a recurrent network fills them with its pad vector.

    `read_at` is the position whose output is read. None is as the family reads by default: a classifier its whole row,
    a causal language model after the last token.

    `place` is the number of the word that `read_at` belongs to, where something is drawn there: the same in all rows of
    a text, however many tokens stand before it.
    """

    ids: IntArray
    positions: IntArray
    length: int
    read_at: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Encoding:
    """A text in a model's tokens. `owners` gives each token's word, None for special tokens, which always stay.

    In a sentence pair the words of the second text are counted on from those of the first. `read_at` is the token whose
    output is read, as in `TokenRow`: a masked language model's blank.
    """

    ids: tuple[int, ...]
    owners: tuple[int | None, ...]
    tokens: tuple[str, ...]
    read_at: int | None = None

    def row(self) -> TokenRow:
        """The whole text, everything present."""
        return TokenRow(np.asarray(self.ids, dtype=np.int64), np.arange(len(self.ids)), len(self.ids), self.read_at)


@runtime_checkable
class HostedModel(Protocol):
    """A model on one device. `outputs` may be called from one thread at a time only.

    `outcomes` are those of a game that chooses none: a classifier's classes.
    """

    name: str
    family: str
    classes: tuple[str, ...]
    outcomes: Outcomes
    max_length: int
    revision: str
    mask_id: int | None
    pad_id: int | None
    """Of the token for nothing; None where the model has none."""

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        """Tokens of a text, or of a pair of texts. Raises TooLong instead of cutting."""
        ...

    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        """Scores, float[rows, outcomes], finite, whose softmax is the outcomes' probabilities: a classifier's logits;
        the logarithms of a model known only by its probabilities."""
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
