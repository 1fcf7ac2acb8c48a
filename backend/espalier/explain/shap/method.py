"""SHAP values of the words of a text: how far each moves the model from its base value to its value of the text."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from espalier.explain.coalitions.draw import Draw
from espalier.explain.coalitions.estimate import Estimate, Evidence, player_estimate, weigh, weigh_again
from espalier.explain.coalitions.settle import FIRST_STAGE, WORTH_WAITING, Settled, settle, spend, stages
from espalier.explain.coalitions.weights import shapley_value
from espalier.explain.plan import FloatArray, GameShape, Partial, Plan, ask
from espalier.explain.registry import BUYS_PRECISION, Method, Parameters, register
from espalier.explain.shap.kernel import kernel_shap
from espalier.explain.shap.orders import IntArray, affordable, arrivals, gains, random_orders
from espalier.explain.shap.partition import admissible_orders, coalitions_needed, comparisons
from espalier.explain.stopping import StopAt, Stoppable, share, until
from espalier.explain.word_scores import WordScores
from espalier.problems import BadParameter

Algorithm = Literal["exact", "surrogate", "kernel", "permutation", "partition"]

MOST_COALITIONS = 2**18
ADDITIVITY = 1e-6


class ShapParameters(Parameters):
    """Settings of SHAP."""

    algorithm: Annotated[
        Literal["auto", Algorithm],
        Field(
            description="auto: exact where the budget holds all coalitions, otherwise surrogate. exact: all of them. "
            "surrogate: a fitted model corrected by sampled coalitions, the most accurate for its cost. kernel: Kernel "
            "SHAP. permutation: random orders. partition: Owen values, where the words of a phrase arrive together."
        ),
    ] = "auto"
    budget: Annotated[
        int | None,
        Field(
            ge=2,
            le=MOST_COALITIONS,
            description="Distinct coalitions to evaluate at most. When left out: all up to 12 players, 2,000 above.",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = None
    stop_at: StopAt = None
    seed: Annotated[int, Field(ge=0, description="Fixes what is drawn at random.")] = 0

    @property
    def wants_tree(self) -> bool:
        return self.algorithm == "partition"


class ShapResult(WordScores, Stoppable):
    """Base value plus all values is the full value, on every result."""

    method: Literal["shap"] = "shap"
    algorithm: Algorithm = Field(description="How the values were found; `auto` has become the algorithm it chose.")
    standard_errors: tuple[float, ...] = Field(description="One for each value; zeros where the values are exact.")
    coalitions: int = Field(description="Distinct coalitions this rests on.")

    def accuracy(self) -> float:
        return share(np.array(self.standard_errors), np.array(self.values))


def shap(game: GameShape, parameters: ShapParameters) -> Plan[ShapResult]:
    """The values, or as much of them as is asked for."""
    return until(_shap(game, parameters), parameters.stop_at)


def _shap(game: GameShape, parameters: ShapParameters) -> Plan[ShapResult]:
    """Choose the algorithm; refuse a budget it cannot work with before any work."""
    algorithm, budget, seed = parameters.algorithm, parameters.budget, parameters.seed
    if algorithm == "partition":
        return _partition(game, budget, seed)
    if algorithm == "permutation" and game.size > 1:
        return _along(game, random_orders(game, affordable(game.size, _usual(game, budget)), seed), "permutation")
    if algorithm == "exact":
        if budget is not None and budget < 1 << game.size:
            raise BadParameter(
                f"budget too small for exact values: got {budget} coalitions, possible are {1 << game.size} or more"
            )
        budget = 1 << game.size
    budget = spend(game.size, budget)

    summarise = _by_kernel if algorithm == "kernel" and game.size > 1 else _by_model
    may_stop = parameters.stop_at is not None
    return settle(game, game.size, budget, seed, summarise, at_random=algorithm == "kernel", may_stop=may_stop)


def _by_kernel(draw: Draw, values: FloatArray, roughly: bool) -> Settled[ShapResult]:
    def found(values: FloatArray) -> ShapResult:
        return _of_draw("kernel", kernel_shap(draw, values), draw, values)

    return Settled(found(values), found)


def _by_model(draw: Draw, values: FloatArray, roughly: bool) -> Settled[ShapResult]:
    evidence = weigh(draw, values, odd_only=True, roughly=roughly)

    def found(values: FloatArray, evidence: Evidence, errors: bool) -> ShapResult:
        estimate = player_estimate(evidence, shapley_value(draw.size), errors)
        return _of_draw("exact" if draw.complete else "surrogate", estimate, draw, values)

    def again(others: FloatArray) -> ShapResult:
        return found(others, weigh_again(evidence, draw, others), errors=False)

    return Settled(found(values, evidence, errors=True), again)


def _of_draw(algorithm: Algorithm, estimate: Estimate, draw: Draw, values: FloatArray) -> ShapResult:
    base, full = float(values[0, 0]), float(values[1, 0])
    return _result(algorithm, estimate, base, full, 2 * draw.pairs, draw.complete)


def _usual(game: GameShape, budget: int | None) -> int:
    """The budget of algorithms that work along orders, which have no use for all coalitions."""
    return budget if budget is not None else max(spend(game.size, None), 2 + 4 * (game.size - 1))


def _partition(game: GameShape, budget: int | None, seed: int) -> Plan[ShapResult]:
    tree = game.tree
    if tree is None:
        raise BadParameter("algorithm = partition needs a tree: got none, parse the text or give a bracketed tree")
    limit = _usual(game, budget)
    if coalitions_needed(tree) <= limit:
        return _owen(game)
    return _along(game, admissible_orders(tree, affordable(game.size, limit), seed), "partition")


def _owen(game: GameShape) -> Plan[ShapResult]:
    """Exact Owen values: every comparison there is, each coalition asked for once."""
    assert game.tree is not None
    words, before, weights = comparisons(game.tree)
    after = before.copy()
    after[np.arange(len(words)), words] = True
    rows, places = np.unique(np.concatenate([before, after]), axis=0, return_inverse=True)
    values = (yield from ask(rows, len(rows)))[:, game.target]
    base, full = float(values[~rows.any(axis=1)][0]), float(values[rows.all(axis=1)][0])
    without, with_word = values[places.reshape(2, -1)]
    found = np.zeros(game.size)
    np.add.at(found, words, weights * (with_word - without))
    return _result("partition", Estimate(found, np.zeros(game.size)), base, full, len(rows), True)


def _along(game: GameShape, orders: IntArray, algorithm: Algorithm) -> Plan[ShapResult]:
    """Means over orders and their reverses, in growing stages."""
    ends = np.stack([np.zeros(game.size, dtype=bool), np.ones(game.size, dtype=bool)])
    expected = 2 + len(orders) * 2 * (game.size - 1)
    base, full = (yield from ask(ends, expected))[:, game.target].tolist()
    found = np.empty((0, game.size))
    seen = {row.tobytes() for row in np.packbits(ends, axis=1)}
    # One order gives no standard error.
    first = max(2, FIRST_STAGE // (2 * game.size))
    for count in stages(len(orders), first) if expected >= WORTH_WAITING else [len(orders)]:
        block = orders[len(found) : count]
        rows = arrivals(block)
        coalitions = np.concatenate([rows, ~rows])
        values = (yield from ask(coalitions, expected))[:, game.target].reshape(2, -1)
        seen.update(row.tobytes() for row in np.packbits(coalitions, axis=1))
        found = np.concatenate([found, gains(block, values, base, full)])
        estimate = Estimate(found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(len(found)))
        result = _result(algorithm, estimate, base, full, len(seen), exact=False)
        if count < len(orders):
            yield Partial(result)
    return result


def _result(
    algorithm: Algorithm, estimate: Estimate, base: float, full: float, coalitions: int, exact: bool
) -> ShapResult:
    """The result, once its values are seen to add up."""
    error = abs(base + float(estimate.values.sum()) - full)
    scale = max(abs(base), abs(full), float(np.abs(estimate.values).sum()))
    # Written so that a value that is not a number is caught, too.
    if not error <= ADDITIVITY * scale:
        raise ArithmeticError(
            f"SHAP values do not add up: got an error of {error:g}, possible is {ADDITIVITY * scale:g}"
        )
    return ShapResult(
        algorithm=algorithm,
        exact=exact,
        values=tuple(estimate.values.tolist()),
        standard_errors=tuple(estimate.errors.tolist()),
        base=base,
        full=full,
        coalitions=coalitions,
    )


def most_players(parameters: ShapParameters) -> int:
    return 18 if parameters.algorithm == "exact" else 400


METHOD = register(
    Method(
        name="shap",
        title="SHAP values",
        shows="How far each word moves the prediction, from nothing known to the whole text",
        parameters=ShapParameters,
        result=ShapResult,
        plan=shap,
        view="tokens",
        maximum_players=most_players,
    )
)
