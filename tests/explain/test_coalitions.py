"""The shared estimator: which coalitions are drawn, and the model that is fitted to them."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from espalier.engine.threads import one_thread_for_algebra
from espalier.explain.coalitions import weights
from espalier.explain.coalitions.design import CHOSEN, design
from espalier.explain.coalitions.draw import Draw, allocation, draw, minimum_budget
from espalier.explain.coalitions.estimate import WIDENED, Evidence, pair_estimate, player_estimate, weigh, weigh_again
from espalier.explain.coalitions.prior import EXPRESSED, WINDOW, Prior, involvements, symmetric_polynomials
from espalier.explain.coalitions.surrogate import Fit
from espalier.explain.coalitions.tuning import Likelihood, refined, tuned
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
    coalitions = draw(size, budget, seed, design(size, 0) if size < 9 else None).coalitions()
    assert len(coalitions) <= budget
    assert len(keys(coalitions)) == len(coalitions)
    assert keys(coalitions) == keys(~coalitions)


@pytest.mark.parametrize("size", [8, 13, 20, 31])
def test_the_coalitions_of_a_small_budget_are_among_those_of_a_larger_one(size: int) -> None:
    budgets = [minimum_budget(size), 250, 501, 1000, 1777, 4000]
    for first in (None, design(size, 3)):
        drawn = [keys(draw(size, min(budget, 2**size), 3, first).coalitions()) for budget in budgets]
        for smaller, larger in pairwise(drawn):
            assert smaller <= larger


def test_the_part_of_a_draw_within_a_budget_is_the_draw_of_that_budget() -> None:
    for first in (None, design(15, 1)):
        part = draw(15, 1200, 1, first).within(400)
        np.testing.assert_array_equal(part.members, draw(15, 400, 1, first).members)


@pytest.mark.parametrize(("size", "budget"), [(8, 50), (13, 333), (20, 78), (20, 1000), (21, 2001)])
def test_what_is_drawn_at_random_takes_from_each_size_what_is_allotted_to_it(size: int, budget: int) -> None:
    np.testing.assert_array_equal(draw(size, budget, seed=0).taken, allocation(size, budget))


def test_a_design_begins_with_no_player_and_single_ones_and_is_the_same_every_time() -> None:
    found = design(16, 0)
    assert len(keys(found)) == len(found) == CHOSEN
    assert found[:17].sum(axis=1).tolist() == [0] + [1] * 16
    design.cache_clear()
    np.testing.assert_array_equal(found, design(16, 0))


@pytest.mark.slow
def test_a_design_leaves_less_open_than_a_random_draw() -> None:
    """The error that the model itself states, for the same game of two-player and three-player terms."""
    size = 14
    signs = np.where(everything(size), 1.0, -1.0)
    table = signs @ np.linspace(-1, 1, size) + signs[:, 0] * signs[:, 3] * signs[:, 5] - signs[:, 8] * signs[:, 9]
    table = np.tanh(table / 3)
    index, errors = weights.shapley_value(size), []
    for first in (None, design(size, 0)):
        sample = draw(size, 120, 0, first)
        errors.append(player_estimate(weigh(sample, values_of(sample, table), odd_only=True), index).errors.mean())
    assert errors[1] < 0.8 * errors[0]


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


def expected_variance(term: tuple[int, ...], prior: Prior) -> float:
    """Of one term: its players' involvements times the factor of its order, and more where they are near."""
    product = float(prior.involvement[list(term)].prod())
    if len(term) == prior.low + 4:
        return float(prior.factors[1]) * product
    closeness = max(0, WINDOW - (term[-1] - term[0]))
    return float(prior.factors[0] + prior.factors[2] * closeness) * product


def columns_of(coalitions: BoolArray, low: int) -> FloatArray:
    return np.concatenate([parity_columns(coalitions, order) for order in (low, low + 2, low + 4)], axis=1)


def expected_variances(prior: Prior) -> FloatArray:
    """Of all shrunk terms, in the order of their columns."""
    size = len(prior.involvement)
    orders = (prior.low + 2, prior.low + 4)
    return np.array([expected_variance(term, prior) for order in orders for term in combinations(range(size), order)])


