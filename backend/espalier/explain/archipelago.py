"""Archipelago: pairs of words that interact, merged into islands, and what each island says (Tsang et al., 2020)."""

from itertools import combinations
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from espalier.explain.plan import FloatArray, GameShape, Partial, Plan, ask
from espalier.explain.reading import GroupScore, PairScore, Reading, Scored, highest, read
from espalier.explain.registry import Method, MethodResult, Parameters, register

ROUNDING = 1e-6
"""A mixed difference below this share of the game's range is rounding of single precision, not an interaction."""


class ArchipelagoParameters(Parameters):
    """Settings of Archipelago."""

    pairs: Annotated[int, Field(ge=1, le=100, description="How many of the strongest pairs to merge into islands.")] = 3


class Pair(BaseModel):
    """Two players and how far they are from adding up."""

    model_config = ConfigDict(frozen=True)

    players: tuple[int, int]
    strength: float = Field(description="Mean of the two squared mixed differences: ArchDetect's score.")
    in_full_text: float = Field(description="v(N) - v(N-i) - v(N-j) + v(N-i-j): the mixed difference in the full text.")
    alone: float = Field(description="v(ij) - v(i) - v(j) + v(nobody): the mixed difference with all others absent.")


class Island(BaseModel):
    """Players that belong together, and what they say with all others absent."""

    model_config = ConfigDict(frozen=True)

    players: tuple[int, ...]
    contribution: float


class ArchipelagoResult(MethodResult):
    """All pairs, strongest first, and the disjoint islands that the strongest ones make."""

    method: Literal["archipelago"] = "archipelago"
    pairs: tuple[Pair, ...]
    islands: tuple[Island, ...] = Field(description="Every player is in exactly one; many are islands of their own.")
    base: float = Field(description="The model's value with all players absent.")
    full: float = Field(description="The model's value of the whole text.")

    def reading(self) -> Reading:
        """Spans are the islands that stand together; a player ranks by the island it is on, a pair scores by what it
        does in the full text."""
        islands = [GroupScore(players=tuple(sorted(i.players)), score=i.contribution) for i in self.islands]
        unbroken = [i for i in islands if i.players[-1] - i.players[0] + 1 == len(i.players)]
        return read(
            [Scored(i.players[0], i.players[-1] + 1, i.score) for i in unbroken],
            exact=self.exact,
            base=self.base,
            full=self.full,
            pairs=[
                PairScore(first=pair.players[0], second=pair.players[1], score=pair.in_full_text, error=None)
                for pair in self.pairs
            ],
            groups=islands,
            top=highest(islands),
            rank_by={player: island.score for island in islands for player in island.players},
        )


def archipelago(game: GameShape, parameters: ArchipelagoParameters) -> Plan[ArchipelagoResult]:
    """ArchDetect scores every pair in the full and in the empty text; ArchAttribute values the merged sets."""
    size = game.size
    members = list(combinations(range(size), 2))
    few = np.zeros((1 + size + len(members), size), dtype=bool)
    few[1 : 1 + size] = np.eye(size, dtype=bool)
    for row, both in enumerate(members, start=1 + size):
        few[row, both] = True
    # The complements are the same mixed differences seen from the full text.
    coalitions = np.concatenate([few, ~few])
    distinct = len(np.unique(coalitions, axis=0))
    values = (yield from ask(coalitions, expected=distinct))[:, game.target]
    alone, remaining = values[: len(few)], values[len(few) :]
    pairs = ranked(members, mixed_differences(alone, size, members), mixed_differences(remaining, size, members))
    smallest = (ROUNDING * float(np.ptp(values))) ** 2
    sets = merged([pair for pair in pairs[: parameters.pairs] if pair.strength > smallest], size)

    def result(islands: list[tuple[int, ...]], contributions: FloatArray) -> ArchipelagoResult:
        return ArchipelagoResult(
            exact=True,
            pairs=tuple(pairs),
            islands=tuple(
                Island(players=players, contribution=float(contribution))
                for players, contribution in zip(islands, contributions, strict=True)
            ),
            base=float(alone[0]),
            full=float(remaining[0]),
        )

    yield Partial(result([(word,) for word in range(size)], alone[1 : 1 + size] - alone[0]))
    islands = np.zeros((len(sets), size), dtype=bool)
    for row, players in enumerate(sets):
        islands[row, players] = True
    values = yield from ask(islands, expected=distinct + sum(2 < len(players) < size - 2 for players in sets))
    return result(sets, values[:, game.target] - alone[0])


def mixed_differences(values: FloatArray, size: int, members: list[tuple[int, int]]) -> FloatArray:
    """How far each pair is from adding up, given values of nobody, each one and each pair changed (in that order)."""
    first, second = np.array(members, dtype=np.intp).reshape(-1, 2).T
    ones, twos = values[1 : 1 + size], values[1 + size :]
    return np.asarray(twos - ones[first] - ones[second] + values[0], dtype=np.float64)


def ranked(members: list[tuple[int, int]], alone: FloatArray, in_full_text: FloatArray) -> list[Pair]:
    """Pairs by the mean of their squared mixed differences in the two contexts, strongest first."""
    strengths = (alone**2 + in_full_text**2) / 2
    return [
        Pair(
            players=members[index],
            strength=float(strengths[index]),
            in_full_text=float(in_full_text[index]),
            alone=float(alone[index]),
        )
        for index in np.argsort(-strengths, kind="stable")
    ]


def merged(pairs: list[Pair], size: int) -> list[tuple[int, ...]]:
    """Disjoint sets of players: pairs that share a player are one set. In reading order of their first players."""
    first, second = np.array([pair.players for pair in pairs], dtype=np.intp).reshape(-1, 2).T
    links = coo_array((np.ones(len(pairs)), (first, second)), shape=(size, size))
    count, labels = connected_components(links, directed=False)
    sets = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]
    return sorted(sets)


register(
    Method(
        name="archipelago",
        title="Archipelago",
        shows="Which words do more together than apart, merged into groups, and what each group says alone",
        parameters=ArchipelagoParameters,
        result=ArchipelagoResult,
        plan=archipelago,
        view="interactions",
        minimum_players=2,
        # Every pair is looked at twice: 100 players are 10,000 evaluations.
        maximum_players=100,
    )
)
