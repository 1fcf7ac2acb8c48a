"""Words as a model writes them: sequences of tokens, read one token after the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from espalier.models.causal.head import log_probabilities
from espalier.models.causal.next_tokens import NextTokens
from espalier.models.protocol import FloatArray, TokenRow
from espalier.problems import BadParameter

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Continuations:
    """What may come next, each as its tokens. None is the beginning of another one, so that their probabilities, and
    that of anything else, add up to one.

    A word of several tokens has the product of their probabilities, each given those before it (teacher forcing).
    Nothing says that a word ends there: the probability of " film" is that of " films", too.
    """

    words: tuple[Tokens, ...]

    def __post_init__(self) -> None:
        if not self.words or not all(self.words):
            raise BadParameter("no words to look for: got none, possible are one or more")

    @cached_property
    def beginnings(self) -> dict[Tokens, list[int]]:
        """Where the words part: each beginning of a word that is not the whole word, and the tokens that follow it."""
        found: dict[Tokens, list[int]] = {}
        for word in self.words:
            for length, token in enumerate(word):
                following = found.setdefault(word[:length], [])
                if token not in following:
                    following.append(token)
        return found

    def log_probabilities(self, network: NextTokens, rows: Sequence[TokenRow]) -> FloatArray:
        """float[rows, words + 1]: of each word, and of anything else."""
        beginnings = self.beginnings
        hidden = network.ends([continued(row, begun) for begun in beginnings for row in rows])
        come: dict[Tokens, FloatArray] = {(): np.zeros(len(rows))}
        elsewhere: list[FloatArray] = []
        # A beginning is met after all of its own beginnings: that is how they were found.
        for (begun, following), states in zip(beginnings.items(), hidden.split(len(rows)), strict=True):
            asked, others = log_probabilities(network, states, following)
            for column, token in enumerate(following):
                come[(*begun, token)] = come[begun] + asked[:, column]
            elsewhere.append(come[begun] + others)
        rest = np.logaddexp.reduce(elsewhere, axis=0)
        return np.stack([*(come[word] for word in self.words), rest], axis=1)


def continued(row: TokenRow, tokens: Tokens) -> TokenRow:
    """A row with more tokens behind it, at the positions after its text, whether or not all of that is present."""
    if not tokens:
        return row
    more = len(tokens)
    return TokenRow(
        np.concatenate([row.ids, np.asarray(tokens, dtype=np.int64)]),
        np.concatenate([row.positions, row.length + np.arange(more)]),
        row.length + more,
    )


def conflict(words: Sequence[Tokens]) -> tuple[int, int] | None:
    """The first two of which one begins the other (or is the same), if there are any."""
    for index, word in enumerate(words):
        for other in range(index):
            most = min(len(word), len(words[other]))
            if word[:most] == words[other][:most]:
                return other, index
    return None
