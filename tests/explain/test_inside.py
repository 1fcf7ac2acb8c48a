"""Methods that look inside a model, each on a small model of random weights, against the game they explain."""

from itertools import pairwise
from math import factorial

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

from espalier.engine.run import Needed, Run
from espalier.explain.acd import AcdParameters, acd
from espalier.explain.contextual_decomposition import ContextualDecompositionParameters, contextual_decomposition
from espalier.explain.deep_shap import DeepShapParameters, deep_shap
from espalier.explain.integrated_gradients import IntegratedGradientsParameters, integrated_gradients
from espalier.explain.linear_shap import LinearShapParameters, linear_shap
from espalier.explain.plan import GameShape, Inspect, Partial
from espalier.explain.registry import methods
from espalier.games.game import make_game
from espalier.games.pool import Pool
from espalier.games.scales import SCALES, to_scale
from espalier.models.backbone import backbone
from espalier.models.families import HOUSE
from espalier.models.inside.decompose import Decomposition
from espalier.models.networks import BagOfWords, BidirectionalLSTM, KimCNN
from espalier.models.transformer import TransformerModel
from espalier.models.vocabulary import PAD, Vocabulary
from espalier.models.word_model import WordModel
from espalier.problems import BadParameter, NotSupported
from espalier.text import read
from espalier.trees.tree import flatten

CPU = torch.device("cpu")
WORDS = ("the", "film", "is", "not", "good", "bad", "dull", "but", "well", "made", "never")
TEXT = "The film is not good but well-made"
BACKGROUND = ("never dull", "the film is bad , not good", "good but dull , well made but never good")
CLASSES = ("bad", "mixed", "good")
TARGET = 2
NETWORKS = {
    "bow": lambda: BagOfWords(len(WORDS) + 2, 3),
    "cnn": lambda: KimCNN(len(WORDS) + 2, 3, vector_size=8, filters=6),
    "lstm": lambda: BidirectionalLSTM(len(WORDS) + 2, 3, vector_size=8, hidden=6),
}


@pytest.fixture(scope="module")
def models():
    """One model of each family, wide enough in its weights to be far from linear."""
    torch.manual_seed(0)
    made = {}
    for family, build in NETWORKS.items():
        network = build()
        for weights in network.parameters():
            torch.nn.init.normal_(weights, std=0.7)
        torch.nn.init.zeros_(network.embedding.weight[PAD])
        made[family] = WordModel(f"tiny-{family}", family, network, Vocabulary(WORDS), CLASSES, "1", CPU, 64)
    tokenizer = AutoTokenizer.from_pretrained(backbone("sentence-transformers/all-MiniLM-L6-v2").folder)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        num_labels=3,
        initializer_range=0.15,
    )
    network = BertForSequenceClassification(config)
    made["transformer"] = TransformerModel("tiny-bert", network, tokenizer, CLASSES, "1", CPU)
    return made


def game_of(model, text=TEXT, **options):
    return make_game(model, [read(text)], background=BACKGROUND, **options)


def explain(plan, parameters, game, scale="logit", target=TARGET):
    run = Run(plan(game.shape(target), parameters), game, Pool(), scale)
    while (step := run.advance()) is not None:
        run.receive(step, game.model.outputs(step.rows) if isinstance(step, Needed) else step.answer())
    return run.result


def values_of(game, coalitions, scale="logit"):
    return to_scale(game.summaries(np.float64(game.model.outputs(game.rows(coalitions)))), scale)[:, TARGET]


def everyone_and_no_one(game, scale="logit"):
    size = len(game.players)
    return values_of(game, np.array([[True] * size, [False] * size]), scale)


# Linear SHAP ---------------------------------------------------------------------------------------------------------


def shapley_by_enumeration(game):
    size = len(game.players)
    coalitions = (np.arange(2**size)[:, None] >> np.arange(size)) & 1 == 1
    values = values_of(game, coalitions)
    found = np.zeros(size)
    for number, coalition in enumerate(coalitions):
        before = int(coalition.sum())
        for player in np.flatnonzero(~coalition):
            weight = factorial(before) * factorial(size - before - 1) / factorial(size)
            found[player] += weight * (values[number | 1 << player] - values[number])
    return found


@pytest.mark.parametrize("reference", ["pad", "delete", "mask", "marginal"])
def test_linear_shap_is_the_shapley_value_of_the_bag_of_words(models, reference):
    game = game_of(models["bow"], reference=reference)
    result = explain(linear_shap, LinearShapParameters(), game)
    np.testing.assert_allclose(result.values, shapley_by_enumeration(game), atol=1e-5)
    assert result.exact
    assert result.additivity_error < 1e-5


def test_linear_shap_takes_logits_alone(models):
    game = game_of(models["bow"])
    for scale in set(SCALES) - {"logit"}:
        with pytest.raises(BadParameter, match=f"got scale = {scale}, possible is logit"):
            explain(linear_shap, LinearShapParameters(), game, scale)


