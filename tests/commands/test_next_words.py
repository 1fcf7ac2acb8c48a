"""Next words on the command line."""

import json
import re

import pytest
from tests.models.causal.conftest import network, tokenizer


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    network("gpt2").save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return str(folder)


def test_predict_shows_likely_words_and_those_that_are_named(espalier, tiny):
    printed = json.loads(espalier("predict", "the film was", "-m", tiny, "--outcome", " wonderful", "--json").stdout)
    assert " wonderful" in printed["probabilities"]
    assert len(printed["probabilities"]) == 10
    assert sum(printed["probabilities"].values()) == pytest.approx(1)


def test_explain_holds_one_word_against_another(espalier, tiny):
    given = ("explain", "the film was not", "-m", tiny, "-x", "shap", "--outcome", " good", "--against", " dull")
    printed = json.loads(espalier(*given, "--json").stdout)
    assert printed["classes"][printed["target"]] == " good"
    assert printed["classes"][printed["against"]] == " dull"
    drawn = espalier(*given)
    assert drawn.exit_code == 0
    assert "film" in drawn.stdout


@pytest.mark.parametrize("model", ["bow"])
def test_a_classifier_refuses_words(espalier, model):
    refused = espalier("predict", "the film", "-m", model, "--outcome", " good")
    assert refused.exit_code != 0
    assert re.search("possible is a language model", refused.output)
