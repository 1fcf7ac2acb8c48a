"""A temperature divides a classifier's logits, for all who look at the model; without one nothing is touched."""

import json
import shutil

import numpy as np
import pytest
import torch

from espalier.games.game import make_game
from espalier.models.describe import describe
from espalier.models.edited import keep
from espalier.models.families import load_in_full, load_model
from espalier.models.sources import source_of
from espalier.models.temperature import temper
from espalier.problems import BadModel
from espalier.settings import settings
from espalier.text import read

CPU = torch.device("cpu")
TEXTS = ("The film is not good.", "bad", "well made , the film is")


def with_temperature(folder, place, given):
    """A copy of a model's folder whose manifest carries a temperature, whatever that is."""
    copy = shutil.copytree(folder, place)
    manifest = json.loads((copy / "espalier.json").read_text(encoding="utf-8"))
    (copy / "espalier.json").write_text(json.dumps(manifest | {"temperature": given}), encoding="utf-8")
    return source_of(str(copy), {})


def outputs(model):
    return model.outputs([model.encode(read(text)).row() for text in TEXTS])


@pytest.mark.parametrize("family", ["bow", "cnn", "lstm"])
@pytest.mark.parametrize("temperature", [0.4, 1.7, 3])
def test_logits_of_word_models_are_divided(family, temperature, word_folder, tmp_path):
    plain = load_model(source_of(str(word_folder / family), {}), CPU)
    cooler = load_model(with_temperature(word_folder / family, tmp_path / "m", temperature), CPU)
    # Weights are divided before they are added up: ten roundings of numbers around one.
    np.testing.assert_allclose(outputs(cooler), outputs(plain) / temperature, atol=3e-6)


@pytest.mark.parametrize("name", ["sst2-minilm", "emotion-minilm"])
def test_logits_of_an_adapter_are_divided(name, tmp_path):
    shipped = settings().catalog.parent / name
    plain = load_model(with_temperature(shipped, tmp_path / "plain", 1), CPU)
    cooler = load_model(with_temperature(shipped, tmp_path / name, 2.5), CPU)
    np.testing.assert_allclose(outputs(cooler), outputs(plain) / 2.5, atol=1e-5)


def test_what_a_model_says_of_its_inside_is_divided_too(word_folder, tmp_path):
    """The weights of a bag of words, a decomposition, a rescaled difference and gradients are parts of the logits."""
    asked = {
        "bow": ("weights", {}, lambda found: found.present),
        "lstm": ("decompose", {"spans": [(0, 2), (3, 5)]}, lambda found: found.relevant),
        "cnn": ("rescale", {"target": 1}, lambda found: found),
    }
    for family, (question, arguments, read_off) in asked.items():
        found = [
            read_off(model.inspect(question, game=make_game(model, [read(TEXTS[0])]), scale="logit", **arguments))
            for model in (
                load_model(source_of(str(word_folder / family), {}), CPU),
                load_model(with_temperature(word_folder / family, tmp_path / family, 2.0), CPU),
            )
        ]
        np.testing.assert_allclose(found[1], found[0] / 2, atol=1e-6)


def test_an_edit_of_a_model_with_a_temperature_says_what_was_taught_and_is_divided_once(word_folder, tmp_path):
    original = with_temperature(word_folder / "cnn", tmp_path / "original", 2.0)
    before, after = load_in_full(original, CPU), load_in_full(original, CPU)
    with torch.no_grad():
        after.network.classifier.bias += torch.tensor([0.5, -0.5])
    keep(tmp_path / "edit", original, before, after, {})
    loaded = load_model(source_of(str(tmp_path / "edit"), {}), CPU)
    assert np.array_equal(outputs(loaded), outputs(after))
    np.testing.assert_allclose(outputs(loaded) - outputs(before), [[0.5, -0.5]] * len(TEXTS), atol=1e-6)


def test_a_temperature_of_one_and_none_at_all_give_the_same_bits(word_folder, tmp_path):
    plain = load_model(source_of(str(word_folder / "lstm"), {}), CPU)
    one = load_model(with_temperature(word_folder / "lstm", tmp_path / "one", 1), CPU)
    assert (outputs(one) == outputs(plain)).all()


def test_a_temperature_is_part_of_the_revision(word_folder, tmp_path):
    plain = describe(source_of(str(word_folder / "cnn"), {})).revision
    cooler = with_temperature(word_folder / "cnn", tmp_path / "m", 2)
    assert describe(cooler).revision != plain
    assert load_model(cooler, CPU).revision == describe(cooler).revision


@pytest.mark.parametrize("given", [0, -1.5, float("nan"), float("inf"), "warm", "1.5", True, None, [2]])
def test_a_bad_temperature_is_refused(given, word_folder, tmp_path):
    with pytest.raises(BadModel, match=r"bad temperature in .*: got .*, possible is a number greater than 0"):
        load_in_full(with_temperature(word_folder / "cnn", tmp_path / "m", given), CPU)


def test_a_model_without_classes_has_no_temperature(tmp_path):
    shipped = settings().catalog.parent / "word-lstm-lm"
    with pytest.raises(BadModel, match=r"a temperature without classes in .*: got 2, possible is one of a classifier"):
        load_in_full(with_temperature(shipped, tmp_path / "m", 2), CPU)


def test_a_network_whose_last_layer_does_not_make_the_logits_is_refused(word_folder):
    model = load_in_full(source_of(str(word_folder / "cnn"), {}), CPU)
    model.network.register_forward_hook(lambda module, given, logits: logits + 1)
    with pytest.raises(BadModel, match="cannot have a temperature: got a network whose logits are not its last"):
        temper(model, 2.0)


def test_a_model_without_a_network_is_refused(word_folder):
    model = load_in_full(source_of(str(word_folder / "cnn"), {}), CPU)
    model.network.classifier = torch.nn.Identity()
    model.outputs = lambda rows: np.zeros((1, 2))
    with pytest.raises(BadModel, match=r"cannot have a temperature: got no layer with 2 outputs"):
        temper(model, 2.0)
