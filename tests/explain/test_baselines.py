"""The baselines against values computed by hand, by enumeration, or known in advance."""

from collections.abc import Callable
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from espalier.explain.archipelago import ArchipelagoParameters, ArchipelagoResult, archipelago
from espalier.explain.l_shapley import CShapleyParameters, LShapleyParameters, c_shapley, l_shapley
from espalier.explain.leave_one_out import LeaveOneOutParameters, leave_one_out
from espalier.explain.lime import LimeParameters, lime
from espalier.explain.mahe.sample import random_absences
from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape
from espalier.explain.registry import method
from espalier.explain.sampled_shapley import SampledShapleyParameters, sampled_shapley
from espalier.explain.soc import SocParameters, soc
from espalier.explain.toy import Toy
from espalier.explain.word_scores import WordScores
from espalier.problems import BadParameter, TooLong

Game = Callable[[BoolArray], FloatArray]
SLOPES = np.array([0.5, -2.0, 1.0, 0.25, 3.0, -1.0])


def shape(players: int) -> GameShape:
    return GameShape(tuple(f"w{i}" for i in range(players)), ("yes",), 0)


def table_game(seed: int, players: int) -> Game:
    """Any game at all: one random value for each coalition."""
    table = np.random.default_rng(seed).standard_normal(2**players)
    return lambda coalitions: table[coalitions @ (1 << np.arange(players))]


def linear_game(coalitions: BoolArray) -> FloatArray:
    return 0.1 + coalitions @ SLOPES[: coalitions.shape[1]]


def value(game: Game, words: set[int], players: int) -> float:
    coalition = np.zeros((1, players), dtype=bool)
    coalition[0, list(words)] = True
    return float(game(coalition)[0])


def shapley_by_enumeration(game: Game, players: int) -> list[float]:
    values = []
    for word in range(players):
        others = [other for other in range(players) if other != word]
        total = 0.0
        for size in range(players):
            weight = factorial(size) * factorial(players - size - 1) / factorial(players)
            for chosen in combinations(others, size):
                total += weight * (value(game, {word, *chosen}, players) - value(game, set(chosen), players))
        values.append(total)
    return values


# All of them ---------------------------------------------------------------------------------------------------------

WORD_METHODS: dict[str, tuple[Callable[..., Any], Any]] = {
    "leave-one-out": (leave_one_out, LeaveOneOutParameters()),
    "lime": (lime, LimeParameters(ridge=0)),
    "l-shapley": (l_shapley, LShapleyParameters()),
    "sampled-shapley": (sampled_shapley, SampledShapleyParameters(orders=10)),
    "soc": (soc, SocParameters()),
}


@pytest.mark.parametrize("name", WORD_METHODS)
def test_a_linear_game_gives_every_word_its_slope(name: str) -> None:
    plan, parameters = WORD_METHODS[name]
    result: WordScores = Toy(linear_game).run(plan(shape(6), parameters))
    assert result.values == pytest.approx(SLOPES)
    assert result.base == pytest.approx(0.1)
    assert result.full == pytest.approx(0.1 + SLOPES.sum())
    if not result.exact:
        assert result.standard_errors == pytest.approx([0] * 6, abs=1e-9)


@pytest.mark.parametrize("name", [*WORD_METHODS, "c-shapley"])
def test_a_single_word_carries_the_whole_difference(name: str) -> None:
    plan, parameters = {**WORD_METHODS, "c-shapley": (c_shapley, CShapleyParameters())}[name]
    result: WordScores = Toy(linear_game).run(plan(shape(1), parameters))
    scale = 1 / 3 if name == "c-shapley" else 1  # C-Shapley is not efficient: a phrase of one word weighs 2/(1·2·3).
    assert result.values == pytest.approx([0.5 * scale])


@pytest.mark.parametrize("name", [*WORD_METHODS, "c-shapley", "archipelago"])
def test_only_the_explained_class_counts(name: str) -> None:
    chosen = method(name)
    parameters = chosen.parameters()
    game = table_game(1, 4)
    one = Toy(game).run(chosen.start(shape(4), parameters))
    toy = Toy(lambda coalitions: np.column_stack([np.full(len(coalitions), 9.0), game(coalitions)]))
    two = toy.run(chosen.start(GameShape(tuple("abcd"), ("no", "yes"), 1), parameters))
    assert one == two


