"""The word-level LSTM: its state along the trie is its state along the text."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.causal.model import CausalModel
from espalier.models.families import load_model
from espalier.models.next_word import EDGE, NextWordLSTM
from espalier.models.next_words import OTHER
from espalier.models.protocol import TokenRow
from espalier.models.sources import Entry, Source
from espalier.problems import BadModel, BadParameter
from espalier.text import read

WORDS = ["the", "film", "was", "not", "good", "n't", "dull", ",", ".", "end", "never", "is"]
SIZES = {"vector_size": 24, "hidden": 40, "layers": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch.manual_seed(8)
    path = tmp_path_factory.mktemp("word-lm")
    network = NextWordLSTM(len(WORDS) + 2, **SIZES)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    save_file({key: value.half() for key, value in network.state_dict().items()}, path / "weights.safetensors")
    (path / "vocabulary.txt").write_text("\n".join(WORDS) + "\n")
    manifest = {"family": "word-lm", "classes": [], "max_length": 60, "network": SIZES}
    (path / "espalier.json").write_text(json.dumps(manifest))
    return path


@pytest.fixture(scope="module")
def model(folder) -> CausalModel:
    return load_model(Source(Entry(name="words", title="Words", source=str(folder)), folder), torch.device("cpu"))


def by_steps(model: CausalModel, ids) -> np.ndarray:
    """Logarithms of all next words' probabilities, read word by word with the library's LSTM."""
    network = model.network.network
    state = network.start(1)
    with torch.inference_mode():
        for each in ids:
            features, state = network.step(torch.tensor([each]), state)
        return torch.log_softmax(network.logits(features)[0].double(), 0).numpy()


def test_next_words_are_those_of_reading_word_by_word(model):
    encoding = model.encode(read("The film wasn't good, never"))
    outcomes = model.choose(encoding, ["dull", " end"], count=3)
    scores = by_steps(model, encoding.ids)
    for name, found in zip(outcomes.names[:-1], model.outputs([encoding.row()], outcomes)[0], strict=False):
        assert found == pytest.approx(scores[model.writing.tokens_of(name)[0]], abs=1e-5)
    assert encoding.ids[0] == EDGE


def test_a_row_has_the_same_bits_in_any_company(model):
    random = np.random.default_rng(0)
    ids = np.r_[EDGE, random.integers(2, len(WORDS) + 2, 15)]
    kept = [np.flatnonzero(np.r_[True, random.random(15) < 0.5]) for _ in range(150)]
    rows = [TokenRow(ids[each], each, 16) for each in kept]
    together = model.network.ends(rows)
    for row, expected in zip(rows[:40], together, strict=False):
        model.network.forget()
        assert torch.equal(model.network.ends([row])[0], expected)


def test_words_read_alike_are_read_once_wherever_they_stood(model):
    model.network.forget()
    before = model.network.computed
    first, second = (TokenRow(np.array([EDGE, 3, 4, 5]), np.array(at), 9) for at in ([0, 1, 2, 3], [0, 2, 5, 8]))
    assert torch.equal(*model.network.ends([first, second]))
    assert model.network.computed - before == 4


@pytest.mark.parametrize("reference", ["pad", "delete", "mask"])
def test_leaving_words_out_is_not_reading_them(model, reference):
    request = ExplanationRequest(
        text="the film was not good", model="own", method="leave-one-out", outcome="dull", reference=reference
    )
    found = Explainer(lambda _: model, lambda passage: pytest.fail("no tree is needed")).explain(request)
    ids = list(model.encode(read(request.text)).ids)
    token = model.writing.tokens_of("dull")[0]

    def log_odds(row) -> float:
        score = by_steps(model, row)[token]
        return float(score - np.log(-np.expm1(score)))

    left_out = [
        log_odds([*ids[:at], 1, *ids[at + 1 :]] if reference == "mask" else [*ids[:at], *ids[at + 1 :]])
        for at in range(1, len(ids))
    ]
    np.testing.assert_allclose(found.result.values, log_odds(ids) - np.array(left_out), atol=1e-4)
    assert found.classes[-1] == OTHER


def test_a_word_it_does_not_know_is_refused(model):
    with pytest.raises(BadParameter, match="cannot write: got ' lovely', possible are the 12 words it knows"):
        model.choose(model.encode(read("the film was")), [" lovely"])


def test_words_are_offered_as_they_go_on(model):
    """The page takes a word without a space before it for the rest of one."""
    offered = model.choose(model.encode(read("the film was")), count=len(WORDS)).names[:-1]
    assert sorted(offered) == sorted([f" {word}" for word in WORDS if word.isalpha()] + [",", ".", "n't"])


def test_a_named_word_keeps_its_name_and_the_place_of_its_probability(model):
    encoding = model.encode(read("the film was"))
    usual = model.choose(encoding, count=5).names
    second = usual[1].strip().upper()
    assert model.choose(encoding, [second], count=5).names == (usual[0], second, *usual[2:])


def test_surprise_is_said_of_unknown_words_too(model):
    found = model.surprise(read("the lovely film isn't dull"))
    assert [each.pieces for each in found][1] == ("<unknown>",)
    assert [each.pieces for each in found][3] == ("is", "n't")
    assert all(np.isfinite(each.bits) and each.bits > 0 for each in found)


def test_a_folder_without_weights_says_so(folder, tmp_path):
    (tmp_path / "espalier.json").write_text((folder / "espalier.json").read_text())
    with pytest.raises(BadModel, match=r"without weights\.safetensors"):
        load_model(Source(Entry(name="words", title="Words", source=str(tmp_path)), tmp_path), torch.device("cpu"))
