"""Levels of an explanation: the linear part, then one interaction more at each level (MAHE, Eq. 3).

The linear part is fitted once and stays as it is; a level is fitted to what it leaves over. In the paper only words of
the interactions are weighed again there. But the sample draws how many words are absent, so presences are correlated,
and the linear fit spreads a part of every interaction over words that have nothing to do with it: on a game of one pair
among eight words, the paper's level with the right pair ends at R² 0.995, and spurious triples follow that only repair
single words. So by default a level corrects all words; then the right interactions give R² 1 and their true size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from espalier.explain.local_fit import least_squares, r_squared, rounding, sampling_covariance, variance
from espalier.explain.mahe.sample import LocalSample, Split
from espalier.explain.mahe.terms import Basis, Players, fit_cells
from espalier.explain.plan import FloatArray

TermKind = Literal["cells", "network"]

LEAST_GAIN = 0.1
PATIENCE = 2
"""A level must take a tenth off the best validation error; two in a row that do not are the end (section 5.1)."""

NOTHING_LEFT = 1e-3
"""Share of the variance below which what is left over is not worth a level."""

RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class LocalData:
    """The local sample with the model's values, and which rows are fitted, validated and tested on."""

    sample: LocalSample
    values: FloatArray
    split: Split
    seed: int


@dataclass(frozen=True, slots=True)
class Quality:
    """R² where the level was fitted and where it was not, and the standard error of the latter."""

    r2_train: float
    r2_held_out: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class Linear:
    """The first level: intercept and word coefficients, fitted once and frozen."""

    coefficients: FloatArray
    covariance: FloatArray
    leftover: FloatArray
    quality: Quality


@dataclass(frozen=True, slots=True)
class Level:
    """The terms of all interactions so far, refitted together; the last one is new."""

    basis: Basis
    coefficients: FloatArray
    covariance: FloatArray
    quality: Quality


def fit_linear(data: LocalData) -> Linear:
    """Weighted least squares of the values on the presence of each word (Eq. 1)."""
    design = np.column_stack([np.ones(len(data.values)), data.sample.coalitions])
    rows, training = data.split.training, data.sample.rows(data.split.training)
    coefficients = least_squares(design[rows], data.values[rows], training.weights)
    leftover = data.values - design @ coefficients
    return Linear(
        coefficients,
        covariance(data, design, leftover),
        leftover,
        quality(data, leftover),
    )


@dataclass(frozen=True, slots=True)
class Recipe:
    """How levels are made: how many, how terms are fitted, and whether all words are weighed again beside them."""

    most: int
    terms: TermKind
    correct_all_words: bool

    def basis(self, interactions: tuple[Players, ...], size: int) -> Basis:
        words = (
            range(size) if self.correct_all_words else sorted({word for players in interactions for word in players})
        )
        return Basis(interactions, tuple(words))


def add_interactions(
    data: LocalData, linear: Linear, ranking: Sequence[Players], recipe: Recipe
) -> Iterator[tuple[Level, ...]]:
    """Add interactions in the order of their rank, yielding the levels whenever the fit became better by enough.

    A level that gains too little is only kept if the next one makes up for it.
    """
    best = validation_error(data, linear.leftover)
    levels: tuple[Level, ...] = ()
    without_gain = 0
    for count in range(1, min(recipe.most, len(ranking)) + 1):
        if without_gain == PATIENCE or nothing_left(data, best):
            return
        basis = recipe.basis(tuple(ranking[:count]), data.sample.coalitions.shape[1])
        level, leftover = fit_level(data, linear, basis, recipe.terms)
        levels += (level,)
        error = validation_error(data, leftover)
        if error <= (1 - LEAST_GAIN) * best:
            best, without_gain = error, 0
            yield levels
        else:
            without_gain += 1


def fit_level(data: LocalData, linear: Linear, basis: Basis, terms: TermKind) -> tuple[Level, FloatArray]:
    """All terms fitted together to what the linear part leaves over, and what they leave in turn."""
    rows, training = data.split.training, data.sample.rows(data.split.training)
    if terms == "cells":
        coefficients = fit_cells(basis, training.coalitions, linear.leftover[rows], training.weights)
    else:
        from espalier.explain.mahe.networks import fit_networks  # torch: seconds to import

        coefficients = fit_networks(basis, training.coalitions, linear.leftover[rows], training.weights, data.seed)
    design = basis.design(data.sample.coalitions)
    leftover = linear.leftover - design @ coefficients
    level = Level(basis, coefficients, covariance(data, design, leftover), quality(data, leftover))
    return level, leftover


def covariance(data: LocalData, design: FloatArray, leftover: FloatArray) -> FloatArray:
    """How far coefficients move from sample to sample: not at all when the sample is the whole neighbourhood."""
    if data.sample.whole:
        return np.zeros((design.shape[1], design.shape[1]))
    rows, training = data.split.training, data.sample.rows(data.split.training)
    left_out = 1 - len(rows) / len(data.values)
    return sampling_covariance(design[rows], leftover[rows], training.counts, training.kernel, left_out)


def validation_error(data: LocalData, leftover: FloatArray) -> float:
    rows = data.split.validation
    return float(np.average(leftover[rows] ** 2, weights=data.sample.weights[rows]))


def nothing_left(data: LocalData, error: float) -> bool:
    """Whether an error is too small, for values that spread as these do, to look for more."""
    return error <= max(NOTHING_LEFT * variance(data.values, data.sample.weights), rounding(data.values))


def quality(data: LocalData, leftover: FloatArray) -> Quality:
    weights, training, test = data.sample.weights, data.split.training, data.split.test
    return Quality(
        r_squared(data.values[training], leftover[training], weights[training]),
        r_squared(data.values[test], leftover[test], weights[test]),
        0.0 if data.sample.whole else r2_error(data.values[test], leftover[test], weights[test], data.seed),
    )


def r2_error(values: FloatArray, leftover: FloatArray, weights: FloatArray, seed: int) -> float:
    """Standard error of R² by resampling the held-out coalitions."""
    generator = np.random.default_rng(seed)
    rows = len(values)
    copies = generator.multinomial(rows, np.full(rows, 1 / rows), size=RESAMPLES)
    shares = copies * weights
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    centred = values - values.mean()
    left, spread = shares @ leftover**2, shares @ centred**2 - (shares @ centred) ** 2
    # As in `r_squared`: what varies by rounding alone is fitted or it is not.
    least = rounding(values)
    resampled = np.where(spread > least, 1 - left / np.maximum(spread, least), left <= least)
    return float(np.std(resampled, ddof=1))
