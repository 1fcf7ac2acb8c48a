"""What a filler is to the rest of the house: a hosted model that says which words may stand at blanks of a text."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, HostedModel
from espalier.text import Passage


@runtime_checkable
class Filler(HostedModel, Protocol):
    """A masked language model that can be asked to fill a text in."""

    blank_id: int
    """Of the token that stands for a missing word."""
    small_letters: bool
    """It knows no capital letters."""

    def read_words(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        """A text in its tokens, with or without blanks."""
        ...

    def drawn(self, draws: int, seed: int = 0, likeliest: bool = False) -> Outcomes:
        """What to ask for: for each row `draws` tokens, whole words that may stand at its `read_at`. Which ones depends
        on the row and on (seed, draw, place) alone."""
        ...

    def ranks(self, tokens: Mapping[int, int]) -> Outcomes:
        """What to ask for: for each row, how many whole words suit its `read_at` better than the token that is given
        for its `place`."""
        ...

    def word_of(self, token: int) -> str:
        """A token that was drawn, as it is written."""
        ...

    def unreadable(self, passage: Passage, pair: Passage | None = None) -> list[str]:
        """Words that it has no tokens for but unknown ones or single characters."""
        ...

    def in_pieces(self, passage: Passage, pair: Passage | None = None) -> list[str]:
        """Words of letters that it reads, but in several tokens: of a text in its own language, few are."""
        ...
