"""A race between the cuts of a level: the weakest is found by evaluating only what can still change the order.

The score of a cut (HEDGE, Eq. 4) is a sum of up to 64 values of the game. Those that are known count as they are; the
others are forecast, with an error. So each cut has an expected score, and any two have a chance that the one is below
the other. Asked for are the values that tell most about the leader and the cuts that may be below it, a few at a time.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from espalier.explain.ladder import Step
from espalier.explain.neighbourhoods import Interactions, Neighbourhood
from espalier.explain.plan import Ask, FloatArray
from espalier.explain.racing.forecast import Forecast
from espalier.explain.racing.prior import Prior
from espalier.explain.racing.sums import Spread, Sum, telling

BATCH = 8
"""Values that are asked for at a time. With 16, a sixth more were asked for: a cut is often sure after fewer."""

FIRST_GUESS = 4 * BATCH
"""Coalitions that a level asks for, as long as none has."""

RIVALS = 6
"""Cuts beside the leader that the next values are chosen for."""

FREEDOM = 5
INFLATION = 1.4
"""Surprises of a real model have heavier tails than a normal distribution, and forecasts of sums of many values are
further off than those of single ones: chances are taken from a t distribution of as many degrees of freedom, with a
standard error of so many times the forecast's. Found on the sentences of `benchmarks/ladder.py` with two models, and
held against others (docs/ladders.md)."""

TOUCHING = 0.2
APART = 0.1
"""What is at stake where two cuts divide two spans: neighbours of each other, or not. Most cuts that are made too early
lead to no other ladder. 0.1 for both, 0.15 for both, or 0.3 and 0.05 do about as well."""

CHOSEN = 1.5
"""Who leads is lower than others partly by what the forecast is off: the standard error that is told of the leader's
score is larger by this."""

HAIR = 1e-6
"""Of the largest value: what a model computes in single precision is not known better, so that a cut which is weaker by
less than that is as good."""

MOST_VALUES = 6000
"""Beyond as many, where cuts are nearly alike, forecasts would take longer than the model: the leader is taken as it
stands, with the certainty that it has."""

LEAST_CHANCE = 1e-3
"""Of the likeliest rival's: whoever has less is no rival for now."""

ROUNDING = 1e-10
"""Of the largest prior variance of a score: differences are not known better than that."""

LEAST = 1e-100


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Where a race is: who leads, with which score and standard error, how far every cut's difference to it is known,
    every cut's chance to be below it, and what is at stake with each."""

    leader: int
    score: float
    error: float
    variances: FloatArray
    chances: FloatArray
    stakes: FloatArray

    @property
    def certainty(self) -> float:
        """How surely the leader is the weakest."""
        return float(np.prod(1 - self.chances))

    @property
    def safety(self) -> float:
        """The same, each rival counting for what is at stake with it."""
        return float(np.prod(1 - self.stakes * self.chances))


def at_stake(leader: Neighbourhood, rival: Neighbourhood) -> float:
    """How much of the ladder is lost if the leader is cut first and the rival is the weaker.

    Of one span there are two halves that the exact ladder does not have. Of two spans both are cut in the end: only
    what they change about each other's score, and about those between them, can lead elsewhere.
    """
    if (leader.start, leader.end) == (rival.start, rival.end):
        return 1.0
    touching = rival.edges[0] < leader.end and leader.start < rival.edges[-1]
    return TOUCHING if touching else APART


