"""Questions about the inside of models, against the models' own outputs and slow literal transcriptions."""

from functools import partial
from itertools import combinations, permutations

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaForSequenceClassification

from espalier.games.game import make_game
from espalier.games.scales import SCALES, summarise, to_scale
from espalier.models.families import questions
from espalier.models.inside.rescale import OneLengthCNN
from espalier.models.inside.scores import on_scale
from espalier.models.networks import BidirectionalLSTM, KimCNN
from espalier.models.transformer import TransformerModel, load_transformer
from espalier.models.vocabulary import Vocabulary
from espalier.models.word_model import WordModel, load_word_model
from espalier.problems import BadParameter, NotSupported
from espalier.text import read

CPU = torch.device("cpu")
TEXT = "The film isn't well-made , not good , not well-known"
WORDS = ("the", "film", "is", "not", "good", "bad", "n't", "well", "made", ",", ".", "well-known")
# As long as the text, and without repetition: where two windows are equal, the maximum is at either.
BACKGROUND = (
    "bad , the film is not made well . good the n't",
    ". good well-known film , is bad the made not film well",
    "made n't the . , bad not film is well-known good the",
)


def word_game(word_folder, family, text=TEXT, **options):
    return make_game(load_word_model("m", word_folder / family, CPU), [read(text)], **options)


def tiny_game(family, network, text=TEXT, **options):
    """A network so small that a literal transcription gets through it."""
    torch.manual_seed(4)
    made = network(len(WORDS) + 2, 2)
    for weights in made.parameters():
        torch.nn.init.normal_(weights)
    model = WordModel("tiny", family, made, Vocabulary(WORDS), ("negative", "positive"), "1", CPU, 50)
    return make_game(model, [read(text)], **options)


def logits_of(game, *coalitions):
    """Mean logits over the reference's draws, as the game has them."""
    return game.summaries(game.model.outputs(game.rows(np.array(coalitions, dtype=bool))))[:, 0]


def all_spans(size):
    return [(start, end) for start in range(size) for end in range(start, size + 1)]


# Scales --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("classes", [2, 4])
def test_scales_with_gradients_equal_those_of_the_game(scale, classes):
    logits = torch.randn((20, classes), dtype=torch.float64, generator=torch.Generator().manual_seed(0)) * 5
    truth = to_scale(summarise(logits.numpy()[:, None]), scale)
    np.testing.assert_allclose(on_scale(logits, scale), truth, atol=1e-12)


# Contextual decomposition --------------------------------------------------------------------------------------------


def literal_last_state(lstm, direction, vectors, inside):
    """One phrase, one unit and one word at a time; a nonlinearity is shared out by walking through all orders."""

    def shares(function, terms, bias):
        """What each term adds to a function of their sum, averaged over all orders that begin with the bias."""
        found = np.zeros(len(terms))
        orders = list(permutations(range(len(terms))))
        for order in orders:
            before = bias
            for term in order:
                found[term] += (function(before + terms[term]) - function(before)) / len(orders)
                before += terms[term]
        return found

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    weights = {
        name: getattr(lstm, f"{name}_{direction}").detach().double().numpy()
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    }
    biases = weights["bias_ih"] + weights["bias_hh"]
    size = lstm.hidden_size
    hidden, cell = np.zeros((2, size)), np.zeros((2, size))  # row 0 relevant, row 1 irrelevant
    for vector, belongs in zip(vectors, inside, strict=True):
        terms = hidden @ weights["weight_hh"].T
        terms[0 if belongs else 1] += weights["weight_ih"] @ vector
        new_hidden, new_cell = np.zeros((2, size)), np.zeros((2, size))
        for unit in range(size):
            i, f, g, o = (unit + gate * size for gate in range(4))
            rows = {}
            for name, row, function in (("i", i, sigmoid), ("f", f, sigmoid), ("g", g, np.tanh)):
                rows[name] = [*shares(function, terms[:, row], biases[row]), function(biases[row])]
            # Every product of two summands goes to one side: 0 relevant, 1 irrelevant, 2 bias.
            for a, b in [(a, b) for a in range(3) for b in range(3)]:
                side = 1 if 1 in (a, b) else (0 if 0 in (a, b) else int(not belongs))
                new_cell[side, unit] += rows["i"][a] * rows["g"][b]
            for a, b in [(a, b) for a in range(3) for b in range(2)]:
                new_cell[1 if 1 in (a, b) else 0, unit] += rows["f"][a] * cell[b, unit]
            gate = sigmoid(terms[:, o].sum() + biases[o])
            new_hidden[:, unit] = gate * shares(np.tanh, new_cell[:, unit], 0.0)
        hidden, cell = new_hidden, new_cell
    return hidden


