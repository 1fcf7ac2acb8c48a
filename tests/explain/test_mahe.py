"""MAHE on games whose interactions are known."""

from collections.abc import Callable
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from espalier.explain.local_fit import least_squares
from espalier.explain.mahe.levels import LocalData, fit_level, fit_linear
from espalier.explain.mahe.method import MaheParameters, MaheResult, mahe
from espalier.explain.mahe.sample import local_sample, split
from espalier.explain.mahe.terms import Basis, Players
from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.explain.registry import method
from espalier.explain.toy import Toy
from espalier.problems import BadParameter, TooLong

Game = Callable[[BoolArray], FloatArray]


def shape(players: int) -> GameShape:
    return GameShape(tuple(f"w{i}" for i in range(players)), ("yes",), 0)


def run(game: Game, players: int, **settings: object) -> tuple[MaheResult, Toy]:
    toy = Toy(game)
    return toy.run(mahe(shape(players), MaheParameters.model_validate(settings))), toy


def linear_game(coalitions: BoolArray) -> FloatArray:
    return 0.3 + coalitions @ np.linspace(-1, 1, coalitions.shape[1])


def pair_game(coalitions: BoolArray) -> FloatArray:
    return linear_game(coalitions) + 3.0 * (coalitions[:, 1] & coalitions[:, 5])


def pair_and_triple_game(coalitions: BoolArray) -> FloatArray:
    return pair_game(coalitions) - 2.5 * coalitions[:, [0, 2, 3]].all(axis=1)


def test_a_linear_game_stops_at_the_linear_level_with_a_perfect_fit() -> None:
    result, _ = run(linear_game, 9)
    assert len(result.levels) == 1
    assert result.levels[0].r2_held_out == pytest.approx(1)
    assert result.coefficients == pytest.approx(np.linspace(-1, 1, 9))
    assert result.intercept == pytest.approx(0.3)
    assert max(result.standard_errors) < 1e-9
    assert result.ranking == ()


def test_a_constant_game_is_explained_by_its_intercept() -> None:
    result, _ = run(lambda coalitions: np.full(len(coalitions), 0.7), 9)
    assert result.intercept == pytest.approx(0.7)
    assert result.coefficients == pytest.approx([0] * 9, abs=1e-12)
    assert [level.r2_held_out for level in result.levels] == [1.0]


def test_the_fit_is_perfect_once_the_one_interaction_is_added() -> None:
    result, _ = run(pair_game, 8)
    linear, added = result.levels
    assert linear.r2_held_out < 0.97
    assert added.added == (1, 5)
    assert added.r2_train == pytest.approx(1)
    assert added.r2_held_out == pytest.approx(1)
    assert added.terms[0].contribution == pytest.approx(3)
    assert added.terms[0].standard_error < 1e-9


def test_levels_add_one_interaction_each_until_nothing_is_left() -> None:
    result, _ = run(pair_and_triple_game, 8)
    assert {level.added for level in result.levels[1:]} == {(1, 5), (0, 2, 3)}
    assert [len(level.terms) for level in result.levels] == [0, 1, 2]
    fits = [level.r2_held_out for level in result.levels]
    assert fits == sorted(fits)
    assert fits[-1] == pytest.approx(1)
    assert {term.players: term.contribution for term in result.levels[-1].terms} == pytest.approx(
        {(1, 5): 3.0, (0, 2, 3): -2.5}
    )


def test_the_last_level_adds_up_to_the_model_at_the_full_text() -> None:
    result, _ = run(pair_and_triple_game, 8)
    last = result.levels[-1]
    linear = result.intercept + sum(result.coefficients)
    added = last.bias + sum(last.corrections) + sum(term.contribution for term in last.terms)
    assert linear + added == pytest.approx(result.full)


def test_coefficients_with_their_corrections_are_what_single_words_say() -> None:
    result, _ = run(pair_and_triple_game, 8)
    assert np.add(result.coefficients, result.levels[-1].corrections) == pytest.approx(np.linspace(-1, 1, 8))


def test_the_papers_levels_correct_only_the_words_of_their_interactions() -> None:
    result, _ = run(pair_game, 8, correct_all_words=False, levels=1)
    level = result.levels[1]
    assert level.added == (1, 5)
    assert np.flatnonzero(level.corrections).tolist() == [1, 5]
    assert 0.98 < level.r2_held_out < 0.9999


@pytest.mark.parametrize("terms", ["cells", "network"])
def test_a_term_is_zero_while_at_most_one_of_its_words_is_present(terms: str) -> None:
    result, _ = run(pair_and_triple_game, 8, terms=terms)
    for term in result.levels[-1].terms:
        presences = list(product((0, 1), repeat=len(term.players)))
        assert [cell for present, cell in zip(presences, term.cells, strict=True) if sum(present) < 2] == [0.0] * (
            1 + len(term.players)
        )
        assert term.cells[-1] == pytest.approx(term.contribution)