class Race:
    """Finds the weakest cut, level after level. What was learnt at one is known at the next."""

    def __init__(self, interactions: Interactions, players: int, certainty: float) -> None:
        self._interactions = interactions
        self._players = players
        self._certainty = certainty
        self._forecast: Forecast | None = None
        self._refit_at = 0
        self._at_first = 0

    def weakest(self, candidates: Sequence[Neighbourhood], partition_size: int) -> Generator[Ask, FloatArray, Step]:
        """The cut that is the weakest as surely as was asked for. What its two sides say alone is known then."""
        terms = [self._interactions.terms(candidate, partition_size) for candidate in candidates]
        if self._forecast is None:
            yield from self._interactions.scores(candidates, partition_size)
            self._forecast = self._first_forecast()
        forecast = self._prepared(self._forecast, (coalition for each in terms for coalition in each))
        spread: Spread | None = None
        slopes = forecast.slopes
        while True:
            sums = [self._sum(forecast, each, slopes) for each in terms]
            if not any(len(each.places) for each in sums):
                scores = self._interactions.known_scores(candidates, partition_size)
                leader = self._interactions.leftmost_lowest(scores)
                return Step.at(candidates[leader], scores[leader])
            spread = spread or Spread(forecast, sums)
            standing = self._standing(forecast, candidates, sums, spread)
            if self._certainty < 1 and (standing.safety >= self._certainty or len(forecast) >= MOST_VALUES):
                break
            yield from self._learn(forecast, self._next(forecast, sums, standing), partition_size)
        winner = candidates[standing.leader]
        yield from self._learn(forecast, winner.pair(), partition_size)
        if not len(sums[standing.leader].places):
            (score,) = self._interactions.known_scores([winner], partition_size)
            return Step.at(winner, score, standing.certainty)
        return Step.at(winner, standing.score, standing.certainty, standing.error)

    def _first_forecast(self) -> Forecast:
        """From the values of all beginnings and all ends of the text. A word is as important as they change by it."""
        value, players = self._interactions.value, self._players
        beginnings = np.diff([value(0, end) for end in range(players + 1)])
        ends = np.diff([value(start, players) for start in range(players)] + [value(0, 0)])
        forecast = Forecast(Prior(importance=np.sqrt((beginnings**2 + ends**2) / 2)))
        known = self._interactions.values
        forecast.learn(list(known), list(known.values()))
        self._at_first = len(known)
        return forecast

    def _prepared(self, forecast: Forecast, coalitions: Iterable[int]) -> Forecast:
        """For the unknown ones of these; its prior is fitted anew each time that twice as much is known."""
        if len(forecast) >= self._refit_at or forecast.out_of_range:
            forecast.refit()
            self._refit_at = 2 * len(forecast)
        known = self._interactions.values
        forecast.watch(coalition for coalition in coalitions if coalition not in known)
        return forecast

    def _standing(
        self, forecast: Forecast, candidates: Sequence[Neighbourhood], sums: Sequence[Sum], spread: Spread
    ) -> Standing:
        forecasts = forecast.forecasts
        scores = np.array([each.mean(forecasts) for each in sums])
        leader = self._interactions.leftmost_lowest(scores.tolist())
        variances = np.maximum(spread.differences(leader), max(ROUNDING * spread.prior.max(), LEAST))
        # Rounding can make what is nearly known look known; who has a value left to learn keeps a chance.
        unsure = np.array([len(each.places) + len(sums[leader].places) > 0 for each in sums])
        error = INFLATION * np.sqrt(forecast.scale)
        errors = np.maximum(error * np.sqrt(variances), LEAST)
        gaps = scores[leader] - scores - HAIR * self._interactions.largest
        chances = np.maximum(stdtr(FREEDOM, gaps / errors), LEAST)
        chances = np.where(unsure & (np.arange(len(sums)) != leader), chances, 0.0)
        own = float(CHOSEN * error * np.sqrt(spread.variances()[leader]))
        stakes = np.array([at_stake(candidates[leader], each) for each in candidates])
        return Standing(leader, float(scores[leader]), own, variances, chances, stakes)

    def _next(self, forecast: Forecast, sums: Sequence[Sum], standing: Standing) -> list[int]:
        """The values that tell most about the leader and its likeliest rivals."""
        chances = standing.stakes * standing.chances
        likeliest = np.argsort(-chances, kind="stable")[:RIVALS]
        rivals = [each for each in likeliest if chances[each] >= max(LEAST_CHANCE * chances.max(), LEAST)]
        weights = chances[rivals] / standing.variances[rivals]
        places = telling(forecast, sums[standing.leader], [sums[each] for each in rivals], weights, BATCH)
        coalitions = list(forecast.places)
        return [coalitions[place] for place in places]

    def _learn(
        self, forecast: Forecast, coalitions: Iterable[int], partition_size: int
    ) -> Generator[Ask, FloatArray, None]:
        known = self._interactions.values
        new = [coalition for coalition in coalitions if coalition not in known]
        if new:
            yield from self._interactions.learn(new, self._to_come(partition_size))
            forecast.learn(new, [known[coalition] for coalition in new])

    def _to_come(self, partition_size: int) -> int:
        """How many coalitions later levels will ask for, if they need as many as those before them."""
        levels = partition_size - 2
        each = (len(self._interactions.values) - self._at_first) / levels if levels else FIRST_GUESS
        return round(each * (self._players - partition_size))

    def _sum(self, forecast: Forecast, terms: dict[int, float], slopes: FloatArray) -> Sum:
        """A score, as what is known of it and the rest."""
        known = self._interactions.values
        unknown = {forecast.places[each]: weight for each, weight in terms.items() if each not in known}
        places, weights = np.array(list(unknown), dtype=np.int64), np.array(list(unknown.values()))
        return Sum(
            known=sum(weight * known[each] for each, weight in terms.items() if each in known),
            places=places,
            weights=weights,
            moves=weights * slopes[places],
        )
