"""MAHE's diagnostics against plain computations: loops over the model, numpy's least squares, counting by hand."""

from itertools import combinations, product
from math import comb, exp, sqrt

import numpy as np
import pytest
import torch

from espalier.explain.mahe.method import MaheParameters
from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.explain.toy import Toy
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.context_free import context_free, polarity, term, words_of
from espalier.lab.interactions.fit import fit_table
from espalier.lab.interactions.places import as_frequent, matching, places
from espalier.lab.interactions.synthetic import FUNCTIONS, INPUTS, SPREAD, first_interaction, vicinity
from espalier.library import explain, shared_explainer
from espalier.measure.interactions import level_errors, local_term
from espalier.models.catalog import catalog
from espalier.problems import BadParameter

TEXTS = (
    "This is not a good film.",
    "Not very good.",
    "It is good, not bad.",
    "A good cast is not enough.",
    "They are not that good at it.",
    "The songs are good.",
)
PAIR = ("not", "good")
CNN = Asking(model="sst2-cnn", draws=200)


def shape(players: int) -> GameShape:
    return GameShape(tuple(f"w{i}" for i in range(players)), ("yes",), 0)


def pair_game(coalitions: BoolArray) -> FloatArray:
    both = coalitions[:, 1] & coalitions[:, 5]
    return 0.3 + coalitions @ np.linspace(-1, 1, coalitions.shape[1]) - 3.0 * both


def plain_log_odds(text: str, model: str = "sst2-cnn") -> tuple[list[tuple[int, ...]], FloatArray]:
    """Every subset of a text's words, absent ones padded, one forward pass each."""
    hosted = catalog().load(model)
    words = [hosted.vocabulary.id(word) for word in words_of(text)]
    subsets = list(product((0, 1), repeat=len(words)))
    values = []
    for subset in subsets:
        ids = torch.tensor([[word * there for word, there in zip(words, subset, strict=True)]])
        with torch.no_grad():
            negative, positive = hosted.network(ids, torch.tensor([len(words)]))[0].tolist()
        values.append(positive - negative)
    return subsets, np.array(values)


def plain_weights(subsets: list[tuple[int, ...]]) -> FloatArray:
    size = len(subsets[0])
    absent = [size - sum(subset) for subset in subsets]
    return np.array([exp(-((count / size) ** 2) / 2) / comb(size, count) for count in absent])


def plain_fit(
    subsets: list[tuple[int, ...]], values: FloatArray, *products: tuple[int, ...]
) -> tuple[FloatArray, FloatArray]:
    columns = np.array(
        [[1, *subset, *(int(all(subset[word] for word in each)) for each in products)] for subset in subsets], float
    )
    roots = np.sqrt(plain_weights(subsets))
    return np.linalg.lstsq(columns * roots[:, None], values * roots, rcond=None)[0], columns


def test_words_are_found_in_order_with_any_gap_and_the_nearest_are_taken() -> None:
    assert places(("not", "good"), ("this", "is", "not", "good")) == (2, 3)
    assert places(("not", "good"), ("good", "not", "a", "good", "good")) == (1, 3)
    assert places(("not", "good"), ("not", "bad", "not", "so", "good")) == (2, 4)
    assert places(("not", "good"), ("good", "not")) is None


def test_places_equal_a_search_of_all_combinations() -> None:
    generator = np.random.default_rng(0)
    for _ in range(300):
        text = tuple(generator.choice(list("abc"), size=7))
        wanted = tuple(generator.choice(list("abc"), size=int(generator.integers(2, 4))))
        fitting = [each for each in combinations(range(7), len(wanted)) if tuple(text[i] for i in each) == wanted]
        found = places(wanted, text)
        assert (found is None) == (not fitting)
        if found is not None:
            assert found in fitting
            assert found[-1] - found[0] == min(each[-1] - each[0] for each in fitting)


def test_random_pairs_are_about_as_frequent() -> None:
    generator = np.random.default_rng(1)
    texts = [tuple(generator.choice(["a", "b", "c", "d", "e", "."], size=6)) for _ in range(60)]
    wanted = ("a", "b")
    here = len(matching(wanted, texts))
    found = as_frequent(wanted, texts, 5, seed=0)
    assert len(found) == len(set(found)) == 5
    assert wanted not in found
    for pair in found:
        assert "." not in pair
        times = sum(any(text[i] == pair[0] and pair[1] in text[i + 1 :] for i in range(6)) for text in texts)
        assert here / 2 <= times <= 2 * here


def test_the_term_of_a_known_game_is_its_interaction() -> None:
    found = Toy(pair_game).run(local_term(shape(8), (1, 5), 500, 1.0, 0))
    assert found.contribution == pytest.approx(-3.0)
    assert (found.sign, found.clear) == (-1, True)
    coalitions = np.array([[True] * 8, [True] * 5 + [False] * 3])
    assert found.term(coalitions) == pytest.approx([-3.0, 0.0])
    nothing = Toy(pair_game).run(local_term(shape(8), (2, 6), 500, 1.0, 0))
    assert abs(nothing.contribution) < 3 * nothing.standard_error + 1e-9


def test_the_term_of_a_real_text_equals_a_plain_weighted_regression() -> None:
    text = "Not very good here ."
    coefficients, _ = plain_fit(*plain_log_odds(text), (0, 2))
    found = term(PAIR, text, shared_explainer(), CNN)
    assert found.contribution == pytest.approx(coefficients[-1], abs=1e-4)
    assert found.standard_error == 0  # every subset was seen