def test_a_decomposition_equals_the_literal_transcription_of_the_paper():
    game = tiny_game("lstm", partial(BidirectionalLSTM, vector_size=5, hidden=4), "the film is not good")
    network = game.model.network
    spans = [(3, 5), (0, 1), (1, 4)]
    found = game.model.inspect("decompose", game=game, scale="logit", spans=spans)
    vectors = network.embedding.weight.detach().double().numpy()[list(game.encoding.ids)]
    classifier = network.classifier.weight.detach().double().numpy()
    for row, (start, end) in enumerate(spans):
        inside = [start <= word < end for word in range(5)]
        forward = literal_last_state(network.lstm, "l0", vectors, inside)
        backward = literal_last_state(network.lstm, "l0_reverse", vectors[::-1], inside[::-1])
        relevant, irrelevant = np.concatenate([forward, backward], axis=1) @ classifier.T
        np.testing.assert_allclose(found.relevant[row], relevant, atol=1e-6)
        np.testing.assert_allclose(found.irrelevant[row], irrelevant, atol=1e-6)


@pytest.mark.parametrize("text", [TEXT, "good", "bad bad film ."])
def test_relevant_irrelevant_and_bias_are_the_logits_for_every_phrase(word_folder, text):
    game = word_game(word_folder, "lstm", text)
    spans = all_spans(len(game.players))
    parts = game.model.inspect("decompose", game=game, scale="logit", spans=spans)
    truth = logits_of(game, np.ones(len(game.players)))
    np.testing.assert_allclose(parts.relevant + parts.irrelevant + parts.bias, truth.repeat(len(spans), 0), atol=1e-5)


def test_of_the_whole_text_nothing_is_irrelevant_and_of_no_words_nothing_is_relevant(word_folder):
    game = word_game(word_folder, "lstm")
    size = len(game.players)
    parts = game.model.inspect("decompose", game=game, scale="logit", spans=[(0, size), (2, 2)])
    truth = logits_of(game, np.ones(size))[0]
    np.testing.assert_allclose(
        parts.relevant[0], truth - game.model.network.classifier.bias.detach().numpy(), atol=1e-5
    )
    assert not parts.irrelevant[0].any()
    assert not parts.relevant[1].any()


# DeepLIFT ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["good", "the film", TEXT])
def test_the_network_that_deeplift_reads_is_the_models_own(word_folder, text):
    model = load_word_model("m", word_folder / "cnn", CPU)
    row = model.encode(read(text)).row()
    ids, _ = model.batch([row])
    with torch.inference_mode():
        again = OneLengthCNN(model.network, ids.shape[1])(model.network.embedding(ids))
    np.testing.assert_allclose(again, model.outputs([row]), atol=1e-6)


def literal_deeplift(network, vectors, baseline, target):
    """The rescale rule by hand: a filter's change goes to one window, that of the larger of its two maxima, and from
    there to the words by their part in the change of the convolution."""
    edge = 4
    text, blank = (np.pad(rows, ((edge, edge), (0, 0))) for rows in (vectors, baseline))
    shares = np.zeros(len(text))
    classifier = network.classifier.weight.detach().double().numpy()[target]
    for number, (width, convolution) in enumerate(zip(network.widths, network.convolutions, strict=True)):
        kernels, biases = (part.detach().double().numpy() for part in (convolution.weight, convolution.bias))
        for unit, (kernel, bias) in enumerate(zip(kernels, biases, strict=True)):
            windows = range(len(text) - width + 1)
            here, there = (
                np.array([(kernel.T * rows[window : window + width]).sum() + bias for window in windows])
                for rows in (text, blank)
            )
            change = max(here.max(), 0) - max(there.max(), 0)
            if change == 0:
                continue
            window = int((here if change > 0 else there).argmax())
            parts = (kernel.T * (text - blank)[window : window + width]).sum(axis=1)
            weight = classifier[number * len(kernels) + unit]
            shares[window : window + width] += weight * change * parts / (here[window] - there[window])
    return shares[edge:-edge]


