"""SHAP by every algorithm, against orders of arrival, another library, and what Shapley values must be."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
import shapiq
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from espalier.explain.graph.asiv import AsivParameters, asiv
from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.explain.shap.method import METHOD, ShapParameters, ShapResult, shap
from espalier.explain.shap.partition import admissible_orders, coalitions_needed
from espalier.explain.toy import Toy
from espalier.problems import BadParameter, TooLong
from espalier.trees.tree import Nested, SpanTree, flatten

SAMPLED = ["surrogate", "kernel", "permutation", "partition"]


def shape(size: int, tree: SpanTree | None = None) -> GameShape:
    return GameShape(tuple(f"w{k}" for k in range(size)), ("class",), 0, tree)


def table_game(table: FloatArray) -> Callable[[BoolArray], FloatArray]:
    """The game given by a table over all coalitions, bit k of the place for player k."""
    return lambda coalitions: table[coalitions @ (1 << np.arange(coalitions.shape[1]))]


def values(
    game: Callable[[BoolArray], FloatArray], size: int, tree: SpanTree | None = None, **settings: Any
) -> ShapResult:
    return Toy(game).run(shap(shape(size, tree), ShapParameters(**settings)))


def along(table: FloatArray, orders: Iterator[tuple[int, ...]], size: int) -> FloatArray:
    """What each player adds on its arrival, averaged over the orders given."""
    total, count = np.zeros(size), 0
    for order in orders:
        members = 0
        for player in order:
            total[player] += table[members | 1 << player] - table[members]
            members |= 1 << player
        count += 1
    return total / count


def random_table(size: int, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).normal(size=2**size)


def random_network(size: int, seed: int) -> FloatArray:
    """A small random network's probability for every coalition: interactions of all orders."""
    generator = np.random.default_rng(seed)
    first, second = generator.normal(size=(size, 12)) * 0.8, generator.normal(size=(12, 12)) * 0.5
    coalitions = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    hidden = np.tanh(np.tanh(coalitions @ first + generator.normal(size=12) * 0.3) @ second)
    return 1 / (1 + np.exp(-2 * hidden @ generator.normal(size=12)))


def branching(size: int) -> SpanTree:
    """A tree that splits off one word after the other."""
    nested: Nested = ((), size - 1)
    for word in range(size - 2, -1, -1):
        nested = ((), [((), word), nested])
    return flatten(nested)


# Exact values --------------------------------------------------------------------------------------------------------


def test_exact_values_are_averages_over_all_orders() -> None:
    table = random_table(6)
    found = values(table_game(table), 6)
    np.testing.assert_allclose(found.values, along(table, permutations(range(6)), 6), atol=1e-12)
    assert found.exact
    assert found.algorithm == "exact"
    assert found.standard_errors == (0.0,) * 6


def test_exact_values_are_those_of_shapiq() -> None:
    table = random_table(8, seed=1)
    computer = shapiq.ExactComputer(lambda coalitions: table_game(table)(np.asarray(coalitions)), n_players=8)
    expected = computer("SV", order=1)
    np.testing.assert_allclose(values(table_game(table), 8).values, [expected[(i,)] for i in range(8)], atol=1e-9)


@pytest.mark.parametrize("size", [2, 3, 7, 8])
def test_kernel_shap_on_all_coalitions_is_exact(size: int) -> None:
    table = random_table(size, seed=2)
    found = values(table_game(table), size, algorithm="kernel")
    np.testing.assert_allclose(found.values, values(table_game(table), size).values, atol=1e-9)
    assert found.exact
    np.testing.assert_allclose(found.standard_errors, 0, atol=1e-12)


tables = arrays(np.float64, 16, elements=st.floats(-5, 5))


@settings(max_examples=25)
@given(tables)
def test_a_player_that_changes_nothing_has_no_value(table: FloatArray) -> None:
    found = values(table_game(np.concatenate([table, table])), 5)
    assert found.values[4] == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(found.values[:4], values(table_game(table), 4).values, atol=1e-9)


@settings(max_examples=25)
@given(tables)
def test_players_that_can_be_exchanged_have_the_same_value(table: FloatArray) -> None:
    cube = table.reshape((2,) * 4)
    found = values(table_game((cube + cube.swapaxes(2, 3)).ravel()), 4)
    assert found.values[0] == pytest.approx(found.values[1], abs=1e-9)


@settings(max_examples=25)
@given(tables, tables)
def test_values_of_a_sum_of_games_are_the_sums_of_their_values(first: FloatArray, second: FloatArray) -> None:
    one, other, both = (values(table_game(table), 4).values for table in (first, second, first - 3 * second))
    np.testing.assert_allclose(both, np.array(one) - 3 * np.array(other), atol=1e-9)


# Owen values ---------------------------------------------------------------------------------------------------------


def admissible(tree: SpanTree, position: int = 0) -> list[tuple[int, ...]]:
    """All orders in which the words of every node follow one another."""
    node = tree.nodes[position]
    if node.is_leaf:
        return [(node.start,)]
    return [
        tuple(word for part in parts for word in part)
        for order in permutations(node.children)
        for parts in product(*(admissible(tree, child) for child in order))
    ]