def test_means_of_cells_and_networks_give_the_same_terms() -> None:
    by_cells, _ = run(pair_and_triple_game, 8)
    by_networks, _ = run(pair_and_triple_game, 8, terms="network")
    assert [level.added for level in by_networks.levels] == [level.added for level in by_cells.levels]
    for cells, network in zip(by_cells.levels[-1].terms, by_networks.levels[-1].terms, strict=True):
        assert network.cells == pytest.approx(cells.cells, abs=0.01)
    assert by_networks.levels[-1].r2_held_out > 0.9999


def test_networks_train_where_gradients_are_switched_off() -> None:
    with torch.inference_mode():
        result, _ = run(lambda c: (c[:, 0] ^ c[:, 1]).astype(float), 3, terms="network")
    assert result.levels[-1].r2_held_out > 0.99


def test_a_single_term_fits_the_weighted_mean_of_what_is_left_in_each_cell() -> None:
    sample = local_sample(8, 500, 1.0, seed=3)
    values = np.random.default_rng(4).standard_normal(len(sample.coalitions))
    data = LocalData(sample, values, split(sample, seed=5), seed=0)
    linear = fit_linear(data)
    level, left = fit_level(data, linear, Basis(((2, 6),), words=(2, 6)), "cells")
    fitted = linear.leftover - left
    for cell in product((False, True), repeat=2):
        inside = data.split.training[(sample.coalitions[data.split.training][:, [2, 6]] == cell).all(axis=1)]
        mean = np.average(linear.leftover[inside], weights=sample.weights[inside])
        assert fitted[inside] == pytest.approx(np.full(len(inside), mean))
    assert level.basis.cells(0, level.coefficients) == pytest.approx((0, 0, 0, level.coefficients[-1]))


interactions = st.lists(
    st.sets(st.integers(0, 4), min_size=2, max_size=4).map(lambda players: tuple(sorted(players))),
    min_size=1,
    max_size=4,
    unique=True,
)


@given(interactions, st.integers(0, 2**32 - 1))
def test_overlapping_terms_keep_their_sum_when_each_product_goes_to_the_first_term_that_has_it(
    sets: list[Players], seed: int
) -> None:
    generator = np.random.default_rng(seed)
    tables = [generator.standard_normal(2 ** len(players)) for players in sets]
    corrections = generator.standard_normal(5)
    coalitions = np.array(list(product((False, True), repeat=5)))
    expected = 0.25 + coalitions @ corrections
    for players, table in zip(sets, tables, strict=True):
        for row, coalition in enumerate(coalitions):
            expected[row] += table[int("".join(str(int(coalition[player])) for player in players), 2)]
    basis = Basis(tuple(sets), words=(0, 1, 2, 3, 4))
    assert basis.design(coalitions) @ basis.coefficients(0.25, corrections, tables) == pytest.approx(expected)


@given(interactions)
def test_every_product_of_two_words_or_more_is_owned_once(sets: list[Players]) -> None:
    owned = [words for term in Basis(tuple(sets), words=()).products for words in term]
    possible = {words for players in sets for size in range(2, 5) for words in combinations(players, size)}
    assert len(owned) == len(set(owned))
    assert set(owned) == possible


def test_terms_do_not_depend_on_what_single_words_say() -> None:
    plain, _ = run(lambda coalitions: 3.0 * (coalitions[:, 1] & coalitions[:, 5]), 8)
    tilted, _ = run(lambda c: 3.0 * (c[:, 1] & c[:, 5]) + c @ np.arange(8.0), 8)
    assert plain.levels[-1].terms[0].cells == pytest.approx(tilted.levels[-1].terms[0].cells)


@pytest.mark.slow
def test_random_values_are_not_explained_by_any_interaction() -> None:
    """Where every coalition has its own unrelated value, there is nothing to find, whatever the training rows say."""
    noise = np.random.default_rng(0).standard_normal(2**12)
    result, _ = run(lambda coalitions: noise[coalitions @ (1 << np.arange(12))], 12, samples=1000)
    assert len(result.levels) == 1
    assert result.levels[0].r2_held_out < 0.1
    assert result.levels[0].r2_standard_error > 0


def test_a_neighbourhood_of_few_coalitions_is_taken_whole() -> None:
    result, toy = run(lambda c: (c[:, 0] ^ c[:, 1]).astype(float), 3)
    assert toy.distinct == result.distinct == 2**3
    assert result.held_out == 0
    assert result.standard_errors == (0, 0, 0)
    assert result.levels[-1].added == (0, 1)
    assert result.levels[-1].terms[0].contribution == pytest.approx(-2)
    assert result.levels[-1].r2_held_out == pytest.approx(1)


def test_a_whole_neighbourhood_weighs_what_many_draws_would() -> None:
    whole = local_sample(5, 1000, 1.0, seed=0)
    for absent in range(6):
        inside = (~whole.coalitions).sum(axis=1) == absent
        assert inside.sum() == comb(5, absent)
        assert whole.counts[inside].sum() == pytest.approx(1000 / 6)
        assert whole.kernel[inside] == pytest.approx(np.exp(-((absent / 5) ** 2) / 2))


