"""A classifier over a causal language model: what plain transformers say, one row at a time, however it is asked."""

import json
from math import comb

import numpy as np
import pytest
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from tests.models.causal.conftest import WORDS, network, tokenizer
from transformers import LlamaForSequenceClassification

from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.causal import classifier, making
from espalier.models.causal.classifier import CausalClassifier, wrap
from espalier.models.causal.packaged import converted
from espalier.models.describe import describe
from espalier.models.families import be_ready, load_model
from espalier.models.next_words import LanguageModel
from espalier.models.protocol import TokenRow
from espalier.models.revision import sha256
from espalier.models.tuning import Lesson, teach
from espalier.problems import BadModel, BeingMadeReady, NotSupported, TooLong
from espalier.settings import Settings
from espalier.text import read

CPU = torch.device("cpu")
CLASSES = ("red", "green", "blue")
TEXTS = ["the film was not good", "the music was lovely, but the end", "🎬 was  wonderful and\nnever dull ", "good"]
PAD = 7
"""A token that no text here has."""


def plain() -> LlamaForSequenceClassification:
    """A tiny Llama whose head reads the last token, as transformers makes it."""
    config = network("llama").config
    config.num_labels, config.pad_token_id = len(CLASSES), PAD
    torch.manual_seed(6)
    made = LlamaForSequenceClassification(config)
    for parameter in made.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.25)
    return made.eval()


@pytest.fixture(scope="module")
def model() -> CausalClassifier:
    return wrap("tiny", plain(), tokenizer(), CLASSES, "r", CPU)


def explain(model, **fields):
    asked = ExplanationRequest(**{"model": "own", "method": "shap", "text": TEXTS[0], **fields})
    return Explainer(lambda _: model, lambda passage: pytest.fail("nobody needs a tree")).explain(asked)


@torch.inference_mode()
def alone(asked: torch.nn.Module, model: CausalClassifier, text: str, coalition, closes_up: bool = False) -> np.ndarray:
    """What plain transformers say of one coalition: absent tokens are padding where they stand, or cut out."""
    encoding = model.encode(read(text))
    present = np.array([owner is None or bool(coalition[owner]) for owner in encoding.owners])
    ids = np.array(encoding.ids)
    if closes_up:
        ids, present = ids[present], present[present]
    padded = torch.as_tensor(np.where(present, ids, PAD)[None])
    mask = torch.as_tensor(present[None].astype(np.int64))
    # Without positions of its own transformers would count those that are left.
    return asked(input_ids=padded, attention_mask=mask, position_ids=torch.arange(len(ids))[None]).logits[0].numpy()


def coalitions(size: int) -> np.ndarray:
    """All of few words, some of many, nobody and everybody always among them."""
    if size <= 5:
        return np.array(np.meshgrid(*[[False, True]] * size)).T.reshape(-1, size)
    drawn = np.random.default_rng(size).random((30, size)) < 0.5
    return np.concatenate([drawn, np.zeros((1, size), bool), np.ones((1, size), bool)])