def written_out_ridge(members: BoolArray, part: FloatArray, prior: Prior, at: BoolArray) -> FloatArray:
    """The same regression with one column for each term, by the normal equations."""
    columns = columns_of(members, prior.low)
    penalty = 1 / expected_variances(prior)
    penalty = np.concatenate([np.zeros(columns.shape[1] - len(penalty)), penalty])
    coefficients = np.linalg.solve(columns.T @ columns + np.diag(penalty), columns.T @ part)
    return columns_of(at, prior.low) @ coefficients


def uneven_prior(size: int, low: int) -> Prior:
    return Prior(low, np.linspace(0.3, 2.0, size), Prior.of(np.ones(size), low).near, np.array([0.5, 0.05, 0.3]))


@pytest.mark.parametrize("low", [0, 1])
def test_the_fit_is_the_ridge_regression_on_written_out_terms(low: int) -> None:
    sample = draw(9, 120, seed=0)
    part = np.random.default_rng(0).normal(size=sample.pairs)
    prior = uneven_prior(9, low)
    fit = Fit.to(sample.members, part, prior)
    expected = written_out_ridge(sample.members, part, prior, everything(9))
    np.testing.assert_allclose(fit.predict(everything(9)), expected, atol=1e-9)
    np.testing.assert_allclose(fit.strengths, part - fit.predict(sample.members), atol=1e-9)


@pytest.mark.slow
def test_surprise_is_what_a_fit_without_each_pair_misses() -> None:
    sample = draw(7, 60, seed=1)
    part, prior = np.random.default_rng(3).normal(size=sample.pairs), uneven_prior(7, 1)
    whole, squares = Fit.to(sample.members, part, prior), []
    for place in range(sample.pairs):
        others = np.arange(sample.pairs) != place
        missed = part[place] - Fit.to(sample.members[others], part[others], prior).predict(sample.members[[place]])[0]
        squares.append(missed**2 * whole.projection[place, place] / whole.noise)
    assert whole.surprise == pytest.approx(np.mean(squares))


def fits_of(sample: Draw, part: FloatArray, low: int) -> Fit:
    return Fit.to(sample.members, part, uneven_prior(sample.size, low))


@pytest.mark.parametrize("low", [0, 1])
def test_indices_of_the_fitted_model_are_those_of_its_predictions_for_all_coalitions(low: int) -> None:
    size = 7
    sample = draw(size, 60, seed=2)
    part = np.random.default_rng(1).normal(size=sample.pairs)
    fit = fits_of(sample, part, low)
    table = fit.predict(everything(size))
    whole = draw(size, 2**size, seed=0)
    truth = weigh(whole, values_of(whole, table))
    model = Evidence(sample, np.zeros((2, sample.pairs)), [fit])
    shapley = weights.shapley_value(size)
    np.testing.assert_allclose(
        player_estimate(model, shapley).values, player_estimate(truth, shapley).values, atol=1e-9
    )
    for index in PAIR_INDICES:
        expected = pair_estimate(truth, index(size)).values
        np.testing.assert_allclose(pair_estimate(model, index(size)).values, expected, atol=1e-9)


@pytest.mark.parametrize("low", [0, 1])
def test_stated_errors_are_those_of_a_normal_distribution_over_all_coalitions(low: int) -> None:
    """Its covariance written out: terms, and a value of its own for every pair. Free terms have a huge variance."""
    size, huge = 6, 1e7
    sample = draw(size, 46, seed=3)
    fit = fits_of(sample, np.random.default_rng(4).normal(size=sample.pairs), low)
    whole = draw(size, 2**size, seed=0).members
    columns, shrunk = columns_of(whole, low), expected_variances(fit.prior)
    variances = np.concatenate([np.full(columns.shape[1] - len(shrunk), huge), shrunk])
    covariance = (columns * variances) @ columns.T + np.eye(len(whole))
    known = np.array([row.tobytes() in keys(sample.members) for row in whole])
    gain = np.linalg.solve(covariance[np.ix_(known, known)], covariance[known])
    left = fit.noise * (covariance - covariance[:, known] @ gain)

    def of_each_pair(estimate: str, index: object) -> FloatArray:
        """The index as a matrix: what a value of one in a single pair's part gives."""
        find = {"players": player_estimate, "arrows": pair_estimate}[estimate]
        sides, found = np.array([1.0, 1.0 - 2 * low]), []
        for place in range(len(whole)):
            values = np.zeros((2, len(whole)))
            values[:, place] = sides
            found.append(find(Evidence(Draw(whole, whole.sum(axis=1), np.ones(1)), values), index).values)
        return np.moveaxis(np.array(found), 0, -1)

    evidence = Evidence(sample, np.zeros((2, sample.pairs)), [fit])
    degrees = sample.pairs - (size if low else 1)
    widened = WIDENED * stdtrit(degrees, 0.975) / 1.959964 * np.sqrt(max(1.0, fit.surprise))
    cases = [("players", player_estimate(evidence, weights.shapley_value(size)), weights.shapley_value(size))]
    cases += [("arrows", pair_estimate(evidence, index(size)), index(size)) for index in PAIR_INDICES]
    for kind, estimate, index in cases:
        linear = of_each_pair(kind, index)
        expected = np.einsum("...p,pq,...q->...", linear, left, linear)
        np.testing.assert_allclose(estimate.errors, widened * np.sqrt(np.maximum(expected, 0)), rtol=1e-3, atol=1e-5)


