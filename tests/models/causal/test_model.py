"""A causal language model as the house sees it: texts to tokens, words to outcomes, and what is refused."""

import json
import shutil
from itertools import product

import numpy as np
import pytest
import torch
from tests.models.causal.conftest import ARCHITECTURES, network, tokenizer

from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.findings.provenance import provenance, subject
from espalier.models.causal.load import wrap
from espalier.models.families import family_of, load_model
from espalier.models.next_words import OTHER, LanguageModel
from espalier.models.predict import predict
from espalier.models.sources import Entry, Source
from espalier.problems import BadModel, BadParameter, NotSupported, TooLong
from espalier.text import read

CPU = torch.device("cpu")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder of each architecture, as save_pretrained writes it."""

    def make(architecture: str):
        path = tmp_path_factory.mktemp(architecture)
        network(architecture).save_pretrained(path)
        tokenizer().save_pretrained(path)
        return path

    return make


def source(path) -> Source:
    return Source(Entry(name="tiny", title="Tiny", source=str(path)), path)


def explain(model, **fields):
    asked = ExplanationRequest(**{"model": "own", "method": "leave-one-out", "text": "the film was good", **fields})
    return Explainer(lambda _: model, lambda passage: pytest.fail("nobody needs a tree")).explain(asked)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_folder_of_any_of_these_architectures_is_a_language_model(folder, architecture):
    path = folder(architecture)
    assert family_of(source(path)).name == "causal"
    model = load_model(source(path), CPU)
    assert isinstance(model, LanguageModel)
    said = predict(model, "the film was")
    assert sum(said.probabilities) == pytest.approx(1)
    assert said.classes[-1] == OTHER
    assert said.label != OTHER


def test_a_folder_without_a_tokenizer_says_so(folder):
    path = folder("llama")
    for each in path.glob("tokenizer*"):
        each.unlink()
    with pytest.raises(BadModel, match="has no tokenizer that can be read"):
        load_model(source(path), CPU)


def test_a_tokenizer_of_a_larger_model_is_refused_where_it_shows(folder):
    path = folder("llama")
    config = json.loads((path / "config.json").read_text())
    smaller = network("llama")
    smaller.resize_token_embeddings(280)
    smaller.save_pretrained(path)
    model = load_model(source(path), CPU)
    assert config["vocab_size"] > 280
    with pytest.raises(BadModel, match=r"is another model's: got token \d+, possible are up to 279"):
        model.encode(read("the music was lovely"))


def test_pickled_weights_are_refused(folder):
    path = folder("gpt2")
    shutil.move(path / "model.safetensors", path / "pytorch_model.bin")
    with pytest.raises(BadModel, match="which can run code"):
        load_model(source(path), CPU)


def test_a_model_that_names_no_start_is_refused(folder):
    path = folder("llama")
    for file, fields in (("config.json", ("bos_token_id", "eos_token_id")), ("tokenizer_config.json", ("bos_token",))):
        content = json.loads((path / file).read_text())
        (path / file).write_text(
            json.dumps({key: each for key, each in content.items() if key not in fields} | dict.fromkeys(fields))
        )
    (path / "generation_config.json").unlink(missing_ok=True)
    with pytest.raises(BadModel, match="names no start of a text"):
        load_model(source(path), CPU)


def test_a_text_can_begin_after_another_token_than_the_one_the_files_name():
    made = wrap("tiny", network("llama"), tokenizer(), "r1", CPU, start="the")
    assert made.encode(read("the film")).tokens[0] == "the"
    with pytest.raises(BadModel, match=r"no such start of a text: got .*nowhere"):
        wrap("tiny", network("llama"), tokenizer(), "r1", CPU, start="<|nowhere|>")


def test_the_start_token_comes_first_and_belongs_to_no_word(hosted):
    model = hosted("llama")
    encoding = model.encode(read("the film was good"))
    assert encoding.ids[0] == model.writing.tokenizer.bos_token_id
    assert encoding.owners == (None, 0, 1, 2, 3)


def test_white_space_goes_with_the_word_behind_it_and_is_left_out_at_the_end(hosted):
    model = hosted("llama")
    encoding = model.encode(read("  the \n\n film   "))
    assert set(encoding.owners[1:]) == {0, 1}
    assert list(encoding.owners[1:]) == sorted(encoding.owners[1:])
    assert model.writing.tokenizer.decode(encoding.ids[1:]) == "  the \n\n film"


@pytest.mark.parametrize(
    "text",
    ["<|start|> the film", "a\u0007b film\u200b", "مرحبا بالعالم", "👩‍👩‍👧‍👦 🎬", "ĠĠ the", "word" * 15, "漢字仮名"],
)
def test_any_prompt_is_read_as_its_characters(hosted, text):
    model = hosted("llama")
    passage = read(text)
    encoding = model.encode(passage)
    assert encoding.ids.count(0) == 1
    assert {owner for owner in encoding.owners if owner is not None} <= set(range(len(passage.words)))
    assert all(owner is not None for owner in encoding.owners[1:])
    assert np.isfinite(explain(model, text=text).result.full)


def test_tokens_are_shown_as_what_they_write(hosted):
    model = hosted("llama")
    assert model.encode(read("the film\n\nwas 🎬 dully")).tokens == (
        *("<|start|>", "the", "␣film", "↵", "↵", "was", "␣", *["⟨part of 🎬⟩"] * 4, "␣dull", "y"),
    )
    (pieces,) = model.pieces(model.choose(model.encode(read("the film")), ["🎬"], 0))
    assert pieces == ("⟨part of a character⟩",) * 4


PLAYED = "the film was not good. the film was never dully 🎬."


@pytest.mark.parametrize(
    ("players", "reference"),
    [
        *product(["words", "tokens", "phrases", "sentences"], ["pad", "delete"]),
        *product(["words", "phrases", "sentences"], ["conditional", "in-domain"]),
    ],
)
def test_whoever_plays_and_whatever_stands_in_the_whole_text_is_what_the_model_says(hosted, players, reference):
    """Values sum up from what is said without any to what is said of the whole text, and players can be read."""
    from tests.models.masked import made

    from espalier.trees.tree import from_spans

    model = hosted("llama")
    known = ["the", "film", "was", "not", "good", "never", "dully", "🎬", "."]
    filler = made.MaskedModel("filler", made.network(words=known), made.tokenizer(known), "r", CPU)
    explainer = Explainer(
        lambda name: filler if name == "filler" else model,
        lambda passage: from_spans(
            len(passage.words), {(0, len(passage.words)): ["S"], (0, 2): ["NP"], (6, 8): ["NP"]}
        ),
    )
    asked = {"text": PLAYED, "players": players, "reference": reference, "method": "leave-one-out", "outcome": " good"}
    more = {"filler": "filler", "draws": 2} if reference in ("conditional", "in-domain") else {}
    found = explainer.explain(ExplanationRequest(model="own", **asked, **more))
    encoding = model.encode(read(PLAYED))
    (share,) = np.exp(model.outputs([encoding.row()], model.choose(encoding, [" good"], 0)))
    assert found.result.full == pytest.approx(np.log(share[0] / (1 - share[0])), abs=1e-5)
    assert np.isfinite(found.result.values).all()
    names = [player.text for player in found.players]
    assert len(names) > 1
    assert not any("Ġ" in name or "ðŁ" in name for name in names)
    assert ("⟨part of 🎬⟩" in names) == (players == "tokens")


def test_a_prompt_beyond_the_length_is_refused_with_the_limit(hosted):
    with pytest.raises(TooLong, match="possible are up to 96"):
        hosted("llama").encode(read("film " * 200))


@pytest.mark.parametrize("word", ["", "<|start|>x\ud83c"[:9] + "\ufffd"])
def test_a_word_that_cannot_be_written_is_refused(hosted, word):
    model = hosted("llama")
    if word:
        # A tokenizer that loses characters cannot write them.
        model.writing.tokenizer.backend_tokenizer.normalizer = _losing("\ufffd")
    try:
        with pytest.raises(BadParameter, match="cannot write"):
            model.choose(model.encode(read("the film")), [word])
    finally:
        model.writing.tokenizer.backend_tokenizer.normalizer = None


def _losing(character: str):
    from tokenizers import normalizers

    return normalizers.Replace(character, "")


def test_half_a_character_is_no_word(hosted):
    model = hosted("llama")
    with pytest.raises(BadParameter, match="not a word"):
        model.choose(model.encode(read("the film")), [" a\ud83c"])


def test_words_that_begin_alike_are_refused_together(hosted):
    model = hosted("llama")
    encoding = model.encode(read("the film"))
    with pytest.raises(BadParameter, match="' good' and ' goods', of which one begins the other"):
        model.choose(encoding, [" good", " goods"])


def test_a_likely_word_that_begins_a_named_one_makes_room_for_it(hosted):
    model = hosted("llama")
    encoding = model.encode(read("the film"))
    likeliest = model.choose(encoding, count=1).names[0]
    longer = f"{likeliest}xyz"
    assert likeliest not in model.choose(encoding, [longer], count=4).names


def test_a_likeliest_token_that_begins_a_named_word_is_said(hosted):
    """Else the runner-up would look like what the model says."""
    model = hosted("llama")
    encoding = model.encode(read("the film"))
    alone = model.choose(encoding, count=1)
    likeliest, share = alone.names[0], np.exp(model.outputs([encoding.row()], alone)[0, 0])
    begun = model.choose(encoding, [f"{likeliest}xyz"], count=4).beginning
    assert begun is not None
    assert (begun.text, begun.word) == (likeliest, f"{likeliest}xyz")
    assert begun.probability == pytest.approx(share, rel=1e-5)
    assert model.choose(encoding, [likeliest], count=4).beginning is None


def test_what_is_offered_can_be_asked_for(hosted):
    model = hosted("llama")
    encoding = model.encode(read("the film was"))
    offered = model.choose(encoding, count=20)
    again = model.choose(encoding, offered.names[:-1], count=0)
    assert again == offered


def test_outcomes_are_in_the_explanation_with_their_probabilities_and_pieces(hosted):
    found = explain(hosted("llama"), outcomes=(" good", " wonderful"), outcome=" wonderful")
    assert found.classes == (" good", " wonderful", OTHER)
    assert found.target_class == " wonderful"
    assert sum(found.probabilities) == pytest.approx(1)
    assert found.pieces[0] == (" good",)
    assert "".join(found.pieces[1]) == " wonderful"


def test_the_likeliest_word_is_explained_by_default_never_all_the_others_together(hosted):
    found = explain(hosted("llama"))
    assert found.target == int(np.argmax(found.probabilities[:-1]))
    assert found.scale == "log_odds"
    held = explain(hosted("llama"), against=found.target_class)
    assert held.classes[held.target] not in (OTHER, found.target_class)


def test_captions_name_both_words_of_a_contrast_and_no_other_word_as_the_prediction(hosted):
    found = explain(hosted("llama"), outcome=" good", against=" dull", outcomes=(" good",))
    assert found.probabilities[-1] > max(found.probabilities[:-1])
    assert "log odds of good rather than dull" in provenance(found)
    assert OTHER not in subject(found)


@pytest.mark.parametrize(
    ("fields", "problem", "said"),
    [
        ({"target": " good"}, BadParameter, "possible is outcome"),
        ({"outcome": " good", "against": " good"}, BadParameter, "got ' good' twice"),
        ({"against": " good", "scale": "probability"}, BadParameter, "possible is log_odds"),
        ({"outcome": OTHER}, BadParameter, "not a word"),
        ({"text": "the " * 90, "outcome": " xyzxyzxyz"}, TooLong, "tokens together, possible are up to 96"),
        ({"outcome": " " + "x" * 60}, BadParameter, "possible are up to 16"),
        ({"reference": "mask"}, NotSupported, "has no mask token"),
        ({"reference": "conditional", "players": "tokens"}, BadParameter, "fills in whole words"),
        ({"pair": "another text"}, NotSupported, "got a pair"),
        ({"method": "integrated-gradients"}, NotSupported, "choose a method that asks only for outputs"),
    ],
)
def test_what_does_not_suit_a_language_model_is_refused_with_a_reason(hosted, fields, problem, said):
    with pytest.raises(problem, match=said):
        explain(hosted("llama"), **fields)


def test_a_pipeline_that_writes_text_is_a_language_model(folder):
    from transformers import pipeline

    from espalier.library import explain as explain_with

    writes = pipeline("text-generation", model=str(folder("gpt2")))
    found = explain_with("the film was good", writes, "leave-one-out", outcome=" dull")
    assert found.target_class == " dull"
    assert found.classes[-1] == OTHER


def test_a_classifier_refuses_next_words():
    from espalier.models.callable import CallableModel

    model = CallableModel(lambda texts: np.tile([0.4, 0.6], (len(texts), 1)), ["no", "yes"])
    with pytest.raises(BadParameter, match="got a next word, possible is target, one of no, yes"):
        explain(model, outcome=" good")


def test_marginal_averages_over_other_sentences(hosted):
    model = hosted("llama")
    found = explain(
        model, reference="marginal", background=["a dull end", "not bad at all"], outcome=" good", scale="probability"
    )
    empty = []
    for background in ("a dull end", "not bad at all"):
        words = model.encode(read(background)).ids[1:]
        own = model.encode(read("the film was good"))
        ids = np.array([own.ids[0], *(words[place % len(words)] for place in range(len(own.ids) - 1))])
        row = own.row()._replace(ids=ids)
        empty.append(np.exp(model.outputs([row], model.choose(own, [" good"], 0))[0, 0]))
    assert found.result.base == pytest.approx(np.mean(empty), rel=1e-6)


def test_an_architecture_that_counts_its_own_positions_runs_row_by_row():
    from transformers import BloomConfig, BloomForCausalLM

    from espalier.models.causal.load import wrap

    torch.manual_seed(2)
    bloom = BloomForCausalLM(BloomConfig(vocab_size=len(tokenizer()), hidden_size=32, n_layer=2, n_head=4)).eval()
    model = wrap("bloom", bloom, tokenizer(), "r", CPU, 64)
    assert not model.network.shares
    encoding = model.encode(read("the film was good"))
    with torch.inference_mode():
        expected = torch.softmax(bloom(input_ids=torch.tensor([encoding.ids])).logits[0, -1], 0)
    outcomes = model.choose(encoding, [" dull"], 0)
    token = model.writing.tokens_of(" dull")[0]
    assert np.exp(model.outputs([encoding.row()], outcomes)[0, 0]) == pytest.approx(float(expected[token]), rel=1e-4)
