"""A language model on one device: words that may come next, and how likely they are with some of the text absent."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from espalier.models.causal.head import Candidate, likeliest, log_probability_of
from espalier.models.causal.reading import CausalReader
from espalier.models.causal.words import Continuations, Tokens, conflict
from espalier.models.next_words import COUNT, OTHER, Surprise
from espalier.models.outcomes import Beginning, Outcomes
from espalier.models.protocol import Encoding, FloatArray, TokenRow
from espalier.problems import BadModel, BadParameter, TooLong
from espalier.text import Passage

LOOKED_AT = 4
"""How many times as many tokens as words are looked at: some cannot be offered as words."""

MOST_TOKENS = 16
"""Of one word that was named."""


class CausalModel(CausalReader):
    """A network that says the next token, and the writing that makes tokens of words and words of tokens."""

    classes: tuple[str, ...] = ()
    outcomes = Outcomes(())

    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        """Logarithms of probabilities, float64[rows, outcomes]: of each word, and of anything else."""
        if outcomes is None or not isinstance(outcomes.read, Continuations):
            raise BadModel(f"{self.name} says next words: got a question without words, possible are outcomes it chose")
        with self._remembering():
            return outcomes.read.log_probabilities(self.network, rows)

    def choose(self, encoding: Encoding, words: Sequence[str] = (), count: int = COUNT) -> Outcomes:
        named = {word: self._named(word) for word in words}
        if named and (needed := len(encoding.ids) + max(map(len, named.values())) - 1) > self.max_length:
            raise TooLong(
                f"text and word too long for {self.name}: got {needed:,} tokens together, possible are up to "
                f"{self.max_length:,}; shorten the text or name a shorter word"
            )
        if (pair := conflict(list(named.values()))) is not None:
            first, second = (list(named)[index] for index in pair)
            raise BadParameter(
                f"words that begin alike cannot be told apart: got {first!r} and {second!r}, of which one begins "
                "the other in the model's tokens; possible is one of them"
            )
        likely: dict[str, Tokens] = {}
        own_name = {tokens: word for word, tokens in named.items()}
        beginning: Beginning | None = None
        if count:
            for candidate in self._next(encoding.row(), LOOKED_AT * count + len(named)):
                token = candidate.token
                if not likely:
                    beginning = beginning or self._beginning(candidate, named)
                # A named word has the name it was given, in the place that its probability gives it.
                text = own_name.get((token,)) or self.writing.text_of(token)
                if text is None or (text not in named and conflict([*named.values(), (token,)]) is not None):
                    continue
                likely[text] = (token,)
                if len(likely) == count:
                    break
        chosen = likely | {word: tokens for word, tokens in named.items() if word not in likely}
        if not chosen:
            raise BadParameter("no words to look for: got none, possible are one or more, or a count of likely ones")
        return Outcomes((*chosen, OTHER), Continuations(tuple(chosen.values())), beginning)

    def pieces(self, outcomes: Outcomes) -> tuple[tuple[str, ...], ...]:
        assert isinstance(outcomes.read, Continuations)
        return tuple(tuple(map(self.writing.piece, word)) for word in outcomes.read.words)

    def bits(self, passages: Sequence[Passage]) -> list[float]:
        encodings = [self.encode(passage) for passage in passages]
        with self._remembering():
            hidden = [self.network.everywhere(each.row())[:-1] for each in encodings]
            came = [token for each in encodings for token in each.ids[1:]]
            said = -log_probability_of(self.network, torch.cat(hidden), came) / math.log(2)
        owned = [np.array([owner is not None for owner in each.owners[1:]]) for each in encodings]
        ends = np.cumsum([len(own) for own in owned])[:-1]
        return [float(part[own].sum()) for part, own in zip(np.split(said, ends), owned, strict=True)]

    def surprise(self, passage: Passage, count: int = COUNT) -> list[Surprise]:
        encoding = self.encode(passage)
        with self._remembering():
            hidden = self.network.everywhere(encoding.row())[:-1]
            likely = likeliest(self.network, hidden, LOOKED_AT * count)
            ids = encoding.ids[1:]
            bits = -log_probability_of(self.network, hidden, ids) / math.log(2)
        places: dict[int, list[int]] = {}
        for place, owner in enumerate(encoding.owners[1:]):
            if owner is not None:
                places.setdefault(owner, []).append(place)
        return [
            Surprise(
                float(bits[own].sum()),
                tuple(self.writing.piece(ids[place]) for place in own),
                self._offered(likely[own[0]], count) if own else (),
            )
            for own in (places.get(word, []) for word in range(len(passage.words)))
        ]

    def _named(self, word: str) -> Tokens:
        if word == OTHER or any("\ud800" <= character <= "\udfff" for character in word):
            raise BadParameter(f"not a word: got {word!r}, possible are words that may come next")
        tokens = self.writing.tokens_of(word)
        self._check(tokens)
        if len(tokens) > MOST_TOKENS:
            raise BadParameter(
                f"a word too long: got {word[:40]!r} of {len(tokens)} tokens, possible are up to {MOST_TOKENS}"
            )
        return tokens

    def _next(self, row: TokenRow, count: int) -> list[Candidate]:
        with self._remembering():
            return likeliest(self.network, self.network.ends([row]), count)[0]

    def _beginning(self, candidate: Candidate, named: Mapping[str, Tokens]) -> Beginning | None:
        """A likely token, where a named word of several tokens begins with it."""
        token, probability = candidate
        word = next((word for word, tokens in named.items() if len(tokens) > 1 and tokens[0] == token), None)
        return None if word is None else Beginning(self.writing.piece(token), probability, word)

    def _offered(self, candidates: Sequence[Candidate], count: int) -> tuple[tuple[str, float], ...]:
        words = ((self.writing.text_of(each.token), each.probability) for each in candidates)
        return tuple((text, probability) for text, probability in words if text is not None)[:count]
