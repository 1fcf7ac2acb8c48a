"""HEDGE: a text taken apart where its spans interact least (Chen, Zheng & Ji, 2020, Algorithm 1).

The paper has two outputs: interactions (Eq. 3) are of the class's probability, contributions (Eq. 5) are margins over
the best other class. Here both are on the scale of the game, so that a split is measured in what is drawn. The usual
scale is the margin: contributions are Eq. 5 for any number of classes, and with two classes, where the margin is
2 p - 1, the splits are those of Eq. 3 (its numbers are doubled). With more classes the splits can differ, as the best
other class may change from one coalition to the next; scale = probability gives the splits of Eq. 3 there.
"""

from itertools import pairwise
from typing import Literal

from espalier.explain.ladder import Ladder, LadderParameters, LadderResult, Step, halvings, most_players
from espalier.explain.neighbourhoods import Edges, Interactions, Neighbourhood, forecast, span_bits
from espalier.explain.plan import GameShape, Partial, Plan
from espalier.explain.registry import Method, register


class HedgeParameters(LadderParameters):
    """Settings of top-down HEDGE."""


class HedgeResult(LadderResult):
    """From the whole text down to its words: each step divides a span where its two parts interact least."""

    method: Literal["hedge"] = "hedge"


def hedge(game: GameShape, parameters: HedgeParameters) -> Plan[HedgeResult]:
    """Divide at the point where the two parts of a span interact least (Eq. 1), until only words are left.

    All candidates of a level are asked for in one batch. Every level is a partial result.
    """
    whole = (0, span_bits(0, game.size))
    foreseen = forecast(whole, (divisions(level, parameters.window) for level in halvings(game.size)[:-1]))
    interactions = Interactions(game, parameters.weights, foreseen)
    ladder = Ladder(interactions, parameters.longest_phrase)
    partition: Edges = (0, game.size)
    yield from interactions.learn(whole)
    ladder.add(partition)
    yield Partial(ladder.result(HedgeResult))
    while len(partition) <= game.size:
        candidates = divisions(partition, parameters.window)
        scores = yield from interactions.scores(candidates, partition_size=len(partition))
        weakest = interactions.leftmost_lowest(scores)
        partition = tuple(sorted((*partition, candidates[weakest].point)))
        ladder.add(partition, Step.at(candidates[weakest], scores[weakest]))
        yield Partial(ladder.result(HedgeResult))
    return ladder.result(HedgeResult)


def divisions(partition: Edges, window: int) -> list[Neighbourhood]:
    """Every way to divide one span of a partition in two, from left to right."""
    return [
        Neighbourhood.around((*partition[: position + 1], point, *partition[position + 1 :]), position + 1, window)
        for position, (start, end) in enumerate(pairwise(partition))
        for point in range(start + 1, end)
    ]


register(
    Method(
        name="hedge",
        title="HEDGE",
        shows="Where the text comes apart most easily, cut by cut, and how much each piece alone speaks for the class",
        parameters=HedgeParameters,
        result=HedgeResult,
        plan=hedge,
        view="ladder",
        scale="margin",
        maximum_players=most_players,
    )
)
