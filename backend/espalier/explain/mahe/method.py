"""MAHE as a plan: sample around the text, fit a linear part, find interactions, add them level by level."""

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from espalier.explain.coalitions.settle import FIRST_STAGE, WORTH_WAITING, stages
from espalier.explain.mahe.levels import (
    Level,
    Linear,
    LocalData,
    Quality,
    Recipe,
    TermKind,
    add_interactions,
    fit_linear,
    nothing_left,
    validation_error,
)
from espalier.explain.mahe.nid import Interaction, detect
from espalier.explain.mahe.sample import local_sample, split
from espalier.explain.plan import GameShape, Partial, Plan, ask
from espalier.explain.reading import GroupScore, PairScore, Reading, highest, joined, read, words_of
from espalier.explain.registry import BUYS_PRECISION, FOR_EACH_PLAYER, Method, MethodResult, Parameters, register
from espalier.problems import BadParameter

SAMPLES_FOR_EACH_COEFFICIENT = 10
LEAST_FOR_EACH_COEFFICIENT = 4
"""For a first partial result: enough for a fit with a standard error."""
LONGEST_RANKING = 50


class MaheParameters(Parameters):
    """Settings of MAHE.

    `correct_all_words` departs from the paper by default. The number of absent words is drawn, so presences are
    correlated, and the frozen linear part spreads every interaction over all words; if a level may only weigh its own
    words again, the right interaction is not enough, and false ones follow that repair single words (see `levels`).
    """

    samples: Annotated[
        int,
        Field(
            ge=100,
            le=20_000,
            description="Texts with absent words to draw (the paper: 5000); repeats are free.",
            json_schema_extra=BUYS_PRECISION | {FOR_EACH_PLAYER: SAMPLES_FOR_EACH_COEFFICIENT},
        ),
    ] = 2000
    vicinity: Annotated[
        float,
        Field(gt=0, le=1, description="Largest share of the words that may be absent; also the width of the kernel."),
    ] = 1.0
    largest: Annotated[int, Field(ge=2, le=8, description="Most words in one interaction.")] = 5
    levels: Annotated[int, Field(ge=1, le=20, description="Most interactions to add.")] = 6
    terms: Annotated[
        TermKind,
        Field(description="How a term is fitted: means of its cells, or a small network as in the paper (slower)."),
    ] = "cells"
    correct_all_words: Annotated[
        bool,
        Field(description="Whether a level weighs all words again, or as in the paper only those of its interactions."),
    ] = True
    seed: Annotated[int, Field(ge=0, description="Fixes the sample, the split and the networks.")] = 0


class Record(BaseModel):
    model_config = ConfigDict(frozen=True)


class MaheTerm(Record):
    """What an interaction's words do together, beyond what they do one by one."""

    players: tuple[int, ...]
    contribution: float = Field(description="The term at the full text; it is 0 when its players are absent.")
    standard_error: float = Field(description="Of the contribution, over samples.")
    cells: tuple[float, ...] = Field(
        description="The term for each presence of its players, counted in binary: nobody first, last player fastest."
    )


class MaheLevel(Record):
    """A level of the explanation: the linear part with the interactions so far. The first level has none."""

    added: tuple[int, ...] = Field(description="Players of the interaction that is new at this level.")
    bias: float = Field(description="What this level adds to the intercept.")
    corrections: tuple[float, ...] = Field(
        description="What this level adds to each coefficient: the part of it that the terms now say."
    )
    terms: tuple[MaheTerm, ...]
    r2_train: float
    r2_held_out: float = Field(description="On coalitions that nothing was fitted or chosen on.")
    r2_standard_error: float = Field(description="Of the held-out R².")


class RankedInteraction(Record):
    players: tuple[int, ...]
    strength: float


class MaheResult(MethodResult):
    """Levels of growing detail. What a level says the model answers at the full text is the sum of the intercept, the
    coefficients, and the level's bias, corrections and contributions."""

    method: Literal["mahe"] = "mahe"
    intercept: float
    coefficients: tuple[float, ...] = Field(description="The linear part, frozen in all levels.")
    standard_errors: tuple[float, ...] = Field(description="Of the coefficients, over samples.")
    levels: tuple[MaheLevel, ...]
    ranking: tuple[RankedInteraction, ...] = Field(description="Interactions as the network ranks them (NID).")
    full: float = Field(description="The model's value of the whole text.")
    samples: int
    distinct: int = Field(description="Different coalitions among the samples.")
    held_out: int = Field(
        description="Coalitions behind the held-out R²; 0 when the sample is the whole neighbourhood."
    )

    def reading(self) -> Reading:
        """Words score by the linear part, pairs by the terms of the last level that are pairs."""
        groups = self._first_interaction()
        words = [GroupScore(players=(word,), score=score) for word, score in enumerate(self.coefficients)]
        return read(
            words_of(self.coefficients, self.standard_errors),
            exact=self.exact,
            full=self.full,
            pairs=[
                PairScore(
                    first=term.players[0], second=term.players[1], score=term.contribution, error=term.standard_error
                )
                for term in self.levels[-1].terms
                if len(term.players) == 2
            ],
            groups=groups,
            top=highest([*words, *(group for group in groups if len(group.players) > 1)]),
        )

    def _first_interaction(self) -> list[GroupScore]:
        """The first level with an interaction, its attribution merged with those of its words (section 5.2.2)."""
        if len(self.levels) < 2:
            return [GroupScore(players=(word,), score=score) for word, score in enumerate(self.coefficients)]
        level = self.levels[1]
        scores = [one + other for one, other in zip(self.coefficients, level.corrections, strict=True)]
        players = tuple(sorted(level.added))
        together = sum(term.contribution for term in level.terms if set(term.players) <= set(players))
        interaction = GroupScore(players=players, score=together + sum(scores[word] for word in players))
        return joined([GroupScore(players=(word,), score=score) for word, score in enumerate(scores)], interaction)