# Deep SHAP -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["pad", "marginal"])
@pytest.mark.parametrize("text", [TEXT, "good", "dull , dull , never good"])
def test_deep_shap_sums_to_what_the_words_change(models, reference, text):
    game = game_of(models["cnn"], text, reference=reference)
    result = explain(deep_shap, DeepShapParameters(), game)
    full, base = everyone_and_no_one(game)
    assert sum(result.values) == pytest.approx(full - base, abs=1e-4)
    assert (result.full, result.base) == pytest.approx((full, base), abs=1e-5)
    assert result.additivity_error < 1e-4


def test_looking_inside_leaves_the_model_as_it_was(models):
    game = game_of(models["cnn"])
    before = everyone_and_no_one(game)
    explain(deep_shap, DeepShapParameters(), game)
    explain(integrated_gradients, IntegratedGradientsParameters(steps=3), game)
    np.testing.assert_array_equal(everyone_and_no_one(game), before)
    assert all(weights.grad is None for weights in models["cnn"].network.parameters())


# Integrated gradients ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["transformer", "cnn", "lstm"])
@pytest.mark.parametrize("reference", ["pad", "mask"])
def test_integrated_gradients_are_complete_and_end_at_the_models_own_value(models, family, reference):
    game = game_of(models[family], reference=reference)
    result = explain(integrated_gradients, IntegratedGradientsParameters(steps=200), game, "log_odds")
    assert result.full == pytest.approx(everyone_and_no_one(game, "log_odds")[0], abs=1e-4)
    assert result.additivity_error == pytest.approx(abs(result.base + sum(result.values) - result.full))
    assert result.additivity_error < 0.02 * abs(result.full - result.base)


def test_a_path_of_masks_begins_where_the_game_has_no_words(models):
    for family in ("transformer", "cnn", "lstm"):
        game = game_of(models[family], reference="mask")
        result = explain(integrated_gradients, IntegratedGradientsParameters(steps=2), game)
        assert result.base == pytest.approx(everyone_and_no_one(game)[1], abs=1e-4)


def test_integrated_gradients_equal_a_plain_riemann_sum(models):
    game = game_of(models["lstm"])
    network = models["lstm"].network
    vectors = network.embedding(torch.tensor([game.encoding.ids])).detach()
    total = torch.zeros_like(vectors)
    steps = 400
    for step in range(steps):
        point = ((step + 0.5) / steps * vectors).requires_grad_()
        probability = network.from_vectors(point, torch.tensor([vectors.shape[1]])).softmax(1)[0, TARGET]
        total += torch.autograd.grad(probability, point)[0] / steps
    tokens = (total * vectors).sum(2)[0].numpy()
    truth = [tokens[list(player.tokens)].sum() for player in game.players]
    result = explain(integrated_gradients, IntegratedGradientsParameters(steps=100), game, "probability")
    np.testing.assert_allclose(result.values, truth, atol=1e-4)


def test_more_steps_bring_the_error_down(models):
    game = game_of(models["transformer"])
    few, many = (
        explain(integrated_gradients, IntegratedGradientsParameters(steps=steps), game).additivity_error
        for steps in (2, 60)
    )
    assert many < few / 10


@pytest.mark.parametrize("reference", ["delete", "marginal"])
def test_gradients_need_a_single_stand_in(models, reference):
    game = game_of(models["lstm"], reference=reference)
    with pytest.raises(BadParameter, match=f"got reference = {reference}, possible are pad, mask"):
        explain(integrated_gradients, IntegratedGradientsParameters(), game)


@pytest.mark.parametrize(
    ("plan", "parameters", "family"),
    [
        (linear_shap, LinearShapParameters(), "bow"),
        (deep_shap, DeepShapParameters(), "cnn"),
        (integrated_gradients, IntegratedGradientsParameters(steps=8), "transformer"),
    ],
)
def test_a_phrase_that_plays_as_one_has_the_sum_of_its_words(models, plan, parameters, family):
    words = explain(plan, parameters, game_of(models[family])).values
    phrases = explain(plan, parameters, game_of(models[family], kind="spans", spans=[(3, 5)])).values
    np.testing.assert_allclose(phrases, [*words[:3], words[3] + words[4], *words[5:]], atol=1e-5)


# Contextual decomposition --------------------------------------------------------------------------------------------