def rows_of(model: CausalClassifier, text: str, closes_up: bool) -> list[TokenRow]:
    encoding = model.encode(read(text))
    found = []
    for coalition in coalitions(len(read(text).words)):
        kept = np.flatnonzero([owner is None or bool(coalition[owner]) for owner in encoding.owners])
        places, length = (np.arange(len(kept)), len(kept)) if closes_up else (kept, len(encoding.ids))
        found.append(TokenRow(np.array(encoding.ids)[kept], places, length))
    return found


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("closes_up", [False, True])
def test_logits_are_those_of_plain_transformers_padded_one_row_at_a_time(model, text, closes_up):
    asked = plain()
    expected = [alone(asked, model, text, each, closes_up) for each in coalitions(len(read(text).words))]
    assert model.network.shares
    np.testing.assert_allclose(model.outputs(rows_of(model, text, closes_up)), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_has_the_same_bits_in_any_company(model, threads):
    torch.set_num_threads(threads)
    rows = [row for text in TEXTS[:3] for row in rows_of(model, text, False)]
    together = model.outputs(rows)
    for count in (1, 3, 17):
        model.network.forget()
        order = np.random.default_rng(count).permutation(len(rows))
        for start in range(0, len(rows), count):
            some = order[start : start + count]
            assert np.array_equal(model.outputs([rows[each] for each in some]), together[some])


@pytest.mark.parametrize("reference", ["pad", "delete"])
def test_shap_values_are_those_of_plain_transformers(model, reference):
    found = explain(model, reference=reference, target="green", scale="log_odds")
    size = len(read(TEXTS[0]).words)
    everyone = coalitions(size)
    logits = np.array([alone(plain(), model, TEXTS[0], each, reference == "delete") for each in everyone])
    values = logits[:, 1] - np.logaddexp(logits[:, 0], logits[:, 2])
    value = {row.tobytes(): each for row, each in zip(everyone, values, strict=True)}
    expected = np.zeros(size)
    for row in everyone:
        for player in np.flatnonzero(~row):
            joined = row.copy()
            joined[player] = True
            weight = 1 / (size * comb(size - 1, int(row.sum())))
            expected[player] += weight * (value[joined.tobytes()] - value[row.tobytes()])
    np.testing.assert_allclose(found.result.values, expected, atol=1e-4)


def test_a_mask_is_refused_where_the_language_model_has_none(model):
    with pytest.raises(NotSupported, match="tiny has no mask token: possible references are pad, delete, marginal"):
        explain(model, reference="mask")


def test_other_words_in_the_place_of_absent_ones_are_read(model):
    found = explain(model, reference="marginal", target="red", method="leave-one-out")
    assert np.isfinite(found.result.values).all()


def test_hardly_anything_is_computed_twice(model):
    model.network.forget()
    before = model.network.computed
    text = " ".join((WORDS * 2)[:20])
    explain(model, text=text, method="leave-one-out", target="red")
    assert model.network.computed - before <= 0.6 * 20 * 21


def test_gradients_along_the_path_add_up_to_what_plain_transformers_say(model):
    found = explain(model, method="integrated-gradients", target="blue", scale="logit", parameters={"steps": 300})
    size = len(read(TEXTS[0]).words)
    full = alone(plain(), model, TEXTS[0], np.ones(size, bool))[2]
    assert found.result.full == pytest.approx(full, abs=1e-4)
    assert sum(found.result.values) == pytest.approx(found.result.full - found.result.base, abs=1e-2)


def test_what_it_cannot_read_is_refused(model):
    with pytest.raises(NotSupported, match="tiny reads one text: got a pair, possible is a text alone"):
        model.encode(read("good"), read("dull"))
    with pytest.raises(TooLong, match=r"text too long for tiny: got \d+ tokens \(100 words\), possible are up to 96"):
        model.encode(read("good " * 100))


def test_it_is_a_classifier_that_cannot_be_edited(model):
    assert not isinstance(model, LanguageModel)
    lesson = Lesson(rows_of(model, "good", False), np.zeros(2), np.ones(2))
    with pytest.raises(NotSupported, match="got a model of the family causal-classifier"):
        teach(model, lesson, lesson, 0, rate=None, steps=1, enough=0.1)


@pytest.fixture
def tuned(shipped, file, tmp_path, monkeypatch):
    """An adapter with random weights in a catalog's folder, over a language model that a package carries."""
    data = Settings(data=tmp_path / "data")
    monkeypatch.setattr(classifier, "settings", lambda: data)
    source = shipped(sha256(file), family="causal-classifier", classes=list(CLASSES))
    options = {"task_type": "SEQ_CLS", "r": 2, "target_modules": ["q_proj", "down_proj"], "modules_to_save": ["score"]}
    torch.manual_seed(8)
    adapted = get_peft_model(plain(), LoraConfig(**options))
    for parameter in adapted.parameters():
        if parameter.requires_grad:
            torch.nn.init.normal_(parameter, std=0.2)
    adapted.save_pretrained(source.own_folder())
    return source


def test_an_adapter_is_loaded_into_the_language_model_that_it_names(tuned, file, tmp_path):
    model = load_model(tuned, CPU)
    assert (model.family, model.classes, model.max_length) == ("causal-classifier", CLASSES, 64)
    assert describe(tuned).revision == model.revision
    made = converted(file, sha256(file), tmp_path / "data" / "models")
    asked = LlamaForSequenceClassification.from_pretrained(made, num_labels=3, pad_token_id=PAD, dtype=torch.float32)
    asked = PeftModel.from_pretrained(asked, str(tuned.own_folder())).eval()
    expected = [alone(asked, model, TEXTS[0], each) for each in coalitions(5)]
    np.testing.assert_allclose(model.outputs(rows_of(model, TEXTS[0], False)), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.slow
def test_its_language_model_is_made_ready_at_the_first_use(tuned):
    with pytest.raises(BeingMadeReady, match="tiny is being made ready for its first use, once"):
        be_ready(tuned)
    (maker,) = making._makers.values()
    assert maker.wait(120) == 0
    be_ready(tuned)


def test_a_temperature_in_the_manifest_divides_the_logits(tuned):
    rows = [load_model(tuned, CPU).encode(read(text)).row() for text in TEXTS]
    plain = load_model(tuned, CPU).outputs(rows)
    path = tuned.own_folder() / "espalier.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"temperature": 1.6}), encoding="utf-8")
    np.testing.assert_allclose(load_model(tuned, CPU).outputs(rows), plain / 1.6, atol=1e-5)


def test_an_adapter_that_is_missing_or_another_models_is_refused(tuned):
    weights = tuned.own_folder() / "adapter_model.safetensors"
    kept = weights.read_bytes()
    weights.unlink()
    with pytest.raises(BadModel, match=r"got no adapter_model.safetensors, pickle is not read"):
        load_model(tuned, CPU)
    weights.write_bytes(kept)
    config = tuned.own_folder() / "adapter_config.json"
    config.write_text(config.read_text().replace('"r": 2', '"r": 4'))
    with pytest.raises(BadModel, match="an adapter of another network in"):
        load_model(tuned, CPU)
