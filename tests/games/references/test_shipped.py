"""References that fill in, on the models that are shipped: what they are worth is the mean over the texts they show."""

import numpy as np
import pytest
import torch

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
def test_a_text_in_another_language_of_the_same_letters_is_refused_before_it_is_filled_in(explainer, reference):
    with pytest.raises(BadParameter) as problem:
        explainer.prepare(asked(text=FINNISH, model="sst2-bow", reference=reference))
    assert "was hardly made for this language: got " in problem.value.message
    assert "of 11 words that it would expect and " in problem.value.message
    assert "name a masked language model of the text's language (filler), or another" in problem.value.message


def provenance_of(explainer, text, reference="conditional"):
    found = explainer.explain(asked(text=text, model="sst2-bow", reference=reference, draws=1))
    return found, document(found)["provenance"]


@pytest.mark.parametrize("reference", ["conditional", "in-domain"])
@pytest.mark.parametrize(
    "text",
    [
        "Le film est beau mais la fin est un peu longue.",
        "Das war ein guter Film und die Musik war gut.",
        # Nothing but words that the model has as one token, too.
        "La vie est belle et le monde est grand.",
        "Det var en god film med en god historia.",
        "Il est bon et elle est belle.",
    ],
)
def test_a_text_in_another_language_that_is_filled_in_is_asked_about(explainer, text, reference):
    found, said = provenance_of(explainer, text, reference)
    words = sum(word.text.isalpha() for word in found.words)
    assert found.expected_words < words / 3
    assert f"{found.filler} expects {found.expected_words} of {words} words: is it of this language?" in said


def test_a_text_in_its_own_language_is_told_how_well_it_is_known_without_a_question(explainer):
    found, said = provenance_of(explainer, ENGLISH)
    assert 6 <= found.expected_words <= 11
    assert f", mlm-general expects {found.expected_words} of 11 words ·" in said
    pad = explainer.explain(asked(text=ENGLISH, model="sst2-bow", reference="pad"))
    assert "expected_words" not in pad.model_dump(mode="json")
    assert "expects" not in document(pad)["provenance"]


def test_nothing_is_said_of_a_text_without_words_of_letters(explainer):
    found, said = provenance_of(explainer, "10/10 !!!")
    assert found.expected_words == 0
    assert "expects" not in said


def test_invented_words_in_a_text_of_its_own_language_are_no_reason_to_refuse_it(explainer):
    found, said = provenance_of(
        explainer, "Nobody in the skating hall outjumped, outspun or outsmiled fifteen-year-old Mirela Dunca."
    )
    assert found.expected_words >= 3
    assert "is it of this language?" in said


def test_expected_words_are_those_among_the_hundred_likeliest_each_hidden_in_its_turn(explainer):
    """Against transformers itself: every seventh word hidden at a time, and the whole words ranked by their scores."""
    found, _ = provenance_of(explainer, ENGLISH)
    filler = explainer.host("mlm-general").model
    words = [word.text for word in found.words if word.text.isalpha()]
    tokens = filler.tokenizer.convert_tokens_to_ids([word.lower() for word in words])
    assert filler.tokenizer.unk_token_id not in tokens
    whole = torch.as_tensor(filler.whole_words.tokens)
    expected = 0
    for turn in range(7):
        hidden = [filler.blank_id if at % 7 == turn else token for at, token in enumerate(tokens)]
        ids = torch.tensor([[filler.tokenizer.cls_token_id, *hidden, *filler.tokenizer(".").input_ids[1:]]])
        with torch.no_grad():
            scores = filler.network(input_ids=ids).logits[0]
        for at in range(turn, len(tokens), 7):
            expected += int((scores[at + 1, whole] > scores[at + 1, tokens[at]]).sum()) < 100
    assert found.expected_words == expected


def test_a_text_of_its_own_language_and_one_too_short_to_tell_are_filled_in(explainer):
    for text in (ENGLISH, "Elokuva oli kaunis ja pitkä"[:18]):
        assert explainer.prepare(asked(text=text, model="sst2-bow", reference="conditional")).game.reference.draws == 4