def test_contextual_decomposition_scores_words_and_the_phrases_of_the_tree(models):
    leaf = [((), word) for word in range(7)]
    tree = flatten((("S",), [(("NP",), leaf[:2]), (("VP",), [leaf[2], (("ADJP",), leaf[3:5])]), *leaf[5:]]))
    game = game_of(models["lstm"], tree=tree)
    result = explain(contextual_decomposition, ContextualDecompositionParameters(), game)
    assert [(phrase.start, phrase.end, phrase.labels) for phrase in result.phrases] == [
        (0, 7, ("S",)),
        (0, 2, ("NP",)),
        (2, 5, ("VP",)),
        (3, 5, ("ADJP",)),
    ]
    assert result.full == pytest.approx(everyone_and_no_one(game)[0], abs=1e-5)
    assert result.phrases[0].relevance == pytest.approx(result.full - result.base)
    parts = models["lstm"].inspect("decompose", game=game, scale="logit", spans=[(4, 5), (3, 5)])
    assert (result.values[4], result.phrases[3].relevance) == pytest.approx(tuple(parts.relevant[:, TARGET]), abs=1e-6)


# ACD -----------------------------------------------------------------------------------------------------------------


def grow(scores, size, **parameters):
    """ACD on CD scores given by hand, with every partial result."""
    plan = acd(GameShape(tuple("abcdefgh"[:size]), ("no", "yes"), 1), AcdParameters(**parameters))
    partials = []
    step = next(plan)
    try:
        while True:
            if isinstance(step, Partial):
                partials.append(step.result)
                step = next(plan)
            else:
                assert isinstance(step, Inspect)
                relevant = np.array([[np.nan, scores(*span)] for span in step.arguments["spans"]])
                step = plan.send(Decomposition(relevant, -relevant, np.array([0.0, 0.25])))
    except StopIteration as finished:
        return finished.value, partials


def spans_of(result):
    return [[(span.start, span.end) for span in level.spans] for level in result.levels]


def test_acd_grows_from_the_most_important_word_by_what_changes_its_phrase_most():
    # "a b c d": b matters most; with c it turns round, and d then adds more than a.
    table = {(0, 1): 0.1, (1, 2): 2.0, (2, 3): 0.2, (3, 4): 0.3, (0, 2): 2.1, (1, 3): -1.0, (0, 3): -0.9, (1, 4): -2.0}
    result, partials = grow(lambda start, end: table.get((start, end), -2.5), 4, percentile=100)
    assert spans_of(result) == [
        [(0, 1), (1, 2), (2, 3), (3, 4)],
        [(0, 1), (1, 3), (3, 4)],
        [(0, 1), (1, 4)],
        [(0, 4)],
    ]
    assert [span.contribution for span in result.levels[2].spans] == [0.1, -2.0]
    assert result.base == 0.25
    assert (result.top_phrase.start, result.top_phrase.end) == (1, 2)
    assert [len(partial.levels) for partial in partials] == [1, 2, 3, 4]


def test_acd_joins_phrases_when_the_word_between_them_comes_in():
    # The ends matter most, then the middle, which changes the right phrase more than the left.
    scores = {(0, 1): 3.0, (2, 3): 3.0, (1, 2): 0.0, (0, 2): 3.1, (1, 3): 4.0, (0, 3): 7.0}
    result, _ = grow(lambda start, end: scores[start, end], 3, percentile=90)
    assert spans_of(result) == [[(0, 1), (1, 2), (2, 3)], [(0, 3)]]


@pytest.mark.parametrize("percentile", [0, 50, 90, 100])
def test_acd_goes_from_words_to_the_whole_text_and_never_cuts_what_it_joined(models, percentile):
    game = game_of(models["lstm"], "The film is never dull , not good , well-made but bad")
    result = explain(acd, AcdParameters(percentile=percentile), game)
    levels = spans_of(result)
    size = len(game.players)
    assert levels[0] == [(word, word + 1) for word in range(size)]
    assert levels[-1] == [(0, size)]
    for before, after in pairwise(levels):
        assert {start for start, _ in after} < {start for start, _ in before}
    whole = result.levels[-1].spans[0].contribution + result.base
    assert whole == pytest.approx(everyone_and_no_one(game)[0], abs=1e-5)


def test_a_text_of_one_word_is_one_level(models):
    result = explain(acd, AcdParameters(), game_of(models["lstm"], "good"))
    assert spans_of(result) == [[(0, 1)]]


# Refusals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "parameters", "family", "possible"),
    [
        (linear_shap, LinearShapParameters(), "cnn", "gradients, rescale"),
        (deep_shap, DeepShapParameters(), "lstm", "gradients, decompose"),
        (integrated_gradients, IntegratedGradientsParameters(), "bow", "weights"),
        (contextual_decomposition, ContextualDecompositionParameters(), "transformer", "gradients"),
        (acd, AcdParameters(), "bow", "weights"),
    ],
)
def test_a_model_that_cannot_answer_is_refused_with_what_it_can(models, plan, parameters, family, possible):
    with pytest.raises(NotSupported, match=f"cannot answer .*: possible are {possible};"):
        explain(plan, parameters, game_of(models[family]))


def test_every_question_a_method_asks_is_answered_by_some_family():
    asked = {question for method in methods().values() for question in method.inspects}
    assert asked == {question for family in HOUSE for question in family.questions}