@pytest.mark.parametrize("name", [*WORD_METHODS, "c-shapley", "archipelago"])
def test_the_progress_bar_counts_to_what_is_evaluated(name: str) -> None:
    """What a plan expects at its last question is what it has had evaluated in the end."""
    toy = Toy(table_game(2, 6))
    expectations = []
    plan = method(name).start(shape(6), method(name).parameters())
    reply = None
    while True:
        try:
            step = plan.send(reply)
        except StopIteration:
            break
        reply = None
        if isinstance(step, Ask):
            expectations.append(step.expected)
            reply = toy.answer(step.coalitions)
    assert expectations[-1] == toy.distinct


# Leave-one-out -------------------------------------------------------------------------------------------------------


def test_leave_one_out_by_hand() -> None:
    def both_or_third(c: BoolArray) -> FloatArray:
        return 2.0 * (c[:, 0] & c[:, 1]) + 5.0 * c[:, 2] - 1.0 * (c[:, 0] & c[:, 2])

    result = Toy(both_or_third).run(leave_one_out(shape(3), LeaveOneOutParameters()))
    # v = 6 for all; without the first 5, without the second 4, without the third 2.
    assert result.values == (1.0, 2.0, 4.0)
    assert (result.base, result.full, result.exact) == (0.0, 6.0, True)


# LIME ----------------------------------------------------------------------------------------------------------------


def test_lime_solves_the_weighted_ridge_problem() -> None:
    """The penalised normal equations, written out over all draws, have LIME's answer as their solution."""
    game = table_game(3, 5)
    asked = []

    def record(coalitions: BoolArray) -> FloatArray:
        asked.append(coalitions)
        return game(coalitions)

    # So many draws of so few coalitions that each number of absent words has its expected share.
    parameters = LimeParameters(samples=100_000, ridge=50.0, kernel_width=30.0)
    result = Toy(record).run(lime(shape(5), parameters))
    coalitions = np.unique(np.concatenate(asked), axis=0)
    absent = (~coalitions).sum(axis=1)
    sizes = np.bincount(absent)
    cosine = np.array([1.0 if row.sum() == 0 else 1 - row.sum() / np.sqrt(5 * row.sum()) for row in coalitions])
    kernel = np.sqrt(np.exp(-((100 * cosine) ** 2) / 30.0**2))
    weights = kernel * np.where(absent == 0, 1, 100_000 / 5 / sizes[absent])
    design = np.column_stack([np.ones(len(coalitions)), coalitions])
    gram = design.T @ (design * weights[:, None]) + np.diag([0, 50.0, 50.0, 50.0, 50.0, 50.0])
    expected = np.linalg.solve(gram, design.T @ (weights * game(coalitions)))
    assert result.values == pytest.approx(expected[1:], abs=0.02)
    assert result.intercept == pytest.approx(expected[0], abs=0.02)


def test_lime_is_the_ridge_of_its_draws_with_the_packages_kernel() -> None:
    """The sample as the package keeps it, every draw a row, and its ridge solved by the normal equations."""
    game, players = table_game(3, 9), 9
    result = Toy(game).run(lime(shape(players), LimeParameters(samples=700, seed=4)))
    drawn = random_absences(1, players, 700, players, seed=4)
    assert drawn[0].all()
    assert not drawn[1:].all(axis=1).any()
    lengths = np.sqrt(drawn.sum(axis=1) * players)
    distances = 100 * (1 - drawn.sum(axis=1) / np.where(lengths > 0, lengths, 1))
    weights = np.sqrt(np.exp(-(distances**2) / 25.0**2))
    design = np.column_stack([np.ones(len(drawn)), drawn])
    gram = design.T @ (design * weights[:, None]) + np.diag([0.0, *[1.0] * players])
    expected = np.linalg.solve(gram, design.T @ (weights * game(drawn)))
    assert result.values == pytest.approx(expected[1:], abs=1e-12)
    assert result.intercept == pytest.approx(expected[0], abs=1e-12)


