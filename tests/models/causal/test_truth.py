"""Explanations of next words equal what plain transformers say, coalition by coalition."""

import os
from functools import cache
from math import comb

import numpy as np
import pytest
import torch
from benchmarks.truth.apart import differences
from benchmarks.truth.brute_force import BruteForce, Truth, everyone
from benchmarks.truth.compared import METHODS, TOLERANCE, Question, expected, explain, explainer_of, numbers
from benchmarks.truth.shipped import QUESTIONS
from tests.models.causal.conftest import network

from espalier.explain.registry import methods
from espalier.explain.request import ExplanationRequest
from espalier.models.causal.head import log_probabilities
from espalier.models.causal.model import CausalModel
from espalier.models.next_words import OTHER
from espalier.text import read

PROMPTS = [
    "the film was not good",
    "the music was lovely, but the end",
    "never dull",
    "not good but not dull",
    "the end was  lovely and\nthe film",
    "A film: the music",
    "🎬 was good",
    "the film was never good and the end was not lovely",
    "good",
    "und das Ende war",
]
COMPARED = int(os.environ.get("ESPALIER_COMPARED_PROMPTS", "2"))
"""Of the ten: all of them with all methods take some minutes, as do those of `python -m benchmarks.truth`."""


@pytest.fixture(params=["llama", "gpt2"])
def architecture(request) -> str:
    return request.param


@cache
def truth(model: CausalModel, text: str) -> Truth:
    """All values of a game, made once for all methods."""
    return Truth(BruteForce(network(model.name), model, text), model.writing.tokens_of(" lovely"))


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    """To an absolute difference: a large number has no more room than a small one."""
    np.testing.assert_allclose(found, expected, atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("text", PROMPTS[:COMPARED])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_finds_what_it_finds_with_plain_transformers(hosted, architecture, name, text):
    model, known = hosted(architecture), truth(hosted(architecture), text)
    if known.size < methods()[name].minimum_players:
        pytest.skip(f"{name} needs {methods()[name].minimum_players} words")
    question = Question(text, " lovely")
    found = explain(explainer_of(model), question, name, known.size)
    assert_same(numbers(found), numbers(expected(found, question, known)))


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS[:3:2], ids=lambda each: each.text)
def test_on_the_shipped_transformer_every_method_finds_what_it_finds_with_plain_transformers(question):
    for name, apart in differences(question).items():
        assert apart.settled <= TOLERANCE, name
        # Where single precision is not enough, ours is no worse than plain transformers'.
        assert apart.single is None or apart.own <= 3 * apart.single, name


def test_a_table_of_all_coalitions_is_what_they_are_one_at_a_time(hosted, architecture):
    """In batches, and for a word of several tokens."""
    model, text = hosted(architecture), PROMPTS[5]
    brute = BruteForce(network(architecture), model, text)
    for word in (" lovely", " wonderful"):
        tokens = model.writing.tokens_of(word)
        alone = [brute.log_probability(tuple(row), tokens) for row in everyone(brute.size).tolist()]
        np.testing.assert_allclose(brute.table(tokens), alone, atol=1e-5, rtol=0)


def test_mahe_finds_the_same_groups_in_the_same_values(hosted):
    """What is taken over where values differ in their last bits: the networks themselves are no matter of chance."""
    model, text = hosted("llama"), PROMPTS[0]
    request = ExplanationRequest(text=text, model="own", method="mahe", outcome=" lovely", parameters={"samples": 100})
    first, second = (explainer_of(model).explain(request).result for _ in range(2))
    assert first.ranking
    assert first == second


@pytest.mark.parametrize(
    ("text", "reference"), [(text, "pad") for text in PROMPTS] + [(text, "delete") for text in PROMPTS[:5]]
)
def test_shap_values_are_those_of_plain_transformers(hosted, architecture, text, reference):
    model = hosted(architecture)
    found = explainer_of(model).explain(
        ExplanationRequest(text=text, model="own", method="shap", outcome=" good", reference=reference)
    )
    closes_up = reference == "delete"
    brute, good = BruteForce(network(architecture), model, text, closes_up), model.writing.tokens_of(" good")
    coalitions = everyone(brute.size)
    if closes_up:
        values = np.array([brute.log_odds(tuple(row), good) for row in coalitions.tolist()])
    else:
        values = Truth(brute, good)(coalitions)
    assert found.result.exact
    assert_same(found.result.values, shapley(coalitions, values))


