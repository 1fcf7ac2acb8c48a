"""How well is a known interaction fitted? MAHE's Figure 3a, on functions and on models that have learnt them.

The inputs that interact are told. Around a point, a linear part is fitted and frozen, and what it leaves over is learnt
by a small network of these inputs alone (30-10 units, as in the paper): the interaction. It is held against the true
one at 1,000 places drawn evenly in the vicinity.

A linear part takes all that is linear of an interaction around the point, and a constant is the bias's; so both, the
truth and what is said of it, count without their best affine fits at those places. Errors are through the truth's
variance: 1 is what an explanation without interactions has, 0 is the truth.
"""

from collections.abc import Callable
from itertools import combinations

import numpy as np
from pydantic import BaseModel, Field

from espalier.explain.local_fit import least_squares
from espalier.explain.plan import FloatArray
from espalier.lab.interactions.base_models import BASES, Base, Values, learnt
from espalier.lab.interactions.surfaces import surfaces
from espalier.lab.interactions.synthetic import FUNCTIONS, INPUTS, SPREAD, Function, vicinity
from espalier.statistics.documents import MeanInterval
from espalier.statistics.means import mean_intervals

PLACES = 1000
POINTS, TRIALS, DRAWS = 20, 10, 1000
"""The paper's: points of a trial, trials with newly trained models, inputs drawn around a point."""


class Errors(BaseModel):
    """Standardised squared errors at one point."""

    mahe: float
    products: float
    known: float


class FittedFunction(BaseModel):
    """One function as one kind of model has it: errors through the truth's variance, means over points."""

    function: str
    formula: str
    base: Base
    mahe: MeanInterval = Field(description="MAHE's interaction network beside its linear part.")
    products: MeanInterval = Field(description="Products of the inputs instead of a network.")
    known: MeanInterval = Field(description="What the model itself says beyond its affine fit: nobody explains more.")
    errors: list[Errors]


class SyntheticFit(BaseModel):
    """Figure 3a: settings and what came out."""

    points: int
    trials: int
    draws: int
    seed: int
    fitted: list[FittedFunction]


def synthetic_fit(
    points: int = POINTS,
    trials: int = TRIALS,
    draws: int = DRAWS,
    seed: int = 0,
    bases: tuple[Base, ...] = BASES,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> SyntheticFit:
    """All four functions on all kinds of models; every trial has newly trained ones and points of its own."""
    fitted: list[FittedFunction] = []
    done, total = 0, len(FUNCTIONS) * len(bases) * trials
    for number, function in enumerate(FUNCTIONS):
        for base in bases:
            errors: list[Errors] = []
            for trial in range(trials):
                generator = np.random.default_rng([seed, number, trial])
                trained = learnt(base, function, 1000 * seed + trial)
                errors += errors_of(function, trained, points, draws, generator)
                advance(done := done + 1, total)
            fitted.append(_summary(function, base, errors, seed))
    return SyntheticFit(points=points, trials=trials, draws=draws, seed=seed, fitted=fitted)


def errors_of(
    function: Function, model: Values, points: int, draws: int, generator: np.random.Generator
) -> list[Errors]:
    """At so many points of [-1, 1]^10: their networks are trained together."""
    own = list(function.interacting)
    centres = generator.uniform(-1, 1, (points, INPUTS))
    inputs = [vicinity(draws, generator) for _ in centres]
    places = [ball(PLACES, generator) for _ in centres]
    values = [model(centre + each) for centre, each in zip(centres, inputs, strict=True)]
    leftovers = [without_affine(each, value) for each, value in zip(inputs, values, strict=True)]
    predicted = surfaces(
        np.array([each[:, own] / SPREAD for each in inputs]),
        np.array(leftovers),
        np.array([each[:, own] / SPREAD for each in places]),
        int(generator.integers(2**32)),
    )
    found: list[Errors] = []
    for index, (centre, place) in enumerate(zip(centres, places, strict=True)):
        truth = interaction_of(function, centre, place)
        by_products = products(inputs[index][:, own], place[:, own], inputs[index], values[index])
        found.append(
            Errors(
                mahe=standardised_error(place, predicted[index], truth),
                products=standardised_error(place, by_products, truth),
                known=standardised_error(place, model(centre + place), truth),
            )
        )
    return found


def interaction_of(function: Function, centre: FloatArray, places: FloatArray) -> FloatArray:
    """What the interacting inputs say together around a point, without its best affine fit. The others add up, so that
    the whole function has the same."""
    return without_affine(places, function.value(centre + places))


def without_affine(inputs: FloatArray, values: FloatArray) -> FloatArray:
    design = np.column_stack([np.ones(len(inputs)), inputs])
    left: FloatArray = values - design @ least_squares(design, values, np.ones(len(inputs)))
    return left


def products(own: FloatArray, asked: FloatArray, inputs: FloatArray, values: FloatArray) -> FloatArray:
    """The part of a least-squares fit that multiplies interacting inputs, beside all inputs alone."""
    design = np.column_stack([np.ones(len(inputs)), inputs, *_multiplied(own)])
    coefficients = least_squares(design, values, np.ones(len(inputs)))
    found: FloatArray = np.column_stack(_multiplied(asked)) @ coefficients[1 + inputs.shape[1] :]
    return found


def _multiplied(inputs: FloatArray) -> list[FloatArray]:
    columns = range(inputs.shape[1])
    sizes = range(2, inputs.shape[1] + 1)
    return [inputs[:, list(group)].prod(axis=1) for size in sizes for group in combinations(columns, size)]


def standardised_error(places: FloatArray, predicted: FloatArray, truth: FloatArray) -> float:
    """Mean squared error through the truth's variance, of what is no affine part."""
    gap = without_affine(places, predicted) - truth
    return float((gap**2).mean() / truth.var())


def ball(count: int, generator: np.random.Generator) -> FloatArray:
    """Places drawn evenly within the vicinity, around 0."""
    directions = generator.normal(size=(count, INPUTS))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    found: FloatArray = SPREAD * directions * generator.uniform(size=(count, 1)) ** (1 / INPUTS)
    return found


def _summary(function: Function, base: Base, errors: list[Errors], seed: int) -> FittedFunction:
    values = np.array([[each.mahe, each.products, each.known] for each in errors])
    mahe, by_products, known = mean_intervals(values, seed)
    return FittedFunction(
        function=function.name,
        formula=function.formula,
        base=base,
        mahe=mahe,
        products=by_products,
        known=known,
        errors=errors,
    )