def test_the_errors_of_a_real_text_equal_plain_ones_and_those_of_the_method() -> None:
    text = "Not very good here ."
    subsets, values = plain_log_odds(text)
    coefficients, columns = plain_fit(subsets, values)
    plain = np.average((values - columns @ coefficients) ** 2, weights=plain_weights(subsets))
    (line,) = fit_table([text], shared_explainer(), [CNN])
    assert line.errors[0] is not None
    assert line.errors[0][0] == pytest.approx(plain, rel=1e-4)
    parameters = {"samples": 200}
    said = explain(text, "sst2-cnn", "mahe", target="positive", scale="log_odds", parameters=parameters).result
    spread = np.average(
        (values - np.average(values, weights=plain_weights(subsets))) ** 2, weights=plain_weights(subsets)
    )
    assert line.errors[0][1] == pytest.approx((1 - said.levels[1].r2_held_out) * spread, rel=1e-4)
    assert line.errors[0][2] == pytest.approx((1 - said.levels[-1].r2_held_out) * spread, rel=1e-4)
    assert said.levels[1].added
    (with_first, columns) = plain_fit(
        subsets,
        values,
        *(each for size in range(2, 6) for each in combinations(said.levels[1].added, size)),
    )
    plain_one = np.average((values - columns @ with_first) ** 2, weights=plain_weights(subsets))
    assert line.errors[0][1] == pytest.approx(plain_one, rel=1e-3, abs=1e-8)


def test_the_right_interaction_leaves_no_error() -> None:
    found = Toy(pair_game).run(level_errors(shape(8), MaheParameters(samples=1000)))
    assert found.linear > 0.01
    assert found.last is not None
    assert found.last < 1e-3 * found.linear


def test_a_table_has_the_means_of_its_texts_and_no_interactions_in_a_bag_of_words() -> None:
    askings = [Asking(model=name, draws=200) for name in ("sst2-cnn", "sst2-bow")]
    cnn, bow = fit_table(TEXTS, shared_explainer(), askings)
    found = [each for each in cnn.errors if each is not None]
    assert (cnn.found.count, cnn.found.of) == (len(found), len(TEXTS))
    for column, mean in enumerate((cnn.linear, cnn.one, cnn.last)):
        assert mean.mean == pytest.approx(sum(each[column] for each in found) / len(found))
    assert cnn.first_gain.mean == pytest.approx(sum(each[0] - each[1] for each in found) / len(found))
    assert (bow.found.count, bow.linear.mean) == (0, None)


def test_the_share_of_a_sign_is_counted_over_matching_texts_with_wilsons_interval() -> None:
    found = context_free(PAIR, TEXTS, shared_explainer(), CNN, random_pairs=0)
    with_words = [
        text for text in TEXTS if "not" in words_of(text) and "good" in words_of(text)[words_of(text).index("not") :]
    ]
    assert [each.text for each in found.occurrences] == with_words
    assert found.texts == len(with_words) == 3
    signs = [np.sign(each.contribution) for each in found.occurrences]
    most = max(signs.count(1), signs.count(-1))
    p, z, n = most / 3, 1.959963985, 3
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert (found.same.count, found.same.of) == (most, 3)
    assert (found.same.low, found.same.high) == pytest.approx((middle - half, min(1, middle + half)), abs=1e-6)
    assert found.mean.mean == pytest.approx(np.mean([each.contribution for each in found.occurrences]))


def test_words_of_a_bag_of_words_have_no_sign_together() -> None:
    found = polarity(PAIR, TEXTS[:2], shared_explainer(), Asking(model="sst2-bow", draws=200))
    assert [each.sign for each in found.occurrences] == [0, 0]
    assert (found.majority, found.share_of(found.majority).count) == (0, 0)


def test_random_pairs_stand_beside_it() -> None:
    texts = [
        f"{one} {two} {three}." for one, two, three in product(("not", "so", "very"), ("good", "bad", "dull"), "ab")
    ]
    found = context_free(PAIR, texts, shared_explainer(), CNN, random_pairs=3, most=2)
    assert found.random.n == len(found.random_pairs) == 3
    shares = [each.share for _, each in found.random_pairs]
    assert found.random.mean == pytest.approx(np.mean(shares))
    assert found.rank == (1 + sum(each >= found.same.share for each in shares)) / 4


def test_words_that_are_nowhere_are_refused() -> None:
    with pytest.raises(BadParameter, match="no text with never … seen"):
        context_free(("never", "seen"), TEXTS, shared_explainer(), CNN)
    with pytest.raises(BadParameter, match="two to four words: got 1"):
        context_free(("not",), TEXTS, shared_explainer(), CNN)


def test_draws_of_a_vicinity_are_a_gaussian_cut_off_at_one_standard_deviation() -> None:
    lengths = np.linalg.norm(vicinity(4000, np.random.default_rng(0)), axis=1) / SPREAD
    assert lengths.max() <= 1
    # The density of the length r in ten dimensions is r^9 exp(-r²/2): its mean by summing it up.
    grid = np.linspace(0, 1, 10_001)
    density = grid ** (INPUTS - 1) * np.exp(-(grid**2) / 2)
    assert lengths.mean() == pytest.approx((grid * density).sum() / density.sum(), abs=0.005)


def test_the_interaction_of_a_product_is_ranked_first() -> None:
    generator = np.random.default_rng(0)
    point = np.full(INPUTS, 0.2)
    assert FUNCTIONS[0].value(point[None]) == pytest.approx([10 * 0.04 + 8 * 0.2])
    assert first_interaction(FUNCTIONS[0], point, 600, generator) == (0, 1)