def test_the_r2_of_lime_says_how_linear_the_neighbourhood_is() -> None:
    straight = Toy(linear_game).run(lime(shape(6), LimeParameters(ridge=0)))
    crooked = Toy(table_game(0, 6)).run(lime(shape(6), LimeParameters(ridge=0)))
    assert straight.r2 == pytest.approx(1)
    assert 0 < crooked.r2 < 0.5


def test_lime_refuses_fewer_samples_than_its_coefficients_need() -> None:
    with pytest.raises(BadParameter, match="got 30, possible are 42 or more"):
        lime(shape(20), LimeParameters(samples=30))


# L-Shapley and C-Shapley ---------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_l_shapley_that_sees_the_whole_text_is_the_shapley_value(seed: int, players: int) -> None:
    game = table_game(seed, players)
    result = Toy(game).run(l_shapley(shape(players), LShapleyParameters(radius=5)))
    assert result.values == pytest.approx(shapley_by_enumeration(game, players))
    assert sum(result.values) == pytest.approx(result.full - result.base)


def test_l_shapley_by_hand() -> None:
    # Three words, radius 1: the first word has one neighbour, the middle word two.
    game = table_game(5, 3)

    def v(*words: int) -> float:
        return value(game, set(words), 3)

    result = Toy(game).run(l_shapley(shape(3), LShapleyParameters(radius=1)))
    first = (v(0) - v()) / 2 + (v(0, 1) - v(1)) / 2
    middle = (v(1) - v()) / 3 + (v(0, 1) - v(0)) / 6 + (v(1, 2) - v(2)) / 6 + (v(0, 1, 2) - v(0, 2)) / 3
    assert result.values[:2] == pytest.approx((first, middle))


def test_c_shapley_by_hand() -> None:
    # Four words, radius 2. The second word is in the phrases 1, 01, 12, 012, 123 and 0123, with weights 1/3, 1/12,
    # 1/12, 1/30, 1/30 and 1/60; the first in 0, 01 and 012.
    game = table_game(6, 4)

    def v(*words: int) -> float:
        return value(game, set(words), 4)

    result = Toy(game).run(c_shapley(shape(4), CShapleyParameters(radius=2)))
    first = (v(0) - v()) / 3 + (v(0, 1) - v(1)) / 12 + (v(0, 1, 2) - v(1, 2)) / 30
    second = (
        (v(1) - v()) / 3
        + (v(0, 1) - v(0)) / 12
        + (v(1, 2) - v(2)) / 12
        + (v(0, 1, 2) - v(0, 2)) / 30
        + (v(1, 2, 3) - v(2, 3)) / 30
        + (v(0, 1, 2, 3) - v(0, 2, 3)) / 60
    )
    assert result.values[:2] == pytest.approx((first, second))
    assert result.exact


def test_words_outside_the_radius_are_never_seen_with_the_word() -> None:
    def far_pair(c: BoolArray) -> FloatArray:
        return 4.0 * (c[:, 0] & c[:, 5])

    near = Toy(far_pair).run(l_shapley(shape(6), LShapleyParameters(radius=4)))
    assert near.values == (0.0,) * 6


def test_a_radius_too_wide_for_the_text_is_refused_before_any_work() -> None:
    with pytest.raises(TooLong, match="got 98, possible are up to 97"):
        method("l-shapley").start(shape(98), LShapleyParameters(radius=5))


# Sampled Shapley -----------------------------------------------------------------------------------------------------


def test_sampled_shapley_is_unbiased_and_its_standard_errors_cover_the_truth() -> None:
    players, runs = 8, 500
    game = table_game(8, players)
    truth = np.array(shapley_by_enumeration(game, players))
    values, errors = np.empty((2, runs, players))
    for seed in range(runs):
        result = Toy(game).run(sampled_shapley(shape(players), SampledShapleyParameters(orders=40, seed=seed)))
        values[seed], errors[seed] = result.values, result.standard_errors
    assert np.all(np.abs(values.mean(axis=0) - truth) < 3 * values.std(axis=0) / np.sqrt(runs))
    covered = np.mean(np.abs(values - truth) < 1.96 * errors)
    assert 0.9 < covered < 0.98


