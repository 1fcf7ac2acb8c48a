"""The graph of pairs against other definitions of the same numbers: orders, Möbius terms, another library."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import factorial
from typing import Any

import networkx
import numpy as np
import pytest
import shapiq
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from espalier.explain.coalitions.draw import minimum_budget
from espalier.explain.graph.asiv import AsivParameters, AsivResult, asiv
from espalier.explain.graph.pagerank import pagerank
from espalier.explain.graph.published import PublishedParameters, PublishedResult, published
from espalier.explain.plan import Arrange, Ask, BoolArray, FloatArray, GameShape, Partial
from espalier.explain.toy import Toy
from espalier.problems import BadParameter

MATRICES = ("present", "absent", "synergy", "interaction")


def shape(size: int) -> GameShape:
    return GameShape(tuple(f"w{k}" for k in range(size)), ("class",), 0)


def table_game(table: FloatArray) -> Callable[[BoolArray], FloatArray]:
    """The game given by a table over all coalitions, bit k of the place for player k."""
    return lambda coalitions: table[coalitions @ (1 << np.arange(coalitions.shape[1]))]


def graph(values: Callable[[BoolArray], FloatArray], size: int, **settings: Any) -> AsivResult:
    return Toy(values).run(asiv(shape(size), AsivParameters(**settings)))


def random_table(size: int, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).normal(size=2**size)


def subset(players: Any) -> int:
    return sum(1 << player for player in players)


@dataclass(frozen=True)
class MobiusGame:
    """A sum of terms, each worth its coefficient once all its players are there."""

    terms: BoolArray
    coefficients: FloatArray

    def __call__(self, coalitions: BoolArray) -> FloatArray:
        met = coalitions.astype(np.float32) @ self.terms.T.astype(np.float32)
        return (met == self.terms.sum(axis=1)) @ self.coefficients

    def synergy(self) -> FloatArray:
        """2 sum over T with i and j of a_T / |T|."""
        inside = self.terms.astype(float)
        found = 2 * inside.T @ (inside * (self.coefficients / inside.sum(axis=1))[:, None])
        np.fill_diagonal(found, 0)
        return found


def mobius_game(size: int, counts: dict[int, int], seed: int) -> MobiusGame:
    generator = np.random.default_rng(seed)
    terms, coefficients = [], []
    for order, count in counts.items():
        for _ in range(count):
            row = np.zeros(size, dtype=bool)
            row[generator.choice(size, order, replace=False)] = True
            terms.append(row)
            coefficients.append(generator.normal() / order)
    return MobiusGame(np.array(terms), np.array(coefficients))


def random_network(size: int, seed: int) -> FloatArray:
    """A small random network's probability for every coalition: interactions of all orders."""
    generator = np.random.default_rng(seed)
    first, second = generator.normal(size=(size, 12)) * 0.8, generator.normal(size=(12, 12)) * 0.5
    coalitions = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    hidden = np.tanh(np.tanh(coalitions @ first + generator.normal(size=12) * 0.3) @ second)
    return 1 / (1 + np.exp(-2 * hidden @ generator.normal(size=12)))


# Exact numbers -------------------------------------------------------------------------------------------------------


def test_exact_values_and_interactions_are_those_of_shapiq() -> None:
    size = 6
    table = random_table(size)
    found = graph(table_game(table), size)
    computer = shapiq.ExactComputer(lambda coalitions: table_game(table)(np.asarray(coalitions)), n_players=size)
    values, pairs = computer("SV", order=1), computer("SII", order=2)
    for i in range(size):
        assert found.values[i] == pytest.approx(values[(i,)], abs=1e-9)
        for j in range(i):
            assert found.interaction[j][i] == pytest.approx(pairs[(j, i)], abs=1e-9)
    assert found.exact
    assert found.standard_errors is None


def test_exact_gains_are_averages_over_all_orders_with_one_before_the_other() -> None:
    size = 5
    table = random_table(size, seed=1)
    found = graph(table_game(table), size)
    for j, i in permutations(range(size), 2):
        with_j, without_j = [], []
        for order in permutations(range(size)):
            if order.index(j) < order.index(i):
                before = subset(order[: order.index(i)])
                with_j.append(table[before | 1 << i] - table[before])
                without_j.append(table[(before | 1 << i) & ~(1 << j)] - table[before & ~(1 << j)])
        assert found.present[j][i] == pytest.approx(np.mean(with_j), abs=1e-12)
        assert found.absent[j][i] == pytest.approx(np.mean(without_j), abs=1e-12)


