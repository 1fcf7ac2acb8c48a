"""HEDGE: a text taken apart where its spans interact least (Chen, Zheng & Ji, 2020, Algorithm 1).

The paper has two outputs: interactions (Eq. 3) are of the class's probability, contributions (Eq. 5) are margins over
the best other class. Here both are on the scale of the game, so that a split is measured in what is drawn. The usual
scale is the margin: contributions are Eq. 5 for any number of classes, and with two classes, where the margin is
2 p - 1, the splits are those of Eq. 3 (its numbers are doubled). With more classes the splits can differ, as the best
other class may change from one coalition to the next; scale = probability gives the splits of Eq. 3 there.
"""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Literal

from pydantic import Field

from espalier.explain.ladder import Ladder, LadderParameters, LadderResult, Step, halvings, most_players
from espalier.explain.neighbourhoods import Edges, Interactions, Neighbourhood, forecast, span_bits
from espalier.explain.plan import GameShape, Partial, Plan
from espalier.explain.racing.race import Race
from espalier.explain.registry import LONG_SENTENCES, Method, register

Form = Literal["exact", "economical"]
MOST_RACING = 80
"""Players of an economical ladder: with more its own work takes longer than it saves."""

AHEAD = 3
"""Cuts that are looked ahead, where an ask is small. On twelve sentences of SST of 15 to 30 words and the shipped CNN a
ladder takes 12 % fewer asks, and has 0.8 % more coalitions than it needed."""

LONG = 40
"""Words up to which the page asks for the exact form: at 45 to 60 that takes 4,500 to 15,600 evaluations."""


class HedgeParameters(LadderParameters):
    """Settings of top-down HEDGE."""

    form: Form = Field(
        default="exact",
        description="Exact scores every cut of every level in full. Economical forecasts scores and asks only for what "
        "can still change which cut is the weakest: it is for long sentences, and says how sure each cut is.",
        json_schema_extra={LONG_SENTENCES: {"value": "economical", "more_than": LONG, "up_to": MOST_RACING}},
    )
    certainty: float = Field(
        default=0.95,
        gt=0,
        le=1,
        description="Of the economical form: how sure it must be before a cut is made that no other one was to be made "
        "first. Cuts of other spans count little: they come next. Lower asks for less; 1 scores everything in full.",
    )


class HedgeResult(LadderResult):
    """From the whole text down to its words: each step divides a span where its two parts interact least."""

    method: Literal["hedge"] = "hedge"
    form: Form = Field(default="exact", description="Whether every cut was scored in full, or only as far as it took")

    @property
    def certainty(self) -> float:
        """How sure its cuts are on average: about as many of them are those that scoring all in full would make."""
        sure = [level.step.certainty for level in self.levels if level.step is not None]
        return sum(sure) / len(sure) if sure else 1.0


def hedge(game: GameShape, parameters: HedgeParameters) -> Plan[HedgeResult]:
    """Divide at the point where the two parts of a span interact least (Eq. 1), until only words are left.

    In the exact form all candidates of a level are asked for in one batch, a small one with those of likely levels
    after it; in the economical one they race. Every level is a partial result.
    """
    whole = (0, span_bits(0, game.size))
    foreseen = forecast(whole, (divisions(level, parameters.window) for level in halvings(game.size)[:-1]))
    interactions = Interactions(game, parameters.weights, foreseen)
    ladder = Ladder(interactions, parameters.longest_phrase)
    race = Race(interactions, game.size, parameters.certainty) if parameters.form == "economical" else None
    partition: Edges = (0, game.size)
    yield from interactions.learn(whole)
    ladder.add(partition)
    yield Partial(ladder.result(HedgeResult, form=parameters.form))
    while len(partition) <= game.size:
        candidates = divisions(partition, parameters.window)
        if race is not None:
            step = yield from race.weakest(candidates, partition_size=len(partition))
        else:
            likely = partial(_likely_next, interactions, partition, parameters.window)
            scores = yield from interactions.scores(candidates, partition_size=len(partition), ahead=likely)
            weakest = interactions.leftmost_lowest(scores)
            step = Step.at(candidates[weakest], scores[weakest])
        partition = tuple(sorted((*partition, step.point)))
        ladder.add(partition, step)
        yield Partial(ladder.result(HedgeResult, form=parameters.form))
    return ladder.result(HedgeResult, form=parameters.form)


def _likely_next(interactions: Interactions, partition: Edges, window: int) -> Iterator[Neighbourhood]:
    """What will be scored if the next cuts are the weakest of those that can be scored already: a cut mostly changes
    nothing for spans far from it, so that asks of a few coalitions go together. Whether it comes to that or not, a cut
    is made by scores in full."""
    for _ in range(AHEAD):
        known = [each for each in divisions(partition, window) if interactions.knows(each)]
        if not known:
            return
        weakest = interactions.leftmost_lowest(interactions.known_scores(known, len(partition)))
        partition = tuple(sorted((*partition, known[weakest].point)))
        yield from divisions(partition, window)


def divisions(partition: Edges, window: int) -> list[Neighbourhood]:
    """Every way to divide one span of a partition in two, from left to right."""
    return [
        Neighbourhood.around((*partition[: position + 1], point, *partition[position + 1 :]), position + 1, window)
        for position, (start, end) in enumerate(pairwise(partition))
        for point in range(start + 1, end)
    ]


def most_hedged(parameters: HedgeParameters) -> int:
    """Players that there may be."""
    return min(most_players(parameters), MOST_RACING if parameters.form == "economical" else 400)


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
        maximum_players=most_hedged,
    )
)
