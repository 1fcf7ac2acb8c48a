"""The published procedures, call by call: every value is one forward pass of one padded sentence, never remembered.

Written from the papers' equations. HEDGE: Chen, Zheng & Ji (2020), Algorithm 1. ASIV: Lu, Ma & Zhang (2023), Eq. 14-16.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial

import numpy as np
import torch

from benchmarks.set_functions import Table
from espalier.explain.plan import FloatArray
from espalier.games.game import Game

Words = frozenset[int]
Value = Callable[[Words], FloatArray]
"""Probabilities of all classes with only these words present: one call of the model."""

Partition = tuple[Words, ...]

ASIV_PERMUTATIONS = 500
CALLS_OF_A_PERMUTATION = 4


class OneByOne:
    """Absent words are pad tokens with attention 0; the sentence keeps its full length, a batch holds one."""

    def __init__(self, game: Game) -> None:
        self._model = game.model
        self._ids = np.asarray(game.encoding.ids)
        self._tokens = [list(player.tokens) for player in game.players]
        owned = [token for tokens in self._tokens for token in tokens]
        self._special = np.ones(len(self._ids), dtype=bool)
        self._special[owned] = False
        self.calls = 0
        self.seen: set[Words] = set()

    @torch.inference_mode()
    def __call__(self, words: Words) -> FloatArray:
        self.calls += 1
        self.seen.add(words)
        present = self._special.copy()
        for word in words:
            present[self._tokens[word]] = True
        ids = torch.from_numpy(np.where(present, self._ids, self._model.pad_id)[None])
        attention = torch.from_numpy(present[None].astype(np.int64))
        logits = self._model.network(input_ids=ids, attention_mask=attention).logits
        return logits.softmax(-1)[0].double().numpy()


@dataclass(frozen=True, slots=True)
class Hedge:
    """Partitions from the whole text down to its words, and the contribution of every span on the way."""

    partitions: tuple[Partition, ...]
    contributions: dict[Words, float]


def hedge(value: Value, size: int, target: int, window: int = 2) -> Hedge:
    """Algorithm 1: divide where the interaction is weakest (Eq. 1), then weigh the two new spans (Eq. 5)."""
    partition: Partition = (frozenset(range(size)),)
    partitions = [partition]
    contributions: dict[Words, float] = {}
    while len(partition) < size:
        scored = [(_interaction(value, target, *split, window), split[0]) for split in _splits(partition)]
        divided = min(scored, key=lambda candidate: candidate[0])[1]
        for span in divided:
            if span not in partition:
                contributions[span] = _contribution(value, target, span)
        partition = divided
        partitions.append(partition)
    return Hedge(tuple(partitions), contributions)


def _splits(partition: Partition) -> Iterator[tuple[Partition, int]]:
    """Every way to divide one span in two: the new partition, and the place of the two parts in it."""
    for place, span in enumerate(partition):
        words = sorted(span)
        for point in range(1, len(words)):
            parts = (frozenset(words[:point]), frozenset(words[point:]))
            yield (*partition[:place], *parts, *partition[place + 1 :]), place


def _interaction(value: Value, target: int, partition: Partition, place: int, window: int) -> float:
    """phi of Eq. 4, with gamma of Eq. 3."""
    left, right = partition[place : place + 2]
    neighbours = partition[max(0, place - window) : place] + partition[place + 2 : place + 2 + window]
    spans = len(neighbours) + 2
    total = 0.0
    for count in range(len(neighbours) + 1):
        weight = factorial(count) * factorial(spans - count - 2) / factorial(spans - 1)
        for chosen in combinations(neighbours, count):
            context: Words = frozenset().union(*chosen)
            both, first = value(context | left | right)[target], value(context | left)[target]
            second, neither = value(context | right)[target], value(context)[target]
            total += weight * (both - first - second + neither)
    return total


def _contribution(value: Value, target: int, span: Words) -> float:
    """psi of Eq. 5: the margin over the best other class."""
    outputs = value(span)
    return float(outputs[target] - np.delete(outputs, target).max())


def asiv_calls(size: int) -> int:
    """Calls for all ordered pairs, each with its own permutations."""
    return CALLS_OF_A_PERMUTATION * ASIV_PERMUTATIONS * size * (size - 1)


def asiv_pairs(value: Value, size: int, target: int, generator: np.random.Generator) -> Iterator[float]:
    """One permutation after the other (Eq. 15), for all ordered pairs in turn: four calls for each number."""
    for given, adds in permutations(range(size), 2):
        for _ in range(ASIV_PERMUTATIONS):
            order = generator.permutation(size).tolist()
            places = order.index(given), order.index(adds)
            if places[0] > places[1]:  # only orders in which the given word comes first
                order[places[0]], order[places[1]] = adds, given
            before: Words = frozenset(order[: order.index(adds)])
            with_given = value(before | {adds})[target] - value(before)[target]
            without = before - {given}
            yield float(with_given - (value(without | {adds})[target] - value(without)[target]))


def asiv_from(table: Table, generator: np.random.Generator) -> FloatArray:
    """What the same sampling gives, looked up in the values of all coalitions: for its error, not for its time."""
    size = table.size
    found = np.zeros((size, size))
    for given, adds in permutations(range(size), 2):
        places = generator.random((ASIV_PERMUTATIONS, size)).argsort(axis=1)
        late = places[:, given] > places[:, adds]
        places[late, given], places[late, adds] = places[late, adds], places[late, given]
        before = places < places[:, adds, None]
        with_word, without, without_word = before.copy(), before.copy(), before.copy()
        with_word[:, adds] = without_word[:, adds] = True
        without[:, given] = without_word[:, given] = False
        gains = table(with_word) - table(before) - (table(without_word) - table(without))
        found[given, adds] = gains.mean()
    return found
