"""References that fill in, on the models that are shipped: what they are worth is the mean over the texts they show."""

import numpy as np
import pytest

from espalier.engine.explainer import Explainer
from espalier.engine.stand_ins import stand_ins
from espalier.explain.request import ExplanationRequest
from espalier.findings.document import document
from espalier.models.catalog import catalog
from espalier.problems import BadParameter

FINNISH = "Elokuva oli minusta kaunis mutta loppu tuntui turhan pitkältä ja surulliselta."
ENGLISH = "The film was beautiful but its ending felt long and sad."
KINDS = {
    "sst2-bow": {"target": "positive"},
    "sst2-cnn": {"target": "positive"},
    "sst2-minilm": {"target": "positive"},
    "word-lstm-lm": {"outcome": " the", "outcomes": (" the", " a")},
}


@pytest.fixture(scope="module")
def explainer():
    made = Explainer(catalog().load, lambda _: pytest.fail("a tree"))
    yield made
    made.close()


def asked(**fields):
    return ExplanationRequest(**{"method": "leave-one-out", "scale": "probability", **fields})


@pytest.mark.parametrize("reference", ["conditional", "in-domain"])
@pytest.mark.parametrize("model", KINDS)
def test_a_word_is_worth_what_the_model_says_less_without_it_of_the_texts_that_are_shown(explainer, model, reference):
    text = "A lovely film with"
    own = {"model": model, **KINDS[model]}
    found = explainer.explain(asked(text=text, reference=reference, draws=3, **own))

    def says(words):
        return explainer.explain(asked(text=words, reference="pad", **own)).result.full

    assert found.result.full == pytest.approx(says(text), abs=1e-6)
    request = asked(text=text, reference=reference, draws=3, **own)
    texts = [each["text"] for each in stand_ins(explainer, request, [1])["texts"]]
    assert len(texts) == 3
    assert "lovely" not in texts[0] or len(set(texts)) > 1
    assert found.result.values[1] == pytest.approx(says(text) - np.mean([says(each) for each in texts]), abs=1e-5)
    assert found.filler == {"conditional": "mlm-general", "in-domain": "mlm-movies"}[reference]


# ------------------------------------------------------------------------------------------------ another language


@pytest.mark.parametrize("reference", ["conditional", "in-domain"])
def test_a_text_in_another_language_of_the_same_letters_is_refused_before_any_pass(explainer, reference):
    with pytest.raises(BadParameter) as problem:
        explainer.prepare(asked(text=FINNISH, model="sst2-bow", reference=reference))
    assert "was hardly made for this language: got " in problem.value.message
    assert "of 11 words that it writes in one token" in problem.value.message
    assert "possible are 3 of 5 or more: name a masked language model of the text's language" in problem.value.message


def provenance_of(explainer, text):
    found = explainer.explain(asked(text=text, model="sst2-bow", reference="conditional", draws=1))
    return found, document(found)["provenance"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Le film est beau mais la fin est un peu longue.", 3),
        ("Das Essen war gut und die Leute waren nett.", 3),
        ("No me gusta nada la comida de este hotel.", 3),
    ],
)
def test_a_text_in_another_language_that_is_filled_in_says_how_it_is_read(explainer, text, pieces):
    found, said = provenance_of(explainer, text)
    assert len(found.in_pieces) == pieces
    words = sum(word.text.isalpha() for word in found.words)
    assert f", {pieces} of {words} words read in pieces by mlm-general: is it of this language?" in said


def test_a_rare_word_is_named_without_a_question(explainer):
    found, said = provenance_of(explainer, "The film was beautiful but its ending felt overlong and sad.")
    assert found.in_pieces == ("overlong",)
    assert ", 1 of 11 words read in pieces by mlm-general ·" in said
    found, said = provenance_of(explainer, ENGLISH)
    assert "in_pieces" not in found.model_dump(mode="json")
    assert "pieces" not in said


def test_a_text_of_its_own_language_and_one_too_short_to_tell_are_filled_in(explainer):
    for text in (ENGLISH, "Elokuva oli kaunis ja pitkä"[:18]):
        assert explainer.prepare(asked(text=text, model="sst2-bow", reference="conditional")).game.reference.draws == 4
