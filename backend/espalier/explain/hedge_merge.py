"""HEDGE from the words up: neighbours merged where they interact most (Chen, Zheng & Ji, 2020, Appendix A)."""

from typing import Literal

from espalier.explain.ladder import Ladder, LadderParameters, LadderResult, Step, halvings, most_players
from espalier.explain.neighbourhoods import Edges, Interactions, Neighbourhood, forecast, span_bits
from espalier.explain.plan import GameShape, Partial, Plan
from espalier.explain.registry import Method, register


class HedgeMergeParameters(LadderParameters):
    """Settings of bottom-up HEDGE."""


class HedgeMergeResult(LadderResult):
    """From the words up to the whole text: each step merges the two neighbours that interact most."""

    method: Literal["hedge-merge"] = "hedge-merge"


def hedge_merge(game: GameShape, parameters: HedgeMergeParameters) -> Plan[HedgeMergeResult]:
    """Merge the two neighbouring spans with the strongest interaction (Eq. 4), until the whole text is one span."""
    partition: Edges = tuple(range(game.size + 1))
    words = (0, *(span_bits(word, word + 1) for word in range(game.size)))
    foreseen = forecast(words, (mergers(level, parameters.window) for level in reversed(halvings(game.size)[1:])))
    interactions = Interactions(game, parameters.weights, foreseen)
    ladder = Ladder(interactions, parameters.longest_phrase)
    yield from interactions.learn(words)
    ladder.add(partition)
    yield Partial(ladder.result(HedgeMergeResult))
    while len(partition) > 2:
        candidates = mergers(partition, parameters.window)
        scores = yield from interactions.scores(candidates, partition_size=len(partition) - 1)
        strongest = interactions.leftmost_lowest([-score for score in scores])
        partition = tuple(edge for edge in partition if edge != candidates[strongest].point)
        ladder.add(partition, Step.at(candidates[strongest], scores[strongest]))
        yield Partial(ladder.result(HedgeMergeResult))
    return ladder.result(HedgeMergeResult)


def mergers(partition: Edges, window: int) -> list[Neighbourhood]:
    """Every pair of neighbouring spans of a partition, from left to right."""
    return [Neighbourhood.around(partition, meeting, window) for meeting in range(1, len(partition) - 1)]


register(
    Method(
        name="hedge-merge",
        title="HEDGE, bottom-up",
        shows="Which neighbouring words and phrases belong together most, joined step by step up to the whole text",
        parameters=HedgeMergeParameters,
        result=HedgeMergeResult,
        plan=hedge_merge,
        view="ladder",
        scale="margin",
        maximum_players=most_players,
    )
)
