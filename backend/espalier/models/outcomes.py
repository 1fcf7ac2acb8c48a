"""What a game explains: a few named outcomes, chosen apart from the model, and how the model's family reads them."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple


class Beginning(NamedTuple):
    """What a language model likes best to go on with, where that is not a word beside the others but the beginning of
    one of them: both would have the same share."""

    text: str
    probability: float
    word: str


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Names of what can come out, and how to read their scores from a row's output.

    A classifier's outcomes are its classes. A language model's are a few words and "any other word": only its family
    knows how large its vocabulary is. `read` is the family's own business (the tokens of those words, say); None is as
    the family reads by default. Two games with equal outcomes on the same rows share their evaluations.
    """

    names: tuple[str, ...]
    read: Hashable = None
    beginning: Beginning | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.names)
