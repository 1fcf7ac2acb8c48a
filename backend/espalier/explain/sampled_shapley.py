"""Sampled Shapley values: marginal contributions along random orders (Štrumbelj & Kononenko, 2010)."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from espalier.explain.plan import BoolArray, FloatArray, GameShape, Partial, Plan, ask
from espalier.explain.registry import BUYS_PRECISION, Method, Parameters, register
from espalier.explain.word_scores import WordScores


class SampledShapleyParameters(Parameters):
    """Settings of sampled Shapley values."""

    orders: Annotated[
        int,
        # One order gives no standard error.
        Field(
            ge=2,
            le=10_000,
            description="Random orders of arrival; each costs one evaluation for each word.",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = 100
    seed: Annotated[int, Field(ge=0, description="Fixes the orders.")] = 0


class SampledShapleyResult(WordScores):
    """Mean marginal contribution over the orders. The values sum to full - base whatever the orders."""

    method: Literal["sampled-shapley"] = "sampled-shapley"
    orders: int


def sampled_shapley(game: GameShape, parameters: SampledShapleyParameters) -> Plan[SampledShapleyResult]:
    """What each word adds to the words before it, averaged over independent orders."""
    size, orders = game.size, parameters.orders
    generator = np.random.default_rng(parameters.seed)
    arrivals = generator.permuted(np.tile(np.arange(size), (orders, 1)), axis=1)
    expected = evaluations(size, parameters)
    gains = np.empty((0, size))
    # Ten rounds: the picture settles while the model is still at work.
    for block in np.array_split(arrivals, min(10, orders // 2)):
        values = (yield from ask(growing(block), expected))[:, game.target].reshape(len(block), size + 1)
        gains = np.concatenate([gains, marginal_gains(block, values)])
        result = summary(gains, base=float(values[0, 0]), full=float(values[0, -1]))
        if len(gains) < orders:
            yield Partial(result)
    return result


def evaluations(size: int, parameters: SampledShapleyParameters) -> int:
    """All orders begin with nobody and end with everybody."""
    return min(parameters.orders * (size - 1) + 2, 1 << size)


def growing(arrivals: NDArray[np.intp]) -> BoolArray:
    """For each order, the coalitions from nobody to everybody: bool[orders * (n + 1), n]."""
    orders, size = arrivals.shape
    place = arrivals.argsort(axis=1)
    steps = np.arange(size + 1)
    return (place[:, None, :] < steps[None, :, None]).reshape(orders * (size + 1), size)


def marginal_gains(arrivals: NDArray[np.intp], values: FloatArray) -> FloatArray:
    """What each word added on its arrival: float[orders, n], in the order of the text."""
    gains = np.empty(arrivals.shape)
    np.put_along_axis(gains, arrivals, np.diff(values, axis=1), axis=1)
    return gains


def summary(gains: FloatArray, base: float, full: float) -> SampledShapleyResult:
    """Means over the orders, with the standard error of each mean."""
    errors = gains.std(axis=0, ddof=1) / np.sqrt(len(gains))
    return SampledShapleyResult(
        exact=False,
        values=tuple(gains.mean(axis=0).tolist()),
        standard_errors=tuple(errors.tolist()),
        base=base,
        full=full,
        orders=len(gains),
    )


register(
    Method(
        name="sampled-shapley",
        title="Sampled Shapley values",
        shows="What each word adds to the words before it, averaged over random orders of arrival",
        parameters=SampledShapleyParameters,
        result=SampledShapleyResult,
        plan=sampled_shapley,
        expects=evaluations,
        view="tokens",
    )
)