@st.composite
def trees(draw: Callable[..., Any], most: int = 6) -> SpanTree:
    def grow(start: int, end: int) -> Nested:
        if end - start == 1:
            return ((), start)
        cuts = sorted(draw(st.sets(st.integers(start + 1, end - 1), min_size=1, max_size=3)))
        edges = [start, *cuts, end]
        return ((), [grow(left, right) for left, right in pairwise(edges)])

    return flatten(grow(0, draw(st.integers(1, most))))


@settings(max_examples=40)
@given(trees(), st.integers(0, 100))
def test_owen_values_are_averages_over_the_admissible_orders(tree: SpanTree, seed: int) -> None:
    table = random_table(tree.size, seed)
    toy = Toy(table_game(table))
    found = toy.run(shap(shape(tree.size, tree), ShapParameters(algorithm="partition")))
    np.testing.assert_allclose(found.values, along(table, iter(admissible(tree)), tree.size), atol=1e-9)
    assert found.exact
    assert toy.asked == toy.distinct == coalitions_needed(tree) == found.coalitions


def test_owen_values_on_a_flat_tree_are_shapley_values() -> None:
    table = random_table(7, seed=4)
    flat = flatten(((), [((), word) for word in range(7)]))
    found = values(table_game(table), 7, flat, algorithm="partition")
    np.testing.assert_allclose(found.values, values(table_game(table), 7).values, atol=1e-12)


def test_sampled_orders_keep_every_constituent_together() -> None:
    tree = branching(9)
    for order in admissible_orders(tree, 50, seed=0).tolist():
        places = {word: place for place, word in enumerate(order)}
        for node in tree.nodes:
            inside = [places[word] for word in range(node.start, node.end)]
            assert max(inside) - min(inside) == len(inside) - 1


# Estimates -----------------------------------------------------------------------------------------------------------


@cache
def repeated_estimates(algorithm: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """500 estimates of a game of 8 players, 120 coalitions each: the truth, the estimates, their stated errors."""
    table, tree = random_network(8, seed=2), branching(8)
    truth = values(table_game(table), 8, tree, algorithm="partition" if algorithm == "partition" else "exact").values
    found = [values(table_game(table), 8, tree, algorithm=algorithm, budget=120, seed=seed) for seed in range(500)]
    assert not any(result.exact for result in found)
    return np.array(truth), np.array([r.values for r in found]), np.array([r.standard_errors for r in found])


UNBIASED = tuple(algorithm for algorithm in SAMPLED if algorithm != "surrogate")
"""The surrogate's coalitions are chosen, and its model stands for those that were not: it is nearer to the truth, and
the error that is left is the model's."""


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", UNBIASED)
def test_estimates_are_right_on_average(algorithm: str) -> None:
    truth, estimates, _ = repeated_estimates(algorithm)
    # A word with only two contexts has no error at all; the rounding is not its standard error.
    spread = np.maximum(estimates.std(axis=0), 1e-12)
    deviations = (estimates.mean(axis=0) - truth) / (spread / np.sqrt(len(estimates)))
    assert np.abs(deviations).max() < 3


@pytest.mark.slow
def test_stated_errors_of_the_surrogate_cover_the_truth_of_many_games() -> None:
    inside = []
    for seed in range(30):
        game = table_game(random_network(9, seed))
        truth, found = values(game, 9, algorithm="exact"), values(game, 9, budget=160, seed=seed)
        off = np.abs(np.array(found.values) - np.array(truth.values))
        inside += (off <= 1.96 * np.array(found.standard_errors)).tolist()
    assert 0.90 < np.mean(inside) < 0.99


@pytest.mark.parametrize("algorithm", UNBIASED)
def test_stated_errors_cover_the_truth(algorithm: str) -> None:
    truth, estimates, errors = repeated_estimates(algorithm)
    # Means of 8 antithetic orders are the only ones with so few degrees of freedom that it shows.
    few_orders = algorithm in ("permutation", "partition")
    quantile = 2.36 if few_orders else 1.96
    assert 0.90 < np.mean(np.abs(estimates - truth) <= quantile * errors) < 0.98


@pytest.mark.slow
def test_the_surrogate_needs_a_third_of_the_coalitions_of_kernel_shap() -> None:
    size = 14
    generator = np.random.default_rng(0)
    coalitions = (np.arange(2**size)[:, None] >> np.arange(size)) & 1 == 1
    table = np.zeros(2**size)
    for order, count in {1: 14, 2: 40, 3: 60, 4: 40}.items():
        for _ in range(count):
            players = generator.choice(size, order, replace=False)
            table += generator.normal() / order * coalitions[:, players].all(axis=1)
    game = table_game(table)
    truth = np.array(values(game, size, budget=2**size).values)

    def error(found: Any) -> float:
        return float(np.square(np.array(found) - truth).mean())

    ours = np.mean([error(values(game, size, budget=1000, seed=seed).values) for seed in range(4)])
    theirs = []
    for seed in range(4):
        kernel = shapiq.KernelSHAP(n=size, pairing_trick=True, random_state=seed)
        found = kernel.approximate(3000, lambda rows: game(np.asarray(rows)))
        theirs.append(error([found[(player,)] for player in range(size)]))
    assert ours < np.mean(theirs)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["auto", *SAMPLED])