def test_exact_numbers_have_their_closed_mobius_forms() -> None:
    size = 6
    table = random_table(size, seed=2)
    found = graph(table_game(table), size)
    inside = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    sizes = inside.sum(axis=1)
    mobius = table.copy()
    for player in range(size):
        has = inside[:, player] == 1
        mobius[has] -= mobius[np.arange(2**size)[has] - (1 << player)]
    for j, i in permutations(range(size), 2):
        both = (inside[:, i] & inside[:, j]) == 1
        only_i = (inside[:, i] & (1 - inside[:, j])) == 1
        half_synergy = (mobius[both] / sizes[both]).sum()
        without = 2 * (mobius[only_i] / (sizes[only_i] + 1)).sum()
        assert found.synergy[j][i] == pytest.approx(2 * half_synergy, abs=1e-9)
        assert found.interaction[j][i] == pytest.approx((mobius[both] / (sizes[both] - 1)).sum(), abs=1e-9)
        assert found.absent[j][i] == pytest.approx(without, abs=1e-9)
        assert found.present[j][i] == pytest.approx(without + 2 * half_synergy, abs=1e-9)


def test_synergy_is_twice_equation_10() -> None:
    size, i, j = 5, 1, 3
    table = random_table(size, seed=3)
    total = 0.0
    for members in range(2**size):
        if members >> j & 1 and not members >> i & 1:
            count = members.bit_count()
            weight = factorial(size - 1 - count) * factorial(count) / factorial(size)
            without = members & ~(1 << j)
            total += weight * (table[members | 1 << i] - table[members] - (table[without | 1 << i] - table[without]))
    assert graph(table_game(table), size).synergy[j][i] == pytest.approx(2 * total, abs=1e-12)


@pytest.mark.parametrize("budget", [None, 100])
def test_synergy_is_symmetric_and_the_difference_of_the_two_gains(budget: int | None) -> None:
    found = graph(table_game(random_table(9, seed=4)), 9, budget=budget)
    present, absent, synergy = (np.array(getattr(found, name)) for name in ("present", "absent", "synergy"))
    np.testing.assert_allclose(present - absent, synergy, atol=1e-12)
    np.testing.assert_allclose(synergy, synergy.T, atol=1e-12)
    assert not np.allclose(present, present.T)


@pytest.mark.parametrize(("size", "budget"), [(7, None), (16, 300), (30, 300)])
def test_a_linear_game_has_no_interactions_and_no_error(size: int, budget: int | None) -> None:
    slopes = np.random.default_rng(5).normal(size=size)
    found = graph(lambda coalitions: coalitions @ slopes - 2, size, budget=budget)
    for name in ("synergy", "interaction"):
        np.testing.assert_allclose(getattr(found, name), 0, atol=1e-10)
    arrows = np.where(np.eye(size), 0, slopes[None, :])
    np.testing.assert_allclose(found.present, arrows, atol=1e-10)
    np.testing.assert_allclose(found.absent, arrows, atol=1e-10)
    if found.standard_errors is not None:
        np.testing.assert_allclose(found.standard_errors.present, 0, atol=1e-9)


tables = arrays(np.float64, 16, elements=st.floats(-5, 5))


@settings(max_examples=25)
@given(tables)
def test_a_player_that_changes_nothing_has_no_arrow_to_it_and_no_synergy(table: FloatArray) -> None:
    # Player 4 is a dummy: the game of the others, whoever of them is asked about.
    found = graph(table_game(np.concatenate([table, table])), 5)
    for name in ("present", "absent", "synergy", "interaction"):
        np.testing.assert_allclose(np.array(getattr(found, name))[:, 4], 0, atol=1e-9)
    alone = graph(table_game(table), 4)
    np.testing.assert_allclose(np.array(found.synergy)[:4, :4], alone.synergy, atol=1e-9)
    np.testing.assert_allclose(np.array(found.interaction)[:4, :4], alone.interaction, atol=1e-9)


@settings(max_examples=25)
@given(tables)
def test_players_that_can_be_exchanged_have_the_same_numbers(table: FloatArray) -> None:
    cube = table.reshape((2,) * 4)
    found = graph(table_game((cube + cube.swapaxes(2, 3)).ravel()), 4)
    exchanged = [1, 0, 2, 3]
    for name in MATRICES:
        matrix = np.array(getattr(found, name))
        np.testing.assert_allclose(matrix, matrix[exchanged][:, exchanged], atol=1e-9)


@settings(max_examples=25)
@given(tables, tables)
def test_the_numbers_of_a_sum_of_games_are_the_sums_of_their_numbers(first: FloatArray, second: FloatArray) -> None:
    one, other, both = (graph(table_game(table), 4) for table in (first, second, first + 2 * second))
    for name in (*MATRICES, "values"):
        expected = np.array(getattr(one, name)) + 2 * np.array(getattr(other, name))
        np.testing.assert_allclose(getattr(both, name), expected, atol=1e-9)


@settings(max_examples=25)
@given(tables)
def test_values_add_up_from_base_to_full(table: FloatArray) -> None:
    found = graph(table_game(table), 4)
    assert found.base == table[0]
    assert found.full == table[-1]
    assert sum(found.values) == pytest.approx(found.full - found.base, abs=1e-9)