def test_the_number_of_absent_words_is_uniform_up_to_the_edge_of_the_vicinity() -> None:
    draws = 20_000
    sample = local_sample(20, draws, 0.3, seed=1)
    absent = (~sample.coalitions).sum(axis=1)
    drawn = np.bincount(absent, weights=sample.counts)
    assert len(drawn) == 7
    assert np.abs(drawn - draws / 7).max() < 5 * np.sqrt(draws / 7)
    assert sample.coalitions[0].all()


def test_repeated_coalitions_are_asked_for_once() -> None:
    result, toy = run(pair_game, 8, samples=1000)
    assert toy.asked == toy.distinct == result.distinct < 2**8 < result.samples


def test_held_out_coalitions_are_never_trained_on() -> None:
    sample = local_sample(12, 800, 1.0, seed=0)
    parts = split(sample, seed=1)
    together = np.concatenate([parts.training, parts.validation, parts.test])
    assert sorted(together) == list(range(len(sample.coalitions)))
    assert 0 in parts.training
    assert len(parts.test) == len(parts.validation) == len(sample.coalitions) // 10


@pytest.mark.parametrize("draws", [300, 2000])
def test_standard_errors_of_coefficients_and_terms_cover_the_fit_to_all_coalitions(draws: int) -> None:
    """The truth is the fit to all 2^9 coalitions, with the weights that sampling gives them on average."""
    players, pair = 9, (1, 4)
    generator = np.random.default_rng(7)
    table = generator.standard_normal(2**players) * 0.3

    def game(coalitions: BoolArray) -> FloatArray:
        return (
            linear_game(coalitions)
            + 2.0 * coalitions[:, pair].all(axis=1)
            + table[coalitions @ (1 << np.arange(players))]
        )

    everything = np.array(list(product((False, True), repeat=players)))
    absent = (~everything).sum(axis=1)
    weights = np.array([np.exp(-((k / players) ** 2) / 2) / comb(players, k) for k in absent])
    design = np.column_stack([np.ones(len(everything)), everything])
    true_linear = least_squares(design, game(everything), weights)
    together = everything[:, pair].all(axis=1)
    true_term = least_squares(np.column_stack([design, together]), game(everything), weights)[-1]
    basis = Basis((pair,), tuple(range(players)))
    covered, runs = np.zeros(players + 1), 200
    for seed in range(runs):
        sample = local_sample(players, draws, 1.0, seed)
        data = LocalData(sample, game(sample.coalitions), split(sample, seed), seed)
        linear = fit_linear(data)
        level, _ = fit_level(data, linear, basis, "cells")
        found = np.append(linear.coefficients[1:], level.coefficients[-1])
        errors = np.sqrt(np.append(np.diag(linear.covariance)[1:], level.covariance[-1, -1]))
        covered += np.abs(found - np.append(true_linear[1:], true_term)) < 1.96 * errors
    assert 0.9 < covered.mean() / runs < 0.98


def test_the_linear_level_comes_first() -> None:
    result, toy = run(pair_and_triple_game, 8)
    assert [len(partial.levels) for partial in toy.partials] == [1, 2, 3]
    assert toy.partials[0].coefficients == result.coefficients
    assert toy.partials[-1] == result


def test_only_the_explained_class_counts() -> None:
    game = GameShape(("a", "b", "c"), ("no", "yes"), 1)
    toy = Toy(lambda coalitions: np.column_stack([np.full(len(coalitions), np.pi), coalitions @ [1.0, 2.0, 4.0]]))
    assert toy.run(mahe(game, MaheParameters())).coefficients == pytest.approx((1, 2, 4))


def test_the_seed_fixes_everything() -> None:
    first, _ = run(pair_and_triple_game, 8, seed=3, samples=400)
    again, _ = run(pair_and_triple_game, 8, seed=3, samples=400)
    other, _ = run(pair_and_triple_game, 8, seed=4, samples=400)
    assert first == again
    assert first.distinct != other.distinct or first.ranking != other.ranking


def test_too_few_samples_are_refused_before_any_work_with_the_fewest_possible() -> None:
    with pytest.raises(BadParameter, match="got 200, possible are 210 or more"):
        mahe(shape(20), MaheParameters(samples=200))


def test_too_few_and_too_many_players_are_refused() -> None:
    with pytest.raises(BadParameter, match="got 1, possible are 2 or more"):
        method("mahe").start(shape(1), MaheParameters())
    with pytest.raises(TooLong, match="got 101, possible are up to 100"):
        method("mahe").start(shape(101), MaheParameters())


def test_its_description_says_how_many_samples_each_word_takes() -> None:
    """The interface asks for that many without knowing the method by its name."""
    samples = MaheParameters.model_json_schema()["properties"]["samples"]
    assert samples["buys_precision"]
    assert samples["for_each_player"] == 10