@pytest.mark.parametrize(("reference", "target"), [("pad", 0), ("marginal", 1)])
def test_deeplift_equals_the_rescale_rule_by_hand_averaged_over_the_draws(reference, target):
    network = partial(KimCNN, vector_size=5, filters=8)
    game = tiny_game("cnn", network, reference=reference, background=BACKGROUND)
    network = game.model.network
    found = game.model.inspect("rescale", game=game, scale="logit", target=target)
    table = network.embedding.weight.detach().double().numpy()
    own = table[list(game.encoding.ids)]
    others = [table[draw] for draw in game.reference.stand_ins()]
    tokens = np.mean([literal_deeplift(network, own, other, target) for other in others], axis=0)
    truth = [tokens[list(player.tokens)].sum() for player in game.players]
    np.testing.assert_allclose(found, truth, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("reference", ["delete", "mask"])
def test_deeplift_refuses_a_reference_that_is_no_blank_text_of_the_same_length(word_folder, reference):
    game = word_game(word_folder, "cnn", reference=reference)
    with pytest.raises(BadParameter, match=f"got reference = {reference}, possible are pad, marginal"):
        game.model.inspect("rescale", game=game, scale="logit", target=0)


# Who answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["bow", "cnn", "lstm"])
def test_a_word_model_refuses_what_it_cannot_answer_and_lists_what_it_can(word_folder, family):
    game = word_game(word_folder, family)
    possible = questions(family)
    for question in {"weights", "rescale", "gradients", "decompose"} - set(possible):
        with pytest.raises(NotSupported, match=f"cannot answer '{question}': possible are {', '.join(possible)};"):
            game.model.inspect(question, game=game, scale="logit")


def test_a_transformer_has_no_word_weights(bert_folder):
    model = load_transformer("tiny", str(bert_folder), CPU)
    game = make_game(model, [read("not good")])
    assert questions("callable") == ()
    with pytest.raises(NotSupported, match=r"tiny \(transformer\) cannot answer 'weights': possible are gradients;"):
        model.inspect("weights", game=game, scale="logit")


@pytest.mark.parametrize("family", ["bert_folder", "roberta_folder"])
def test_the_path_of_a_transformer_ends_at_its_own_output(family, request):
    model = load_transformer("tiny", str(request.getfixturevalue(family)), CPU)
    passages = [read("It isn't good, not at all"), read("Nobody liked it")][: 2 if family == "bert_folder" else 1]
    game = make_game(model, passages)
    path = model.inspect("gradients", game=game, scale="logit", target=1, steps=2)
    assert path.full == pytest.approx(logits_of(game, np.ones(len(game.players)))[0, 1], abs=1e-4)


def roberta(pad_token: str | None = "<pad>"):
    """A RoBERTa of random weights whose pad token is number 1, as RoBERTa's is: number 0 begins a text."""
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *WORDS]
    words = Tokenizer(WordLevel({piece: number for number, piece in enumerate(pieces)}, unk_token="<unk>"))
    words.pre_tokenizer = Whitespace()
    words.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    special = {"bos_token": "<s>", "sep_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token=pad_token, model_max_length=60, **special)
    torch.manual_seed(6)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    config = RobertaConfig(**shape, vocab_size=len(pieces), initializer_range=0.5, pad_token_id=1, num_labels=2)
    network = RobertaForSequenceClassification(config)
    return TransformerModel("tiny-roberta", network, tokenizer, ("no", "yes"), "1", CPU)


@pytest.mark.parametrize(("reference", "stand_in"), [("pad", 1), ("mask", 4)])
def test_the_path_begins_at_the_models_own_token_for_an_absent_word(reference, stand_in):
    model = roberta()
    game = make_game(model, [read("the film is good")], reference=reference)
    path = model.inspect("gradients", game=game, scale="logit", target=1, steps=2)
    ids = torch.tensor([[0, stand_in, stand_in, stand_in, stand_in, 2]])
    everywhere = {"attention_mask": torch.ones_like(ids), "position_ids": torch.arange(2, 8)[None]}
    with torch.inference_mode():
        truth = model.network(input_ids=ids, **everywhere).logits[0, 1].item()
    assert path.base == pytest.approx(truth, abs=1e-5)


def test_gradients_of_a_model_without_a_pad_token_are_refused_and_not_begun_at_some_other_token():
    model = roberta(pad_token=None)
    game = make_game(model, [read("the film is good")])
    with pytest.raises(NotSupported, match="tiny-roberta has no pad token: got reference = pad, possible is mask"):
        model.inspect("gradients", game=game, scale="logit", target=1, steps=2)


def test_questions_of_logits_refuse_other_scales(word_folder):
    for family, question in (("bow", "weights"), ("cnn", "rescale"), ("lstm", "decompose")):
        game = word_game(word_folder, family)
        needs = {"rescale": {"target": 0}, "decompose": {"spans": [(0, 1)]}}.get(question, {})
        for scale in set(SCALES) - {"logit"}:
            with pytest.raises(BadParameter, match=f"got scale = {scale}, possible is logit"):
                game.model.inspect(question, game=game, scale=scale, **needs)


def test_every_pair_of_phrases_decomposes_the_same_alone_and_in_a_batch(word_folder):
    game = word_game(word_folder, "lstm")
    spans = [(0, 2), (3, 7), (5, 6)]
    together = game.model.inspect("decompose", game=game, scale="logit", spans=spans).relevant
    for (first, span), (second, other) in combinations(enumerate(spans), 2):
        pair = game.model.inspect("decompose", game=game, scale="logit", spans=[span, other]).relevant
        np.testing.assert_allclose(pair, together[[first, second]], atol=1e-6)