# Estimates -----------------------------------------------------------------------------------------------------------


@cache
def estimated_games() -> list[tuple[AsivResult, AsivResult]]:
    """Twenty games of 10 players: the truth, and the estimate from 200 of the 1,024 coalitions."""
    games = [table_game(random_network(10, seed)) for seed in range(20)]
    return [(graph(game, 10), graph(game, 10, budget=200)) for game in games]


def entries(result: Any, name: str) -> FloatArray:
    numbers = np.array(getattr(result, name))
    return numbers if numbers.ndim == 1 else numbers[~np.eye(len(numbers), dtype=bool)]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*MATRICES, "values"])
def test_stated_errors_cover_the_truth(name: str) -> None:
    games = estimated_games()
    distances = np.abs([entries(found, name) - entries(truth, name) for truth, found in games])
    errors = np.array([entries(found.standard_errors, name) for _, found in games])
    # Words of a random network are no neighbours, which the model expects; sentences are covered better.
    assert 0.88 < np.mean(distances <= 1.96 * errors) < 0.99


@pytest.mark.slow
def test_a_first_picture_is_nearer_to_the_interactions_than_an_empty_one() -> None:
    for seed in range(3):
        game = table_game(random_network(13, seed))
        truth, found = (entries(graph(game, 13, budget=budget), "interaction") for budget in (2**13, 100))
        assert np.square(found - truth).sum() < np.square(truth).sum()