def shapley(coalitions: np.ndarray, values: np.ndarray) -> np.ndarray:
    """From all values, by the definition."""
    size = coalitions.shape[1]
    value = {row.tobytes(): each for row, each in zip(coalitions, values, strict=True)}
    found = np.zeros(size)
    for row in coalitions:
        for player in np.flatnonzero(~row):
            with_player = row.copy()
            with_player[player] = True
            weight = 1 / (size * comb(size - 1, int(row.sum())))
            found[player] += weight * (value[with_player.tobytes()] - value[row.tobytes()])
    return found


@pytest.mark.parametrize("against", [" dull", " wonderful"])
def test_a_contrast_is_the_difference_of_two_logarithms(hosted, architecture, against):
    model, text = hosted(architecture), PROMPTS[1]
    found = explainer_of(model).explain(
        ExplanationRequest(text=text, model="own", method="leave-one-out", outcome=" splendid", against=against)
    )
    brute = BruteForce(network(architecture), model, text)
    table = Truth(brute, model.writing.tokens_of(" splendid"), model.writing.tokens_of(against))
    full, base = table(np.array([[True] * brute.size, [False] * brute.size]))
    assert found.classes[found.against] == against
    assert found.result.full == pytest.approx(full, abs=1e-4)
    assert found.result.base == pytest.approx(base, abs=1e-4)
    left_out = table(~np.eye(brute.size, dtype=bool))
    assert_same(found.result.values, full - left_out)


def test_words_of_several_tokens_are_chains_and_everything_adds_up_to_one(hosted, architecture):
    model, text = hosted(architecture), PROMPTS[0]
    words = [" lovely", " wonderful", " wondering", "!", " dull"]
    encoding = model.encode(read(text))
    outcomes = model.choose(encoding, words, count=0)
    found = np.exp(model.outputs([encoding.row()], outcomes)[0])
    brute = BruteForce(network(architecture), model, text)
    chains = [np.exp(brute.log_probability((True,) * brute.size, model.writing.tokens_of(word))) for word in words]
    assert outcomes.names == (*words, OTHER)
    assert max(len(pieces) for pieces in model.pieces(outcomes)) > 3
    np.testing.assert_allclose(found[:-1], chains, rtol=1e-4)
    assert found[-1] == pytest.approx(1 - sum(chains), rel=1e-5)


def test_the_rest_is_right_where_it_is_almost_nothing(hosted):
    """Summed up, not subtracted from one."""
    model = hosted("llama")
    encoding = model.encode(read(PROMPTS[0]))
    hidden = model.network.ends([encoding.row()]).double()
    scores = model.network.logits(hidden.float())[0].double()
    likely = torch.topk(scores, len(scores) - 3).indices.tolist()
    _, rest = log_probabilities(model.network, hidden.float(), likely)
    others = [index for index in range(len(scores)) if index not in likely]
    expected = torch.logsumexp(scores[others], 0) - torch.logsumexp(scores, 0)
    assert rest[0] == pytest.approx(expected.item(), abs=1e-5)


def test_the_likeliest_words_are_the_likeliest_and_come_first(hosted, architecture):
    model, text = hosted(architecture), PROMPTS[2]
    encoding = model.encode(read(text))
    outcomes = model.choose(encoding, count=5)
    probabilities = np.exp(model.outputs([encoding.row()], outcomes)[0])[:-1]
    brute = BruteForce(network(architecture), model, text)
    scores = np.exp(brute.scores((True,) * brute.size))
    assert list(probabilities) == sorted(probabilities, reverse=True)
    offered = [scores[token] for token in np.argsort(-scores) if model.writing.text_of(int(token)) is not None]
    np.testing.assert_allclose(probabilities, offered[:5], rtol=1e-4)


def test_surprise_is_the_chain_of_the_words_that_came(hosted, architecture):
    model, text = hosted(architecture), PROMPTS[4]
    passage = read(text)
    found = model.surprise(passage, 3)
    plain = network(architecture)
    encoding = model.encode(passage)
    with torch.inference_mode():
        scores = torch.log_softmax(plain(input_ids=torch.tensor([encoding.ids])).logits[0].double(), -1)
    bits = np.zeros(len(passage.words))
    for place in range(1, len(encoding.ids)):
        bits[encoding.owners[place]] -= float(scores[place - 1, encoding.ids[place]]) / np.log(2)
    np.testing.assert_allclose([each.bits for each in found], bits, rtol=1e-4)
    assert all("".join(each.pieces).strip() == word.text for each, word in zip(found, passage.words, strict=True))