def mahe(game: GameShape, parameters: MaheParameters) -> Plan[MaheResult]:
    """Context-dependent explanation of MAHE (section 4.1)."""
    fewest = SAMPLES_FOR_EACH_COEFFICIENT * (game.size + 1)
    if parameters.samples < fewest:
        raise BadParameter(
            f"too few samples for {game.size} players: got {parameters.samples}, possible are {fewest} or more"
        )
    return _plan(game, parameters)


def _plan(game: GameShape, parameters: MaheParameters) -> Plan[MaheResult]:
    sample = local_sample(game.size, parameters.samples, parameters.vicinity, parameters.seed)
    values = np.empty(0)
    first = max(FIRST_STAGE, LEAST_FOR_EACH_COEFFICIENT * (game.size + 1))
    for draws in stages(parameters.samples, first) if len(sample.coalitions) >= WORTH_WAITING else [parameters.samples]:
        # The linear part is worth drawing long before the sample is complete; interactions wait for all of it.
        part = local_sample(game.size, draws, parameters.vicinity, parameters.seed)
        new = part.coalitions[len(values) :]
        if len(new):
            answers = yield from ask(new, expected=len(sample.coalitions))
            values = np.concatenate([values, answers[:, game.target]])
        data = LocalData(part, values, split(part, parameters.seed), parameters.seed)
        linear = fit_linear(data)
        result = described(data, linear, (), (), parameters, draws)
        yield Partial(result)
    if nothing_left(data, validation_error(data, linear.leftover)):
        return result
    ranking = found_in(data, linear, parameters)
    result = described(data, linear, (), ranking, parameters)
    players = [interaction.players for interaction in ranking]
    recipe = Recipe(parameters.levels, parameters.terms, parameters.correct_all_words)
    for levels in add_interactions(data, linear, players, recipe):
        result = described(data, linear, levels, ranking, parameters)
        yield Partial(result)
    return result


def found_in(data: LocalData, linear: Linear, parameters: MaheParameters) -> tuple[Interaction, ...]:
    """The interactions in what the linear part leaves, the strongest first."""
    training = data.sample.rows(data.split.training)
    return detect(
        training.coalitions.astype(np.float64),
        linear.leftover[data.split.training],
        training.weights,
        parameters.seed,
        parameters.largest,
        LONGEST_RANKING,
    )


def described(
    data: LocalData,
    linear: Linear,
    levels: tuple[Level, ...],
    ranking: tuple[Interaction, ...],
    parameters: MaheParameters,
    samples: int | None = None,
) -> MaheResult:
    """What is known so far, as a result; `samples` is how many of the parameters' are drawn."""
    size = data.sample.coalitions.shape[1]
    errors = np.sqrt(np.diag(linear.covariance)[1:])
    first = MaheLevel(added=(), bias=0.0, corrections=(0.0,) * size, terms=(), **_measured(linear.quality))
    return MaheResult(
        exact=False,
        intercept=float(linear.coefficients[0]),
        coefficients=tuple(linear.coefficients[1:].tolist()),
        standard_errors=tuple(errors.tolist()),
        levels=(first, *(_level(level, size) for level in levels)),
        ranking=tuple(
            RankedInteraction(players=interaction.players, strength=interaction.strength) for interaction in ranking
        ),
        full=float(data.values[0]),
        samples=samples or parameters.samples,
        distinct=len(data.values),
        held_out=0 if data.sample.whole else len(data.split.test),
    )


def _measured(quality: Quality) -> dict[str, float]:
    return {
        "r2_train": quality.r2_train,
        "r2_held_out": quality.r2_held_out,
        "r2_standard_error": quality.standard_error,
    }


def _level(level: Level, size: int) -> MaheLevel:
    basis = level.basis
    corrections = np.zeros(size)
    corrections[list(basis.words)] = level.coefficients[1 : 1 + len(basis.words)]
    return MaheLevel(
        added=basis.interactions[-1],
        bias=float(level.coefficients[0]),
        corrections=tuple(corrections.tolist()),
        terms=tuple(_term(level, position) for position in range(len(basis.interactions))),
        **_measured(level.quality),
    )


def _term(level: Level, position: int) -> MaheTerm:
    """At the full text all products are 1, so the term is the sum of its coefficients."""
    mine = level.basis.columns(position)
    # Rounding can leave a variance of zero just below it.
    variance = max(float(level.covariance[mine, mine].sum()), 0.0)
    return MaheTerm(
        players=level.basis.interactions[position],
        contribution=float(level.coefficients[mine].sum()),
        standard_error=math.sqrt(variance),
        cells=level.basis.cells(position, level.coefficients),
    )


register(
    Method(
        name="mahe",
        title="MAHE",
        shows="How much single words explain, then which groups of words interact, one group more at each level",
        parameters=MaheParameters,
        result=MaheResult,
        plan=mahe,
        redraws=False,
        view="interactions",
        minimum_players=2,
        # The network that finds interactions needs many samples for each word.
        maximum_players=100,
    )
)
