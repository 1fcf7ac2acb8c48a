"""Plans on the game of one text: the errors of MAHE's levels, and the term of words that somebody names."""

import math
from collections.abc import Generator
from dataclasses import dataclass

from espalier.explain.local_fit import rounding, variance
from espalier.explain.mahe.levels import (
    Level,
    LocalData,
    Quality,
    Recipe,
    add_interactions,
    fit_level,
    fit_linear,
    nothing_left,
    validation_error,
)
from espalier.explain.mahe.method import SAMPLES_FOR_EACH_COEFFICIENT, MaheParameters, found_in
from espalier.explain.mahe.sample import local_sample, split
from espalier.explain.mahe.terms import Basis, Players
from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape, Plan, ask
from espalier.explain.request import ExplanationRequest
from espalier.games.references import USUAL_REFERENCE, ReferenceName

CLEAR = 2.0
"""Standard errors that a term must be away from 0 to be called clear."""


@dataclass(frozen=True, slots=True)
class LevelErrors:
    """Mean squared errors on coalitions that nothing was fitted on: of the linear part, with one interaction, and at
    the last level. The latter two are None where no interaction made the fit better by enough."""

    linear: float
    one: float | None
    last: float | None
    interactions: int


@dataclass(frozen=True, eq=False)
class LocalTerm:
    """What given words do together in one text: the level that has their interaction alone."""

    players: Players
    data: LocalData
    level: Level
    contribution: float
    """The term at the full text."""
    standard_error: float

    @property
    def sign(self) -> int:
        """0 where the term is no larger than the rounding of a single-precision model."""
        return 0 if abs(self.contribution) <= 10 * math.sqrt(rounding(self.data.values)) else _sign(self.contribution)

    @property
    def clear(self) -> bool:
        return self.sign != 0 and abs(self.contribution) > CLEAR * self.standard_error

    def term(self, coalitions: BoolArray) -> FloatArray:
        """The term for each presence of words: 0 where at most one of its own is there."""
        own = self.level.basis.columns(0)
        found: FloatArray = self.level.basis.design(coalitions)[:, own] @ self.level.coefficients[own]
        return found


def local_request(text: str, model: str, reference: ReferenceName = USUAL_REFERENCE) -> ExplanationRequest:
    """The game that they are played on is that of the method `mahe`, which refuses what is too long or too short."""
    # Only whether it can be done is asked here; how many are drawn follows from the length.
    return ExplanationRequest(
        text=text, model=model, method="mahe", reference=reference, parameters={"samples": 20_000}
    )


def draws_for(words: int, draws: int) -> int:
    """Long texts get as many draws as their words need."""
    return max(draws, SAMPLES_FOR_EACH_COEFFICIENT * (words + 1))


def sampled(game: GameShape, draws: int, vicinity: float, seed: int) -> Generator[Ask, FloatArray, LocalData]:
    """The local sample of a text with its values."""
    sample = local_sample(game.size, draws_for(game.size, draws), vicinity, seed)
    values = yield from ask(sample.coalitions)
    return LocalData(sample, values[:, game.target], split(sample, seed), seed)


def local_term(game: GameShape, players: Players, draws: int, vicinity: float, seed: int) -> Plan[LocalTerm]:
    """The term of `players`, fitted with all words beside it."""
    data = yield from sampled(game, draws, vicinity, seed)
    level, _ = fit_level(data, fit_linear(data), Basis((players,), tuple(range(game.size))), "cells")
    own = level.basis.columns(0)
    spread = max(float(level.covariance[own, own].sum()), 0.0)
    return LocalTerm(players, data, level, float(level.coefficients[own].sum()), math.sqrt(spread))


def level_errors(game: GameShape, parameters: MaheParameters) -> Plan[LevelErrors]:
    """What the method `mahe` finds with the same parameters, as errors instead of R²."""
    data = yield from sampled(game, parameters.samples, parameters.vicinity, parameters.seed)
    linear = fit_linear(data)
    found: tuple[Level, ...] = ()
    if not nothing_left(data, validation_error(data, linear.leftover)):
        ranking = found_in(data, linear, parameters)
        recipe = Recipe(parameters.levels, parameters.terms, parameters.correct_all_words)
        for levels in add_interactions(data, linear, [each.players for each in ranking], recipe):
            found = levels
    return LevelErrors(
        _squared_error(data, linear.quality),
        _squared_error(data, found[0].quality) if found else None,
        _squared_error(data, found[-1].quality) if found else None,
        len(found),
    )


def _squared_error(data: LocalData, quality: Quality) -> float:
    test = data.split.test
    return (1 - quality.r2_held_out) * variance(data.values[test], data.sample.weights[test])


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