def test_neighbours_are_expected_to_interact_more_than_words_far_apart() -> None:
    prior = Prior.of(np.ones(12), low=1)
    variance = dict(zip(map(tuple, prior.near.tolist()), prior.near_variances.tolist(), strict=True))
    assert variance[0, 1, 2] == pytest.approx(4 * variance[0, 2, 5])
    assert (0, 1, 6) not in variance
    assert sum(variance.values()) == pytest.approx(EXPRESSED[2])


def minus_log_likelihood(prior: Prior, members: BoolArray, values: FloatArray) -> float:
    """Of values with a normal distribution, by its written-out covariance; the free terms are projected out."""
    columns = columns_of(members, prior.low)
    variances = expected_variances(prior)
    shrunk, free = columns[:, -len(variances) :], columns[:, : -len(variances)]
    outside = np.linalg.svd(free)[0][:, np.linalg.matrix_rank(free) :]
    covariance = outside.T @ (np.eye(len(values)) + (shrunk * variances) @ shrunk.T) @ outside
    seen = outside.T @ values
    noise = seen @ np.linalg.solve(covariance, seen) / len(seen)
    return float(len(seen) * np.log(noise) + np.linalg.slogdet(covariance)[1]) / 2


@pytest.mark.slow
@pytest.mark.parametrize("low", [0, 1])
def test_the_likelihood_of_a_prior_and_its_slope_are_those_of_the_written_out_terms(low: int) -> None:
    sample = draw(8, 90, seed=1)
    random = np.random.default_rng(2)
    values, prior = random.normal(size=len(sample.strata)), uneven_prior(8, low)
    signs = np.where(sample.members, 1.0, -1.0)
    likelihood = Likelihood(prior, signs, values)
    here, there = random.normal(scale=0.3, size=(2, 11))
    here[:8] = there[:8] = 0  # where the distribution of involvements adds nothing
    written = [minus_log_likelihood(likelihood.moved(by), sample.members, values) for by in (here, there)]
    assert likelihood(here)[0] - likelihood(there)[0] == pytest.approx(written[0] - written[1], abs=1e-8)
    by, small = random.normal(scale=0.3, size=11), 1e-5
    steps = small * np.eye(11)
    slope = [(likelihood(by + step)[0] - likelihood(by - step)[0]) / (2 * small) for step in steps]
    np.testing.assert_allclose(likelihood(by)[1], slope, atol=1e-6)