@pytest.mark.slow
def test_twenty_players_need_seventy_times_fewer_evaluations_than_independent_orders_for_each_pair() -> None:
    """The paper draws 500 orders for each ordered pair and evaluates four texts for each: 4 * 500 * 380 evaluations.

    Its estimate is a mean of 500 independent second differences, so its squared error is their variance over 500; the
    variance is measured here on as many draws from the same distribution as make it certain to a few percent.
    """
    size, orders = 20, 500
    game = mobius_game(size, {1: 20, 2: 100, 3: 200, 4: 200}, seed=7)
    generator = np.random.default_rng(0)
    variances = []
    for i in range(size):
        for j in range(i):
            # Given that j comes before i, the place of i is the larger of two random ones.
            ranks = generator.random((200, size))
            before = ranks < ranks[:, [i, j]].max(axis=1, keepdims=True)
            texts = []
            for has_i, has_j in ((True, True), (False, True), (True, False), (False, False)):
                text = before.copy()
                text[:, i], text[:, j] = has_i, has_j
                texts.append(game(text))
            variances.append(np.var(texts[0] - texts[1] - texts[2] + texts[3], ddof=1))
    published_error = np.mean(variances) / orders
    toy = Toy(game)
    found = toy.run(asiv(shape(size), AsivParameters(budget=4 * orders * size * (size - 1) // 70)))
    assert toy.distinct <= 4 * orders * size * (size - 1) / 70
    error = np.square(np.array(found.synergy) - game.synergy())[~np.eye(size, dtype=bool)].mean()
    assert error < published_error


@pytest.mark.slow
def test_more_budget_goes_on_from_the_same_coalitions() -> None:
    toy = Toy(mobius_game(18, {1: 18, 2: 30}, seed=1))
    toy.run(asiv(shape(18), AsivParameters(budget=500, seed=4)))
    assert toy.distinct == toy.asked == 500
    toy.run(asiv(shape(18), AsivParameters(budget=1500, seed=4)))
    assert toy.distinct == 1500


@pytest.mark.slow
def test_partial_results_come_with_shrinking_errors() -> None:
    toy = Toy(mobius_game(16, {1: 16, 2: 30, 3: 30, 5: 30}, seed=3))
    final = toy.run(asiv(shape(16), AsivParameters(budget=1200)))
    errors = [np.mean(result.standard_errors.synergy) for result in [*toy.partials, final]]
    assert len(errors) == 3
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 2


# Settings ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_all_coalitions_are_evaluated_up_to_twelve_players_or_when_the_budget_holds_them() -> None:
    for size, budget in ((12, None), (13, 2**13)):
        toy = Toy(mobius_game(size, {1: size, 2: 10}, seed=2))
        assert toy.run(asiv(shape(size), AsivParameters(budget=budget))).exact
        assert toy.distinct == toy.asked == 2**size


def test_a_budget_is_kept_with_few_players_too() -> None:
    toy = Toy(table_game(random_table(10)))
    assert not toy.run(asiv(shape(10), AsivParameters(budget=200))).exact
    assert toy.distinct == 200


def test_a_budget_below_the_minimum_is_refused_before_any_work() -> None:
    assert minimum_budget(20) == 78
    with pytest.raises(BadParameter, match="possible are 78 or more"):
        asiv(shape(20), AsivParameters(budget=77))


def test_the_explained_class_is_the_one_used() -> None:
    table = random_table(4)
    toy = Toy(lambda coalitions: np.stack([0 * table_game(table)(coalitions), table_game(table)(coalitions)], axis=1))
    second = toy.run(asiv(GameShape(("a", "b", "c", "d"), ("no", "yes"), 1), AsivParameters()))
    np.testing.assert_allclose(second.present, graph(table_game(table), 4).present)


def test_phrases_play_as_one() -> None:
    size = 7
    table = random_table(size, seed=6)
    found = graph(table_game(table), size, groups=((4, 7), (1, 3)))
    assert found.nodes == [(0, 1), (1, 3), (3, 4), (4, 7)]
    assert found.pair == (3, 1)
    # The same four players by hand: which words each of them brings.
    words = [0b0000001, 0b0000110, 0b0001000, 0b1110000]
    merged = np.array([table[sum(words[k] for k in range(4) if members >> k & 1)] for members in range(16)])
    np.testing.assert_allclose(found.present, graph(table_game(merged), 4).present, atol=1e-12)


@pytest.mark.parametrize(
    ("groups", "message"),
    [(((0, 3), (2, 4)), "overlap"), (((0, 1), (5, 9)), "players 5 up to 9"), (((0, 1), (3, 3)), "players 3 up to 3")],
)
def test_groups_that_are_not_two_phrases_are_refused(groups: Any, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        asiv(shape(6), AsivParameters(groups=groups))


# PageRank ------------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(arrays(np.float64, (5, 5), elements=st.floats(-1, 1).map(lambda weight: round(weight, 3))))
def test_pagerank_is_that_of_networkx_on_the_positive_arrows(weights: FloatArray) -> None:
    np.fill_diagonal(weights, 0)
    plain = networkx.DiGraph()
    plain.add_nodes_from(range(5))
    plain.add_weighted_edges_from((j, i, weights[j, i]) for j, i in np.argwhere(weights > 0))
    expected = networkx.pagerank(plain, alpha=0.85, tol=1e-12, max_iter=1000)
    np.testing.assert_allclose(pagerank(weights), [expected[node] for node in range(5)], atol=1e-8)


def test_pagerank_without_any_arrow_is_uniform() -> None:
    np.testing.assert_allclose(pagerank(-np.ones((4, 4))), 0.25)


# The published code --------------------------------------------------------------------------------------------------


def run_published(
    values: Callable[[BoolArray], FloatArray], moved: Callable[..., FloatArray], size: int, orders: int
) -> PublishedResult:
    """A toy game that also knows what a text is worth with one word in another's place."""
    toy = Toy(values)
    plan = published(shape(size), PublishedParameters(orders=orders))
    step, reply = next(plan), None
    while True:
        if isinstance(step, Ask):
            reply = toy.answer(step.coalitions)
        elif isinstance(step, Arrange):
            reply = moved(step.coalitions, step.words, step.places)[:, None]
        else:
            assert isinstance(step, Partial)
            reply = None
        try:
            step = plan.send(reply)
        except StopIteration as finished:
            return finished.value


def test_where_places_do_not_matter_the_published_arrows_are_the_shapley_interaction_index() -> None:
    size = 5
    table = random_table(size, seed=8)

    def moved(coalitions: BoolArray, words: Any, places: Any) -> FloatArray:
        assert not coalitions[np.arange(len(words)), words].any()
        assert not coalitions[np.arange(len(words)), places].any()
        return table[coalitions @ (1 << np.arange(size)) + (1 << words)]

    found = run_published(table_game(table), moved, size, orders=400)
    np.testing.assert_allclose(found.displacement, 0, atol=1e-12)
    off = ~np.eye(size, dtype=bool)
    distances = (np.array(found.arrows) - graph(table_game(table), size).interaction)[off]
    assert np.abs(distances / np.array(found.standard_errors)[off]).max() < 4


def test_a_word_that_only_counts_in_its_own_place_makes_the_published_arrows_point() -> None:
    # Worth 3 for word 0 at the front, 1 for word 1 anywhere, 5 for both in order: by hand, nobody comes before.
    values = {(False, False): 0.0, (True, False): 3.0, (False, True): 1.0, (True, True): 9.0}

    def moved(coalitions: BoolArray, words: Any, places: Any) -> FloatArray:
        return np.where(words == 0, 0.0, 1.0)

    found = run_published(lambda rows: np.array([values[tuple(row)] for row in rows.tolist()]), moved, 2, orders=2)
    assert found.arrows[1][0] == 9 - 1 - 0 + 0
    assert found.arrows[0][1] == 9 - 3 - 1 + 0
    assert found.interaction[0][1] == found.interaction[1][0] == 5
    assert found.displacement[1][0] == 3
    assert found.displacement[0][1] == 0
