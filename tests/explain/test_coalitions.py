"""The shared estimator: which coalitions are drawn, and the model that is fitted to them."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from espalier.explain.coalitions import weights
from espalier.explain.coalitions.draw import Draw, allocation, draw, minimum_budget
from espalier.explain.coalitions.estimate import Evidence, pair_estimate, player_estimate, weigh
from espalier.explain.coalitions.prior import DECAY, NEAR, WINDOW, Prior, involvements, symmetric_polynomials
from espalier.explain.coalitions.surrogate import Surrogate
from espalier.explain.plan import BoolArray, FloatArray
from espalier.problems import BadParameter

PAIR_INDICES = [weights.gain_with, weights.gain_without, weights.synergy, weights.shapley_interaction]


def everything(size: int) -> BoolArray:
    return (np.arange(2**size)[:, None] >> np.arange(size)) & 1 == 1


def keys(coalitions: BoolArray) -> set[bytes]:
    return {row.tobytes() for row in coalitions}


def values_of(sample: Draw, table: FloatArray) -> FloatArray:
    """The game given by a table over all coalitions, bit k of the place for player k."""
    places = sample.members @ (1 << np.arange(sample.size))
    return np.stack([table[places], table[len(table) - 1 - places]])


sizes_and_budgets = st.integers(4, 24).flatmap(
    lambda size: st.tuples(st.just(size), st.integers(minimum_budget(size), min(2**size, 3000)))
)


@settings(deadline=None, max_examples=40)
@given(sizes_and_budgets, st.integers(0, 5))
def test_a_draw_is_distinct_within_budget_and_holds_every_complement(case: tuple[int, int], seed: int) -> None:
    size, budget = case
    coalitions = draw(size, budget, seed).coalitions()
    assert len(coalitions) <= budget
    assert len(keys(coalitions)) == len(coalitions)
    assert keys(coalitions) == keys(~coalitions)


@pytest.mark.parametrize("size", [8, 13, 20, 31])
def test_the_coalitions_of_a_small_budget_are_among_those_of_a_larger_one(size: int) -> None:
    budgets = [minimum_budget(size), 250, 501, 1000, 1777, 4000]
    drawn = [keys(draw(size, min(budget, 2**size), seed=3).coalitions()) for budget in budgets]
    for smaller, larger in pairwise(drawn):
        assert smaller <= larger


def test_the_part_of_a_draw_within_a_budget_is_the_draw_of_that_budget() -> None:
    part, kept = draw(15, 1200, seed=1).within(400)
    assert keys(part.coalitions()) == keys(draw(15, 400, seed=1).coalitions())
    assert kept.sum() == len(part.members)


def test_another_seed_draws_other_coalitions() -> None:
    first, second = (keys(draw(20, 1000, seed).coalitions()) for seed in (0, 1))
    # The sizes 0, 1, 19 and 20 are always there, whatever the seed.
    assert 42 <= len(first & second) < 300


def test_all_coalitions_are_drawn_when_the_budget_holds_them() -> None:
    for size in range(1, 11):
        assert draw(size, 2**size, seed=0).complete
        assert len(keys(draw(size, 2**size, seed=0).coalitions())) == 2**size


def test_sizes_share_the_budget_equally_and_small_ones_are_exhausted() -> None:
    taken = allocation(20, 4000)
    assert taken[:3].tolist() == [1, 20, 190]
    # As many coalitions of each size: the pairs of the middle are both of size 10, so there are half as many.
    assert np.ptp(taken[3:10]) <= 1
    assert abs(2 * taken[10] - taken[9]) <= 2
    assert 2 * taken.sum() == 4000


@pytest.mark.parametrize("size", [20, 21])
def test_each_size_is_drawn_uniformly(size: int) -> None:
    # Over many seeds every player is in as many coalitions as every other, in each stratum that is not exhausted.
    times = sum(draw(size, 300, seed).coalitions().sum(axis=0) for seed in range(60))
    assert np.ptp(times) / times.mean() < 0.06


def test_a_budget_below_the_minimum_is_refused_with_the_minimum() -> None:
    with pytest.raises(BadParameter, match=r"got 77 coalitions, possible are 78 or more"):
        draw(20, 77, seed=0)


@given(st.lists(st.sampled_from([-1.5, -1.0, 0.5, 2.0]), min_size=1, max_size=9), st.integers(0, 5))
def test_symmetric_polynomials_are_sums_of_products(numbers: list[float], order: int) -> None:
    expected = sum(float(np.prod(chosen)) for chosen in combinations(numbers, order))
    sums = [np.array([sum(number**power for number in numbers)]) for power in range(1, 6)]
    assert symmetric_polynomials(sums)[order][0] == pytest.approx(expected, abs=1e-9)


def parity_columns(coalitions: BoolArray, order: int) -> FloatArray:
    signs = np.where(coalitions, 1.0, -1.0)
    return np.stack([signs[:, list(term)].prod(axis=1) for term in combinations(range(signs.shape[1]), order)], axis=1)


def expected_variance(term: tuple[int, ...], low: int, involvement: FloatArray) -> float:
    """Of one term: its players' involvements, and for near ones a share of all variance of their order."""

    def near(each: tuple[int, ...]) -> float:
        return max(0, WINDOW - (each[-1] - each[0])) * float(involvement[list(each)].prod())

    product = float(involvement[list(term)].prod())
    if len(term) == low + 4:
        return (1 - NEAR) * DECAY * product
    others = list(combinations(range(len(involvement)), len(term)))
    whole = sum(float(involvement[list(each)].prod()) for each in others)
    return (1 - NEAR) * product + NEAR * whole * near(term) / sum(map(near, others))


