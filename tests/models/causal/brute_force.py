"""Next words by plain transformers, one coalition at a time: nothing of this project but the words' places is used."""

import math
from functools import cache

import numpy as np
import torch
from transformers import PreTrainedModel

from espalier.models.causal.model import CausalModel
from espalier.text import read


class BruteForce:
    """What a network says of a text with words absent: masked where they stand, or cut out."""

    def __init__(self, network: PreTrainedModel, model: CausalModel, text: str, closes_up: bool = False) -> None:
        encoding = model.encode(read(text))
        self._network = network
        self._ids = encoding.ids
        self._owners = encoding.owners
        self._closes_up = closes_up
        self.size = len(read(text).words)

    def log_probability(self, coalition: tuple[bool, ...], tokens: tuple[int, ...]) -> float:
        """Of a word in its tokens, one forward pass for each of them: a chain made by hand."""
        return sum(self._scores(coalition, tokens[:length])[token] for length, token in enumerate(tokens))

    @cache  # noqa: B019
    def _scores(self, coalition: tuple[bool, ...], more: tuple[int, ...]) -> list[float]:
        seen = [owner is None or coalition[owner] for owner in self._owners] + [True] * len(more)
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

    def log_odds(self, coalition: tuple[bool, ...], tokens: tuple[int, ...]) -> float:
        return odds(self.log_probability(coalition, tokens))

    def moved(self, coalition: tuple[bool, ...], word: int, place: int, tokens: tuple[int, ...]) -> float:
        """Log-odds with one word more, which stands in the place of another: its tokens at that one's positions, those
        that find none at the last."""
        there = [
            (at, each) for at, each in enumerate(self._ids) if self._owners[at] is None or coalition[self._owners[at]]
        ]
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
        return odds(total)

    def table(self, tokens: tuple[int, ...], against: tuple[int, ...] | None = None):
        """All values of a game, as a function from coalitions to numbers."""

        def values(coalitions: np.ndarray) -> np.ndarray:
            found = []
            for row in coalitions:
                coalition = tuple(map(bool, row))
                if against is None:
                    found.append(self.log_odds(coalition, tokens))
                else:
                    of_other = self.log_probability(coalition, against)
                    found.append(self.log_probability(coalition, tokens) - of_other)
            return np.array(found)

        return values


def odds(logarithm: float) -> float:
    """Log-odds of a probability, given its logarithm."""
    return logarithm - math.log(-math.expm1(logarithm))
