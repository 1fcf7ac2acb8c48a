"""What a model computes in is chosen by the operator, and part of what identifies its numbers."""

from collections.abc import Callable

import pytest
import torch

from espalier.models.catalog import catalog
from espalier.models.describe import describe
from espalier.models.device import precision_on
from espalier.models.families import load_in_full, load_model
from espalier.models.precision import known_mark, marked, rounding_of
from espalier.models.sources import source_of
from espalier.problems import BadModel
from espalier.settings import BadSetting, settings

CPU, GPU = torch.device("cpu"), torch.device("cuda:0")


@pytest.fixture
def wanting(monkeypatch: pytest.MonkeyPatch):
    """Set what is wanted, as an operator does."""

    def want(precision: str) -> None:
        monkeypatch.setenv("ESPALIER_PRECISION", precision)
        settings.cache_clear()

    yield want
    monkeypatch.undo()
    settings.cache_clear()


def test_numbers_of_every_precision_have_a_revision_of_their_own() -> None:
    marks = [marked("1f2e", precision) for precision in ("float32", "bfloat16", "float16")]
    assert marks[0] == "1f2e"
    assert len(set(marks)) == 3


def test_what_only_the_device_decides_has_no_revision_before_it_is_loaded() -> None:
    assert known_mark("1f2e", "half") is None
    assert known_mark(None, "bfloat16") is None
    assert known_mark("1f2e", "float16") == marked("1f2e", "float16")


@pytest.mark.parametrize(
    ("capability", "wanted", "given"),
    [
        ((7, 5), "half", "float16"),
        ((8, 0), "half", "bfloat16"),
        ((9, 0), "bfloat16", "bfloat16"),
        ((7, 5), "float16", "float16"),
        ((9, 0), "float32", "float32"),
    ],
)
def test_half_is_the_better_one_that_a_gpu_has(
    monkeypatch: pytest.MonkeyPatch, capability: tuple[int, int], wanted: str, given: str
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert precision_on(GPU, wanted) == given


def test_an_old_gpu_does_not_imitate_bfloat16(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (7, 0))
    with pytest.raises(BadModel, match=r"no bfloat16 on cuda:0: got .*, possible are float16, half and float32"):
        precision_on(GPU, "bfloat16")


def test_a_processor_gains_nothing_from_half_precision_but_can_be_told() -> None:
    assert precision_on(CPU, "half") == "float32"
    assert precision_on(CPU, "bfloat16") == "bfloat16"


def test_an_unknown_precision_is_refused_with_those_there_are(wanting: Callable[[str], None]) -> None:
    wanting("double")
    with pytest.raises(BadSetting, match="'half'"):
        settings()


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_the_service_knows_the_revision_that_a_worker_will_load(wanting: Callable[[str], None], precision: str) -> None:
    source = catalog().source("sst2-minilm")
    plain = load_in_full(source, CPU)
    wanting(precision)
    model = load_model(source, CPU)
    assert describe(source).revision == model.revision != plain.revision
    rounding = rounding_of(model)
    assert rounding is not None
    assert rounding.precision == precision
    assert rounding_of(plain) is None


def test_half_on_a_processor_is_single_precision(wanting: Callable[[str], None], bert_folder) -> None:
    source = source_of(str(bert_folder), {})
    wanting("half")
    assert describe(source).revision is None
    model = load_model(source, CPU)
    assert model.revision == load_in_full(source, CPU).revision
    assert {weight.dtype for weight in model.network.parameters()} == {torch.float32}


def test_models_over_words_compute_as_ever(wanting: Callable[[str], None], word_folder) -> None:
    source = source_of(str(word_folder / "lstm"), {})
    before = describe(source).revision
    wanting("bfloat16")
    model = load_model(source, CPU)
    assert describe(source).revision == model.revision == before
    assert {weight.dtype for weight in model.network.parameters()} == {torch.float32}


def test_a_checkpoint_in_half_precision_is_read_in_single_precision(tmp_path, bert_folder) -> None:
    from transformers import AutoTokenizer, BertForSequenceClassification

    saved = BertForSequenceClassification.from_pretrained(bert_folder).to(torch.bfloat16)
    saved.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(bert_folder).save_pretrained(tmp_path)
    model = load_model(source_of(str(tmp_path), {}), CPU)
    assert {weight.dtype for weight in model.network.parameters()} == {torch.float32}