def test_values_add_up_from_base_to_full(algorithm: str) -> None:
    size = 15
    table = random_table(size, seed=6) + 100
    found = values(table_game(table), size, branching(size), algorithm=algorithm, budget=300)
    assert found.base == table[0]
    assert found.full == table[-1]
    assert found.base + sum(found.values) == pytest.approx(found.full, rel=1e-9)


def test_values_that_do_not_add_up_are_never_returned() -> None:
    with pytest.raises(ArithmeticError, match="do not add up"):
        values(lambda coalitions: np.where(coalitions[:, 0], np.nan, 1.0), 4)


@pytest.mark.parametrize("algorithm", SAMPLED)
def test_a_linear_game_is_found_without_error(algorithm: str) -> None:
    slopes = np.random.default_rng(7).normal(size=16)
    found = values(lambda coalitions: coalitions @ slopes + 1, 16, branching(16), algorithm=algorithm, budget=200)
    np.testing.assert_allclose(found.values, slopes, atol=1e-10)
    np.testing.assert_allclose(found.standard_errors, 0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", SAMPLED)
def test_partial_results_have_the_type_of_the_final_one_and_larger_errors(algorithm: str) -> None:
    toy = Toy(table_game(random_network(14, seed=3)))
    final = toy.run(shap(shape(14, branching(14)), ShapParameters(algorithm=algorithm, budget=1000)))
    assert len(toy.partials) >= 2
    assert all(isinstance(partial, ShapResult) for partial in toy.partials)
    assert np.mean(final.standard_errors) < np.mean(toy.partials[0].standard_errors)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", SAMPLED)
def test_the_budget_is_kept_and_more_budget_goes_on_from_the_same_coalitions(algorithm: str) -> None:
    toy = Toy(table_game(random_network(15, seed=1)))
    first = toy.run(shap(shape(15, branching(15)), ShapParameters(algorithm=algorithm, budget=400, seed=2)))
    assert first.coalitions == toy.distinct <= 400
    second = toy.run(shap(shape(15, branching(15)), ShapParameters(algorithm=algorithm, budget=900, seed=2)))
    assert second.coalitions == toy.distinct <= 900


# Settings ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "chosen"), [(1, "exact"), (12, "exact"), (13, "surrogate")])
def test_auto_is_exact_up_to_twelve_players(size: int, chosen: str) -> None:
    slopes = np.arange(1.0, size + 1)
    found = values(lambda coalitions: coalitions @ slopes, size)
    assert found.algorithm == chosen
    np.testing.assert_allclose(found.values, slopes, atol=1e-9)


@pytest.mark.parametrize("algorithm", ["auto", "exact", "surrogate", "kernel", "permutation", "partition"])
def test_one_player_gets_everything(algorithm: str) -> None:
    tree = flatten(((), 0))
    assert values(lambda coalitions: 3.0 * coalitions[:, 0] + 1, 1, tree, algorithm=algorithm).values == (3.0,)


@pytest.mark.slow
def test_shap_and_the_graph_evaluate_each_coalition_once() -> None:
    toy = Toy(table_game(random_network(14, seed=4)))
    graph = toy.run(asiv(shape(14), AsivParameters(budget=600)))
    found = toy.run(shap(shape(14), ShapParameters(budget=600)))
    assert toy.distinct == 600
    np.testing.assert_allclose(found.values, graph.values, atol=1e-12)


@pytest.mark.parametrize(
    ("algorithm", "budget", "minimum"),
    [("auto", 50, 78), ("kernel", 77, 78), ("permutation", 77, 78), ("partition", 60, 78)],
)
def test_a_budget_below_the_minimum_is_refused_with_the_minimum(algorithm: Any, budget: int, minimum: int) -> None:
    with pytest.raises(BadParameter, match=f"got {budget} coalitions, possible are {minimum} or more"):
        shap(shape(20, branching(20)), ShapParameters(algorithm=algorithm, budget=budget))


def test_exact_values_are_refused_for_a_budget_or_a_text_that_does_not_allow_them() -> None:
    with pytest.raises(BadParameter, match="possible are 256 or more"):
        shap(shape(8), ShapParameters(algorithm="exact", budget=255))
    with pytest.raises(TooLong, match="possible are up to 18"):
        METHOD.start(shape(19), ShapParameters(algorithm="exact"))


def test_partition_needs_a_tree_and_asks_for_one() -> None:
    assert ShapParameters(algorithm="partition").wants_tree
    assert not ShapParameters().wants_tree
    with pytest.raises(BadParameter, match="needs a tree"):
        shap(shape(5), ShapParameters(algorithm="partition"))
