"""What a language model is to the rest of the house: a hosted model that says which words may come next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, HostedModel
from espalier.shared import APPEARANCE
from espalier.text import Passage

OTHER: str = APPEARANCE["next_words"]["other"]
"""The last outcome of every language model's game: all that is not among the words that were asked for."""

COUNT: int = APPEARANCE["next_words"]["count"]
"""How many of the likeliest next words are looked at where nobody says so."""


@dataclass(frozen=True, slots=True)
class Surprise:
    """How surprising a word was where it stands: `bits` in all its tokens, and what was likely in its place."""

    bits: float
    pieces: tuple[str, ...]
    candidates: tuple[tuple[str, float], ...]


@runtime_checkable
class LanguageModel(HostedModel, Protocol):
    """From one thread at a time, as `outputs`."""

    def choose(self, encoding: Encoding, words: Sequence[str] = (), count: int = COUNT) -> Outcomes:
        """Outcomes of a text: its likeliest next words, `count` of them, the words that somebody named, and OTHER.

        Words are written exactly as they would go on: mostly with a space before them.
        """
        ...

    def pieces(self, outcomes: Outcomes) -> tuple[tuple[str, ...], ...]:
        """The tokens that each word of some outcomes is written with; OTHER is not among them."""
        ...

    def surprise(self, passage: Passage, count: int = COUNT) -> list[Surprise]:
        """For every word of a running text, how surprising it was after the words before it."""
        ...

    def bits(self, passages: Sequence[Passage]) -> list[float]:
        """How surprising running texts are in all their words: the sums of `surprise`. What was likely is not said, and
        all words are scored together."""
        ...
