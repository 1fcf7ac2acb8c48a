"""Next words by plain transformers: nothing of this project but the words' places is used.

Absent words are masked where they stand, so every coalition of a text is a row of the same tokens; or they are cut out.
One coalition at a time is what is beyond doubt. All 2^n of them are run in batches, which is the same (a test says so)
and makes a table that all methods share.
"""

import math
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel

from espalier.explain.plan import Arrange
from espalier.models.causal.model import CausalModel
from espalier.text import read

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

BATCH = 64

Tokens = tuple[int, ...]
Coalition = tuple[bool, ...]


class BruteForce:
    """What a network says of a text with words absent."""

    def __init__(self, network: PreTrainedModel, model: CausalModel, text: str, closes_up: bool = False) -> None:
        encoding = model.encode(read(text))
        self._network = network
        self._ids = encoding.ids
        self._owners = encoding.owners
        self._closes_up = closes_up
        self.size = len(read(text).words)

    def log_probability(self, coalition: Coalition, tokens: Tokens) -> float:
        """Of a word in its tokens, one forward pass for each of them: a chain made by hand."""
        return sum(self.scores(coalition, tokens[:length])[token] for length, token in enumerate(tokens))

    @cache  # noqa: B019
    def scores(self, coalition: Coalition, more: Tokens = ()) -> list[float]:
        """Log-probabilities of all tokens, from one row alone."""
        seen = [*self._seen(coalition), *[True] * len(more)]
        ids = [*self._ids, *more]
        if self._closes_up:
            ids, seen = [each for each, present in zip(ids, seen, strict=True) if present], [True] * sum(seen)
        with torch.inference_mode():
            logits = self._network(
                input_ids=torch.tensor([ids]),
                attention_mask=torch.tensor([seen], dtype=torch.long),
                position_ids=torch.arange(len(ids))[None],
            ).logits[0]
        last = max(place for place, present in enumerate(seen) if present)
        return torch.log_softmax(logits[last].double(), dim=0).tolist()

    def log_odds(self, coalition: Coalition, tokens: Tokens) -> float:
        return odds(self.log_probability(coalition, tokens))

    def moved(self, coalition: Coalition, word: int, place: int, tokens: Tokens) -> float:
        """Log-probability with one word more, which stands in the place of another: its tokens at that one's positions,
        those that find none at the last."""
        there = [(at, each) for at, each in enumerate(self._ids) if self._seen(coalition)[at]]
        own = [each for at, each in enumerate(self._ids) if self._owners[at] == word]
        spots = [at for at, owner in enumerate(self._owners) if owner == place]
        there += [(spots[min(step, len(spots) - 1)], each) for step, each in enumerate(own)]
        there.sort(key=lambda pair: pair[0])
        total = 0.0
        for length, token in enumerate(tokens):
            more = [(len(self._ids) + step, each) for step, each in enumerate(tokens[:length])]
            positions, ids = zip(*there, *more, strict=True)
            with torch.inference_mode():
                logits = self._network(
                    input_ids=torch.tensor([ids]),
                    attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                    position_ids=torch.tensor([positions]),
                ).logits[0, -1]
            total += float(torch.log_softmax(logits.double(), dim=0)[token])
        return total

    def table(self, tokens: Tokens) -> FloatArray:
        """Log-probabilities of a word for all 2^n coalitions, counted in binary, the last word fastest."""
        assert not self._closes_up, "rows of one length only: words that are cut out run one coalition at a time"
        present = everyone(self.size)
        seen = torch.tensor([[*self._seen(tuple(row)), *[True] * (len(tokens) - 1)] for row in present.tolist()])
        ids = torch.tensor([*self._ids, *tokens[:-1]])
        # The chain is read at the last word that is there, and at its own tokens.
        ends = (seen[:, : len(self._ids)] * torch.arange(1, len(self._ids) + 1)).argmax(1)
        places = torch.stack([ends, *(torch.full_like(ends, len(self._ids) + step) for step in range(len(tokens) - 1))])
        total = np.zeros(len(present))
        for start in range(0, len(present), BATCH):
            rows = slice(start, start + BATCH)
            count = len(seen[rows])
            with torch.inference_mode():
                hidden = self._network.base_model(
                    input_ids=ids.expand(count, -1),
                    attention_mask=seen[rows].long(),
                    position_ids=torch.arange(len(ids)).expand(count, -1),
                ).last_hidden_state
                for step, token in enumerate(tokens):
                    asked = hidden[torch.arange(count), places[step, rows]]
                    logits = self._network.get_output_embeddings()(asked)
                    total[rows] += torch.log_softmax(logits.double(), dim=1)[:, token].numpy()
        return total

    def _seen(self, coalition: Coalition) -> list[bool]:
        return [owner is None or coalition[owner] for owner in self._owners]


class Truth:
    """The values of one game, log-odds of a word or between two: from a table of all coalitions, made once."""

    def __init__(self, brute: BruteForce, tokens: Tokens, against: Tokens | None = None) -> None:
        self.size = brute.size
        self._brute, self._tokens, self._against = brute, tokens, against
        self._table = self._values(brute.table(tokens), None if against is None else brute.table(against))
        self._moved = cache(self._moved_once)

    def __call__(self, coalitions: BoolArray) -> FloatArray:
        return self._table[np.asarray(coalitions, dtype=np.int64) @ (1 << np.arange(self.size)[::-1])]

    def moved(self, step: Arrange) -> FloatArray:
        asked = zip(step.coalitions.tolist(), step.words.tolist(), step.places.tolist(), strict=True)
        return np.array([[self._moved(tuple(row), word, place)] for row, word, place in asked])

    def _moved_once(self, coalition: Coalition, word: int, place: int) -> float:
        own = np.array(self._brute.moved(coalition, word, place, self._tokens))
        if self._against is None:
            return float(self._values(own, None))
        return float(self._values(own, np.array(self._brute.moved(coalition, word, place, self._against))))

    @staticmethod
    def _values(log_probability: FloatArray, of_other: FloatArray | None) -> FloatArray:
        return log_probability - (np.log(-np.expm1(log_probability)) if of_other is None else of_other)


def everyone(size: int) -> BoolArray:
    """All coalitions, counted in binary, the last word fastest."""
    return (np.arange(2**size)[:, None] >> np.arange(size)[::-1] & 1).astype(bool)


def odds(logarithm: float) -> float:
    """Log-odds of a probability, given its logarithm."""
    return logarithm - math.log(-math.expm1(logarithm))
