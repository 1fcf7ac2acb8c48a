"""Explanations of next words equal what plain transformers say, coalition by coalition."""

import os
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest
import torch
from tests.models.causal.brute_force import BruteForce
from tests.models.causal.conftest import network

from espalier.engine.explainer import Explainer
from espalier.explain.plan import Arrange, GameShape
from espalier.explain.registry import methods
from espalier.explain.request import ExplanationRequest
from espalier.explain.toy import Toy
from espalier.models.causal.head import log_probabilities
from espalier.models.causal.model import CausalModel
from espalier.models.next_words import OTHER
from espalier.text import read
from espalier.trees.tree import SpanTree, from_spans

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
SMALL: dict[str, dict[str, Any]] = {
    "asiv-published": {"orders": 3},
    "lime": {"samples": 60},
    "sampled-shapley": {"orders": 8},
}
COMPARED = int(os.environ.get("ESPALIER_COMPARED_PROMPTS", "1"))
"""Of the ten: all of them with all methods take some minutes."""
METHODS = sorted(name for name, method in methods().items() if not method.inspects)


@pytest.fixture(params=["llama", "gpt2"])
def architecture(request) -> str:
    return request.param


def halves(size: int) -> SpanTree:
    """A text parted in two, and its parts again, down to the words."""
    spans, waiting = {}, [(0, size)]
    while waiting:
        start, end = waiting.pop()
        spans[start, end] = ("X",)
        if end - start > 1:
            middle = (start + end) // 2
            waiting += [(start, middle), (middle, end)]
    return from_spans(size, spans)


def explainer_of(model) -> Explainer:
    return Explainer(lambda _: model, lambda passage: halves(len(passage.words)))


def numbers(document: Any) -> np.ndarray:
    """All numbers of a result, in their order."""
    if isinstance(document, dict):
        return np.concatenate([numbers(each) for each in document.values()] or [np.empty(0)])
    if isinstance(document, list | tuple):
        return np.concatenate([numbers(each) for each in document] or [np.empty(0)])
    return np.array([float(document)] if isinstance(document, int | float) else [])


def fixed_part(result: Any) -> np.ndarray:
    """What MAHE finds before it chooses groups. For those it trains networks on the values and goes by what they have
    learned: on a model of random weights many are nearly tied, and the machine's rounding decides."""
    linear = result.levels[0]
    return np.array(
        [result.full, result.intercept, *result.coefficients, *result.standard_errors, linear.r2_train, linear.bias]
    )


@cache
def brute_force(model: CausalModel, text: str) -> BruteForce:
    """What it found is remembered for all methods."""
    return BruteForce(network(model.name), model, text)


@pytest.mark.parametrize("text", PROMPTS[:COMPARED])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_finds_what_it_finds_with_plain_transformers(hosted, architecture, name, text):
    model, method = hosted(architecture), methods()[name]
    brute = brute_force(model, text)
    if brute.size < method.minimum_players:
        pytest.skip(f"{name} needs {method.minimum_players} words")
    settings = SMALL.get(name, {})
    if name == "mahe":
        settings = {"samples": max(100, 10 * (brute.size + 2))}
    found = explainer_of(model).explain(
        ExplanationRequest(text=text, model="own", method=name, outcome=" lovely", parameters=settings)
    )
    words = tuple(word.text for word in read(text).words)
    shape = GameShape(words, (" lovely",), 0, halves(brute.size))
    parameters = method.parameters(**settings)
    lovely = model.writing.tokens_of(" lovely")

    def moved(step: Arrange) -> np.ndarray:
        asked = zip(step.coalitions.tolist(), step.words.tolist(), step.places.tolist(), strict=True)
        return np.array([[brute.moved(tuple(row), word, place, lovely)] for row, word, place in asked])

    expected = Toy(brute.table(lovely), moved).run(method.start(shape, parameters))
    assert found.scale == "log_odds"
    if name == "mahe":
        found_parts, expected_parts = (fixed_part(each) for each in (found.result, expected))
        np.testing.assert_allclose(found_parts, expected_parts, atol=1e-4, rtol=1e-4)
        return
    np.testing.assert_allclose(
        numbers(found.result.model_dump(mode="json")), numbers(expected.model_dump(mode="json")), atol=1e-4, rtol=1e-4
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reference"), [(text, "pad") for text in PROMPTS] + [(text, "delete") for text in PROMPTS[:5]]
)
def test_shap_values_are_those_of_plain_transformers(hosted, architecture, text, reference):
    model = hosted(architecture)
    found = explainer_of(model).explain(
        ExplanationRequest(text=text, model="own", method="shap", outcome=" good", reference=reference)
    )
    closes_up = reference == "delete"
    brute = BruteForce(network(architecture), model, text, closes_up) if closes_up else brute_force(model, text)
    everyone = np.array(np.meshgrid(*[[False, True]] * brute.size)).T.reshape(-1, brute.size)
    values = brute.table(model.writing.tokens_of(" good"))(everyone)
    assert found.result.exact
    np.testing.assert_allclose(found.result.values, shapley(everyone, values), atol=1e-4)


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
    table = brute.table(model.writing.tokens_of(" splendid"), model.writing.tokens_of(against))
    full, base = table(np.array([[True] * brute.size, [False] * brute.size]))
    assert found.classes[found.against] == against
    assert found.result.full == pytest.approx(full, abs=1e-4)
    assert found.result.base == pytest.approx(base, abs=1e-4)
    left_out = table(~np.eye(brute.size, dtype=bool))
    np.testing.assert_allclose(found.result.values, full - left_out, atol=1e-4)


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
    scores = np.exp(brute._scores((True,) * brute.size, ()))
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