def written_out_ridge(
    members: BoolArray, part: FloatArray, low: int, shrinkage: float, involvement: FloatArray, at: BoolArray
) -> FloatArray:
    """The same regression with one column for each term, by the normal equations."""
    orders = [low, low + 2, low + 4]
    columns = np.concatenate([parity_columns(members, order) for order in orders], axis=1)
    penalty = np.array(
        [
            0.0 if order == low else shrinkage / expected_variance(term, low, involvement)
            for order in orders
            for term in combinations(range(members.shape[1]), order)
        ]
    )
    coefficients = np.linalg.solve(columns.T @ columns + np.diag(penalty), columns.T @ part)
    return np.concatenate([parity_columns(at, order) for order in orders], axis=1) @ coefficients


@pytest.mark.parametrize("low", [0, 1])
def test_the_fit_is_the_ridge_regression_on_written_out_terms(low: int) -> None:
    sample = draw(9, 120, seed=0)
    part = np.random.default_rng(0).normal(size=len(sample.strata))
    held = sample.ranks % 4 == 1
    involvement = np.linspace(0.3, 2.0, 9)
    surrogate = Surrogate.of(sample.members, np.ones(len(held), dtype=bool), Prior.of(involvement, low))
    crossed = surrogate.cross(part, np.where(held, 0, 1), 2, shrinkage=2.0)
    for fold, train in enumerate((~held, held)):
        expected = written_out_ridge(sample.members[train], part[train], low, 2.0, involvement, sample.members)
        np.testing.assert_allclose(part - crossed.left[:, fold], expected, atol=1e-9)


@pytest.mark.parametrize("low", [0, 1])
def test_indices_of_the_fitted_model_are_those_of_its_predictions_for_all_coalitions(low: int) -> None:
    size, shrinkage = 7, 3.0
    sample = draw(size, 60, seed=2)
    part = np.random.default_rng(1).normal(size=len(sample.strata))
    everybody = np.ones(len(part), dtype=bool)
    involvement = np.linspace(2.0, 0.3, size)
    surrogate = Surrogate.of(sample.members, everybody, Prior.of(involvement, low))
    fitted = surrogate.cross(part, np.full(len(part), 1), 1, shrinkage)  # the only fold is empty
    table = written_out_ridge(sample.members, part, low, shrinkage, involvement, everything(size))
    whole = draw(size, 2**size, seed=0)
    truth = weigh(whole, values_of(whole, table))
    strengths = np.zeros((2, len(part)))
    strengths[low] = fitted.strengths[:, 0]
    nothing_missed = np.zeros((2, len(part)))
    linear = fitted.free[:, 0] if low == 1 else np.zeros(size)
    priors = [Prior.of(involvement, each) for each in (0, 1)]
    model = Evidence(sample, nothing_missed, nothing_missed, strengths, linear, priors)
    shapley = weights.shapley_value(size)
    np.testing.assert_allclose(
        player_estimate(model, shapley).values, player_estimate(truth, shapley).values, atol=1e-9
    )
    for index in PAIR_INDICES:
        expected = pair_estimate(truth, index(size)).values
        np.testing.assert_allclose(pair_estimate(model, index(size)).values, expected, atol=1e-9)


def test_neighbours_are_expected_to_interact_more_than_words_far_apart() -> None:
    prior = Prior.of(np.ones(12), low=1)
    variance = dict(zip(map(tuple, prior.near.tolist()), prior.near_variances.tolist(), strict=True))
    assert variance[0, 1, 2] == 4 * variance[0, 2, 5]
    assert (0, 1, 6) not in variance
    assert sum(variance.values()) == pytest.approx(NEAR * 220)  # of the variance of all terms of three


def test_words_that_matter_alone_are_expected_to_interact_most() -> None:
    sample = draw(9, 120, seed=0)
    effects = np.array([5.0, 0.0, -3.0, 0.0, 0.1, 0.0, 1.0, 0.0, 0.0])
    found = involvements(sample.members, np.where(sample.members, 1.0, -1.0) @ effects)
    assert np.argsort(-found)[:3].tolist() == [0, 2, 6]
    assert found.min() > 0
    assert np.square(found).mean() == pytest.approx(1)


def test_a_game_in_which_no_word_matters_alone_expects_the_same_of_all() -> None:
    sample = draw(9, 120, seed=0)
    np.testing.assert_allclose(involvements(sample.members, np.zeros(len(sample.strata))), np.ones(9))


def test_shapley_values_and_their_errors_need_the_odd_part_only() -> None:
    sample = draw(10, 300, seed=4)
    values = values_of(sample, np.random.default_rng(3).normal(size=2**10))
    index = weights.shapley_value(10)
    both, odd = (player_estimate(weigh(sample, values, odd_only=each), index) for each in (False, True))
    np.testing.assert_allclose(odd.values, both.values, atol=1e-9)
    np.testing.assert_allclose(odd.errors, both.errors, atol=1e-9)


def test_pairs_beyond_the_fitted_ones_still_correct_the_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(5).normal(size=2**9)
    whole = draw(9, 2**9, seed=0)
    truth = player_estimate(weigh(whole, values_of(whole, table)), weights.shapley_value(9)).values
    monkeypatch.setattr("espalier.explain.coalitions.estimate.MOST_USABLE", 40)
    found = []
    for seed in range(150):
        sample = draw(9, 300, seed)
        found.append(player_estimate(weigh(sample, values_of(sample, table)), weights.shapley_value(9)).values)
    deviations = (np.mean(found, axis=0) - truth) / (np.std(found, axis=0) / np.sqrt(len(found)))
    assert np.abs(deviations).max() < 3.5