@pytest.mark.slow
def test_a_game_says_which_players_take_part_in_its_interactions() -> None:
    """None matters alone, and of ten only the last four interact."""
    sample = draw(10, 300, seed=0)
    signs = np.where(sample.members, 1.0, -1.0)
    values = signs[:, 6] * signs[:, 7] * signs[:, 9] - 2 * signs[:, 6] * signs[:, 8] * signs[:, 9]
    values += 0.01 * np.random.default_rng(0).normal(size=len(values))
    found = tuned(Prior.of(np.ones(10), low=1), signs, values).involvement
    assert found[6:].min() > 1.5 * found[:6].max()


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
@pytest.mark.parametrize("size", [6, 10, 40])
@pytest.mark.parametrize("kind", ["one term", "all of them", "only the last", "a single one", "noise"])
def test_a_game_of_any_kind_leaves_a_prior_that_can_be_fitted(kind: str, size: int, scale: float) -> None:
    """Some are without noise: the likelihood would go on rising for ever."""
    sample = draw(size, 300 if size > 6 else 50, seed=0)
    signs, present = np.where(sample.members, 1.0, -1.0), sample.members
    values = {
        "one term": signs[:, 0] * signs[:, 1] * signs[:, 2],
        "all of them": signs.prod(axis=1),
        "only the last": np.where(present[:, -1] & ~present[:, 0], 1.0, 0.0),
        "a single one": np.eye(len(signs))[3],
        "noise": np.random.default_rng(1).normal(size=len(signs)),
    }[kind]
    for low in (0, 1):
        prior = refined(tuned(Prior.of(np.ones(size), low), signs, scale * values), signs, scale * values)
        assert np.isfinite(Fit.to(present, scale * values, prior).strengths).all()


def test_nothing_is_learned_from_a_game_without_interactions() -> None:
    sample = draw(10, 300, seed=0)
    signs = np.where(sample.members, 1.0, -1.0)
    for values in (np.zeros(len(signs)), signs @ np.arange(10.0)):
        prior = Prior.of(np.ones(10), low=1)
        assert tuned(prior, signs, values) is prior
        assert refined(prior, signs, values) is prior


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


@pytest.mark.slow
def test_shapley_values_and_their_errors_need_the_odd_part_only() -> None:
    sample = draw(10, 300, seed=4)
    values = values_of(sample, np.random.default_rng(3).normal(size=2**10))
    index = weights.shapley_value(10)
    both, odd = (player_estimate(weigh(sample, values, odd_only=each), index) for each in (False, True))
    np.testing.assert_allclose(odd.values, both.values, atol=1e-9)
    np.testing.assert_allclose(odd.errors, both.errors, atol=1e-9)


@pytest.mark.parametrize("most_fitted", [2304, 40])
@pytest.mark.parametrize("budget", [200, 512])
def test_values_weighed_again_say_the_same_and_are_linear(
    budget: int, most_fitted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what is expected kept: of the same values the same estimates, of a sum of values their sum; no errors."""
    monkeypatch.setattr("espalier.explain.coalitions.estimate.MOST_FITTED", most_fitted)
    source = np.random.default_rng(8)
    sample = draw(9, budget, seed=1)
    one, other = (values_of(sample, source.normal(size=2**9)) for _ in range(2))
    evidence = weigh(sample, one)
    players, pairs = weights.shapley_value(9), weights.synergy(9)

    def again(values: FloatArray) -> tuple[FloatArray, FloatArray]:
        found = weigh_again(evidence, sample, values)
        estimates = player_estimate(found, players, errors=False), pair_estimate(found, pairs, errors=False)
        assert not any(estimate.errors.any() for estimate in estimates)
        return estimates[0].values, estimates[1].values

    np.testing.assert_allclose(again(one)[0], player_estimate(evidence, players).values, atol=1e-10)
    np.testing.assert_allclose(again(one)[1], pair_estimate(evidence, pairs).values, atol=1e-10)
    for index in (0, 1):
        np.testing.assert_allclose(again(one + other)[index], again(one)[index] + again(other)[index], atol=1e-9)


@pytest.mark.slow
def test_pairs_beyond_the_fitted_ones_still_correct_the_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(5).normal(size=2**9)
    whole = draw(9, 2**9, seed=0)
    truth = player_estimate(weigh(whole, values_of(whole, table)), weights.shapley_value(9)).values
    monkeypatch.setattr("espalier.explain.coalitions.estimate.MOST_FITTED", 40)
    found = []
    for seed in range(150):
        sample = draw(9, 300, seed)
        with one_thread_for_algebra():
            evidence = weigh(sample, values_of(sample, table), odd_only=True)
        found.append(player_estimate(evidence, weights.shapley_value(9)).values)
    deviations = (np.mean(found, axis=0) - truth) / (np.std(found, axis=0) / np.sqrt(len(found)))
    assert np.abs(deviations).max() < 3.5