@given(st.integers(0, 10_000), st.integers(2, 30))
def test_sampled_shapley_values_sum_to_the_whole_difference_whatever_the_orders(seed: int, orders: int) -> None:
    parameters = SampledShapleyParameters(orders=orders, seed=seed)
    result = Toy(table_game(seed, 5)).run(sampled_shapley(shape(5), parameters))
    assert sum(result.values) == pytest.approx(result.full - result.base)
    assert result.orders == orders


def test_one_order_is_refused_because_it_has_no_standard_error() -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 2"):
        SampledShapleyParameters(orders=1)


def test_sampled_shapley_shows_ten_stages() -> None:
    toy = Toy(table_game(0, 5))
    toy.run(sampled_shapley(shape(5), SampledShapleyParameters(orders=100)))
    assert [partial.orders for partial in toy.partials] == list(range(10, 100, 10))


# Archipelago ---------------------------------------------------------------------------------------------------------


def find_islands(game: Game, players: int, pairs: int) -> ArchipelagoResult:
    return Toy(game).run(archipelago(shape(players), ArchipelagoParameters(pairs=pairs)))


def test_archipelago_finds_the_planted_pair_and_what_it_says() -> None:
    result = find_islands(lambda c: linear_game(c) + 2.0 * (c[:, 1] & c[:, 4]), 6, pairs=3)
    strongest = result.pairs[0]
    assert strongest.players == (1, 4)
    assert (strongest.in_full_text, strongest.alone, strongest.strength) == pytest.approx((2, 2, 4))
    assert [island.players for island in result.islands] == [(0,), (1, 4), (2,), (3,), (5,)]
    assert result.islands[1].contribution == pytest.approx(-2.0 + 3.0 + 2.0)


def test_archipelago_averages_the_squared_differences_of_both_contexts() -> None:
    # The pair only works while the third word is there: 3 in the full text, 0 alone.
    result = find_islands(lambda c: 3.0 * c[:, :3].all(axis=1), 4, pairs=1)
    pair = next(pair for pair in result.pairs if pair.players == (0, 1))
    assert (pair.in_full_text, pair.alone, pair.strength) == pytest.approx((3, 0, 4.5))


def test_pairs_that_share_a_word_become_one_island() -> None:
    def chain(c: BoolArray) -> FloatArray:
        return 1.0 * (c[:, 0] & c[:, 2]) + 2.0 * (c[:, 2] & c[:, 5]) + 3.0 * (c[:, 1] & c[:, 3])

    result = find_islands(chain, 6, pairs=3)
    assert {island.players: island.contribution for island in result.islands} == pytest.approx(
        {(0, 2, 5): 3.0, (1, 3): 3.0, (4,): 0.0}
    )


def test_a_linear_game_is_all_single_islands() -> None:
    result = find_islands(linear_game, 6, pairs=3)
    assert [island.players for island in result.islands] == [(word,) for word in range(6)]
    assert [island.contribution for island in result.islands] == pytest.approx(SLOPES)


# SOC -----------------------------------------------------------------------------------------------------------------


def test_soc_keeps_all_words_outside_the_neighbourhood() -> None:
    seen = []

    def record(coalitions: BoolArray) -> FloatArray:
        seen.append(coalitions)
        return coalitions.sum(axis=1).astype(float)

    Toy(record).run(soc(shape(12), SocParameters(radius=2)))
    thinned = np.concatenate(seen)[2:].reshape(2, 12, 5, 12)
    for word in range(12):
        outside = [other for other in range(12) if abs(other - word) > 2]
        assert thinned[:, word][:, :, outside].all()
        assert thinned[0, word, :, word].all()
        assert not thinned[1, word, :, word].any()
        neighbours = [other for other in range(12) if 0 < abs(other - word) <= 2]
        assert np.array_equal(thinned[0, word][:, neighbours], thinned[1, word][:, neighbours])


def test_soc_averages_a_words_loss_over_present_and_absent_neighbours() -> None:
    """With its one neighbour present half of the time, half of the planted interaction is lost with either word."""
    result = Toy(lambda c: 4.0 * (c[:, 0] & c[:, 1])).run(soc(shape(2), SocParameters(draws=1000)))
    assert result.standard_errors is not None
    for found, error in zip(result.values, result.standard_errors, strict=True):
        assert error == pytest.approx(2 / np.sqrt(1000), rel=0.05)
        assert abs(found - 2.0) < 4 * error
