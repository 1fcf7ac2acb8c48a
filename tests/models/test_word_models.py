import json
import shutil

import numpy as np
import pytest
import torch

from espalier.models.protocol import HostedModel, TokenRow
from espalier.models.vocabulary import Vocabulary
from espalier.models.word_model import load_word_model
from espalier.problems import BadModel, TooLong
from espalier.text import read

CPU = torch.device("cpu")
FAMILIES = ("bow", "cnn", "lstm")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_rows_output_does_not_depend_on_its_neighbours_in_the_batch(family, word_folder):
    model = load_word_model("m", word_folder / family, CPU)
    assert isinstance(model, HostedModel)
    rows = [model.encode(read(text)).row() for text in ("good", "the film is not good", "bad , well-known film .")]
    together = model.outputs(rows)
    for row, output in zip(rows, together, strict=True):
        np.testing.assert_allclose(model.outputs([row])[0], output, atol=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_absent_words_are_the_pad_vector_in_their_place(family, word_folder):
    model = load_word_model("m", word_folder / family, CPU)
    ids = np.asarray(model.encode(read("the film is not good")).ids)
    kept = np.array([1, 4])
    filled = np.zeros_like(ids)
    filled[kept] = ids[kept]
    with torch.inference_mode():
        truth = model.network(torch.tensor(filled[None]), torch.tensor([5])).numpy()
    np.testing.assert_allclose(model.outputs([TokenRow(ids[kept], kept, 5)]), truth, atol=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_words_at_all_still_has_an_output(family, word_folder):
    model = load_word_model("m", word_folder / family, CPU)
    nothing = np.array([], dtype=np.int64)
    for length in (0, 4):
        assert np.isfinite(model.outputs([TokenRow(nothing, nothing, length)])).all()


def test_the_bag_of_words_adds_up(word_folder):
    model = load_word_model("m", word_folder / "bow", CPU)
    ids = np.asarray(model.encode(read("good good film")).ids)
    nothing = np.array([], dtype=np.int64)
    empty = model.outputs([TokenRow(nothing, nothing, 3)])[0]
    alone = [model.outputs([TokenRow(ids[[place]], np.array([place]), 3)])[0] - empty for place in range(3)]
    whole = model.outputs([TokenRow(ids, np.arange(3), 3)])[0]
    np.testing.assert_allclose(whole, empty + sum(alone), atol=1e-6)


def test_contractions_and_hyphens_fall_into_known_parts():
    vocabulary = Vocabulary(["is", "n't", "well", "made", "well-known", "ca"])
    assert vocabulary.pieces("Isn't") == ["is", "n't"]
    assert vocabulary.pieces("can’t") == ["ca", "n't"]
    assert vocabulary.pieces("well-made") == ["well", "made"]
    assert vocabulary.pieces("Well-known") == ["well-known"]
    assert vocabulary.pieces("-") == ["-"]


def test_parts_of_a_word_belong_to_it():
    vocabulary = Vocabulary(["is", "n't", "good"])
    encoding = vocabulary.encode("m", 10, read("isn't good"), None)
    assert encoding.owners == (0, 0, 1)


def test_text_beyond_the_limit_is_reported(word_folder):
    model = load_word_model("m", word_folder / "lstm", CPU)
    with pytest.raises(TooLong, match="got 60 words, possible are up to 50"):
        model.encode(read("good " * 60))


def test_weights_of_another_network_are_refused(word_folder, tmp_path):
    folder = tmp_path / "mixed"
    shutil.copytree(word_folder / "cnn", folder)
    shutil.copy(word_folder / "lstm" / "weights.safetensors", folder / "weights.safetensors")
    with pytest.raises(BadModel, match="weights do not fit the cnn network"):
        load_word_model("m", folder, CPU)


def test_an_unknown_family_is_refused_with_the_known_ones(word_folder, tmp_path):
    folder = tmp_path / "odd"
    shutil.copytree(word_folder / "bow", folder)
    manifest = json.loads((folder / "espalier.json").read_text(encoding="utf-8"))
    (folder / "espalier.json").write_text(json.dumps(manifest | {"family": "gru"}))
    with pytest.raises(BadModel, match="got 'gru', possible are bow, cnn, lstm"):
        load_word_model("m", folder, CPU)
