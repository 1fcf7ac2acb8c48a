"""How strongly two adjacent spans interact, given the spans around them (HEDGE, Eq. 2-4; Chen et al., 2020).

A partition of the text is the tuple of its edges: (0, 2, 5) is the spans 0-2 and 2-5. A coalition is an integer whose
bits are the players present, so that unions are cheap and a coalition is its own key.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial
from typing import Literal

import numpy as np

from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape, ask

Weights = Literal["paper", "published-code"]
Edges = tuple[int, ...]

FEW = 64
"""Coalitions of an ask that takes more with it: a batch of fewer takes a model nearly as long."""

MOST_TOGETHER = 128
"""Coalitions of such an ask, those that it takes with it included: nobody is to wait for guesses."""


def span_bits(start: int, end: int) -> int:
    """The coalition of the players from `start` up to `end`."""
    return (1 << end) - (1 << start)


def coalition_rows(coalitions: Sequence[int], players: int) -> BoolArray:
    """bool[m, players] of coalitions given as integers."""
    width = (players + 7) // 8
    packed = np.frombuffer(b"".join(coalition.to_bytes(width, "little") for coalition in coalitions), dtype=np.uint8)
    return np.unpackbits(packed.reshape(-1, width), axis=1, count=players, bitorder="little").astype(bool)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """N_m of Eq. 4: the two spans that meet at edge number `meeting`, and up to `window` spans on either side."""

    edges: Edges
    meeting: int

    @classmethod
    def around(cls, partition: Edges, meeting: int, window: int) -> "Neighbourhood":
        """The neighbourhood of the edge number `meeting` of a partition."""
        first = max(0, meeting - 1 - window)
        return cls(partition[first : meeting + 2 + window], meeting - first)

    @property
    def size(self) -> int:
        """M of Eq. 4: how many spans there are, the pair included."""
        return len(self.edges) - 1

    @property
    def start(self) -> int:
        return self.edges[self.meeting - 1]

    @property
    def point(self) -> int:
        return self.edges[self.meeting]

    @property
    def end(self) -> int:
        return self.edges[self.meeting + 1]

    def pair(self) -> tuple[int, int]:
        """j1 and j2, as coalitions."""
        return span_bits(self.start, self.point), span_bits(self.point, self.end)

    def surroundings(self) -> list[tuple[int, int]]:
        """All S of Eq. 4, subsets of the neighbours, as (size, coalition)."""
        subsets = [(0, 0)]
        for position in range(self.size):
            if position not in (self.meeting - 1, self.meeting):
                neighbour = span_bits(self.edges[position], self.edges[position + 1])
                subsets += [(size + 1, subset | neighbour) for size, subset in subsets]
        return subsets

    def coalitions(self) -> Iterable[int]:
        """Every coalition that the interaction needs."""
        left, right = self.pair()
        for _, subset in self.surroundings():
            yield from (subset, subset | left, subset | right, subset | left | right)


def forecast(known: Iterable[int], rounds: Iterable[Iterable[Neighbourhood]]) -> list[int]:
    """How many distinct coalitions there are at the start and after scoring each round of neighbourhoods."""
    seen = set(known)
    counted: set[Neighbourhood] = set()
    counts = [len(seen)]
    for neighbourhoods in rounds:
        for neighbourhood in neighbourhoods:
            if neighbourhood not in counted:
                counted.add(neighbourhood)
                seen.update(neighbourhood.coalitions())
        counts.append(len(seen))
    return counts


@cache
def weight(size: int, spans: int) -> float:
    """The weight of one S of this size in the Shapley interaction index of a game between so many spans (Eq. 4)."""
    return factorial(size) * factorial(spans - size - 2) / factorial(spans - 1)


class Interactions:
    """Scores of Eq. 4, remembering every value it was given, so that no coalition is asked for twice.

    `forecast` is how many distinct coalitions there will be after each batch, if the text comes apart as expected: it
    keeps the progress honest, as what must be asked depends on the splits that the answers lead to.
    """

    def __init__(self, game: GameShape, weights: Weights, forecast: Sequence[int]) -> None:
        self._game = game
        self._weights = weights
        self._to_come = [forecast[-1] - count for count in forecast]
        self._values: dict[int, float] = {}
        self._largest = 0.0
        # What was asked for ahead and is not needed yet, or never will be.
        self._ahead: set[int] = set()
        # Second differences (Eq. 3) summed by the size of S: the published code's weights change with the partition,
        # these do not.
        self._differences: dict[Neighbourhood, list[float]] = {}

    def value(self, start: int, end: int) -> float:
        """The model's output for one span alone; start = end is the empty text."""
        return self._values[span_bits(start, end)]

    @property
    def values(self) -> Mapping[int, float]:
        """All that is known, by coalition."""
        return self._values

    @property
    def largest(self) -> float:
        """The largest value that is known, in either direction."""
        return self._largest

    def learn(
        self, coalitions: Iterable[int], to_come: int | None = None, ahead: Callable[[], Iterable[int]] | None = None
    ) -> Generator[Ask, FloatArray, None]:
        """Ask for the values that are not known yet, all in one batch, each once. `to_come` is how many more there
        will be after that, where it is not as foreseen. Those `ahead` are only asked for in the company of a few."""
        if to_come is None:
            to_come = self._to_come.pop(0)
        coalitions = list(coalitions)
        self._ahead.difference_update(coalitions)
        unknown = self._unknown(coalitions)
        if not unknown:
            return
        needed = len(unknown)
        if ahead is not None and needed <= FEW:
            unknown = self._unknown((*unknown, *ahead()))[:MOST_TOGETHER]
            self._ahead.update(unknown[needed:])
        expected = len(self._values) + len(unknown) + max(0, to_come - len(self._ahead))
        answers = yield from ask(coalition_rows(unknown, self._game.size), expected, needed)
        values: list[float] = answers[:, self._game.target].tolist()
        # Those ahead may be left out.
        self._values.update(zip(unknown, values, strict=False))
        self._largest = max(self._largest, *map(abs, values))

    def _unknown(self, coalitions: Iterable[int]) -> list[int]:
        return [coalition for coalition in dict.fromkeys(coalitions) if coalition not in self._values]

    def scores(
        self,
        neighbourhoods: Sequence[Neighbourhood],
        partition_size: int,
        ahead: Callable[[], Iterable[Neighbourhood]] | None = None,
    ) -> Generator[Ask, FloatArray, list[float]]:
        """The interaction of every pair, where the partition that has both its spans has `partition_size` of them.
        `ahead` are pairs that will probably be scored next."""
        yield from self.learn(
            self._needed(neighbourhoods), ahead=None if ahead is None else lambda: self._needed(ahead())
        )
        return self.known_scores(neighbourhoods, partition_size)

    def _needed(self, neighbourhoods: Iterable[Neighbourhood]) -> Iterator[int]:
        for neighbourhood in neighbourhoods:
            if neighbourhood not in self._differences:
                yield from neighbourhood.coalitions()

    def knows(self, neighbourhood: Neighbourhood) -> bool:
        """Whether a pair can be scored without asking."""
        return neighbourhood in self._differences or not self._unknown(neighbourhood.coalitions())

    def known_scores(self, neighbourhoods: Sequence[Neighbourhood], partition_size: int) -> list[float]:
        """The same for pairs of which every value is known."""
        for neighbourhood in neighbourhoods:
            if neighbourhood not in self._differences:
                self._differences[neighbourhood] = self._second_differences(neighbourhood)
        return [self._score(neighbourhood, partition_size) for neighbourhood in neighbourhoods]

    def leftmost_lowest(self, scores: Sequence[float]) -> int:
        """Where the lowest score is; of equal ones the leftmost. Equal is what sums of these values can't tell apart
        for rounding: a linear game has nothing but ties, and no two of its scores come out as the same float."""
        bound = min(scores) + 1e-12 * self._largest
        return next(position for position, score in enumerate(scores) if score <= bound)

    def _second_differences(self, neighbourhood: Neighbourhood) -> list[float]:
        """gamma(j1, j2, S) of Eq. 3, summed over the S of each size."""
        left, right = neighbourhood.pair()
        values = self._values
        sums = [0.0] * (neighbourhood.size - 1)
        for size, subset in neighbourhood.surroundings():
            sums[size] += (
                values[subset | left | right] - values[subset | left] - values[subset | right] + values[subset]
            )
        return sums

    def terms(self, neighbourhood: Neighbourhood, partition_size: int) -> dict[int, float]:
        """A score as a weighted sum of values, by coalition."""
        left, right = neighbourhood.pair()
        found: dict[int, float] = {}
        for size, subset in neighbourhood.surroundings():
            share = self._weight(size, neighbourhood.size, partition_size)
            found |= {subset: share, subset | left: -share, subset | right: -share, subset | left | right: share}
        return found

    def _score(self, neighbourhood: Neighbourhood, partition_size: int) -> float:
        """phi of Eq. 4. The published code puts the whole partition in the place of M, and halves the sum: there a pair
        near the ends of the text, with fewer neighbours, has less total weight than one inside."""
        differences = self._differences[neighbourhood]
        return sum(
            self._weight(size, neighbourhood.size, partition_size) * sums for size, sums in enumerate(differences)
        )

    def _weight(self, size: int, spans: int, partition_size: int) -> float:
        return weight(size, spans) if self._weights == "paper" else weight(size, partition_size) / 2
