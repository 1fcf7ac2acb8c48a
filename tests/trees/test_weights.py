"""Parsers from files: the shipped form, benepar's form, and everything that is neither."""

import json
import shutil
from pathlib import Path
from typing import Any

import nltk
import pytest
import spacy
import torch
from safetensors.torch import load_file, save_file

from espalier.models.backbone import backbone
from espalier.problems import BadModel
from espalier.text import read
from espalier.trees.parser import Parser, load_parser
from espalier.trees.shim import benepar
from training import parser as training

SENTENCE = "The small dog sleeps near a warm fire."


@pytest.fixture(scope="session")
def benepar_folder(untrained: Parser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same weights as benepar releases its models: whole, with the backbone's configuration and tokenizer."""
    folder = tmp_path_factory.mktemp("nltk_data") / "models" / "benepar_own"
    folder.mkdir(parents=True)
    chart_parser = untrained._chart_parser
    chart_parser.pretrained_model.config.save_pretrained(folder)
    chart_parser.retokenizer.tokenizer.save_pretrained(folder)
    configuration = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(configuration | {"benepar": chart_parser.config}))
    state = chart_parser.state_dict()
    base = load_file(backbone(training.BACKBONE).folder / "model.safetensors")
    state |= {f"pretrained_model.{name}": base[name] for name in base if name.startswith("pooler.")}
    # Older versions of transformers wrote this constant, which newer ones do not expect.
    state["pretrained_model.embeddings.position_ids"] = torch.arange(512)[None]
    torch.save(state, folder / "benepar_model.bin")
    return folder


def copy_of(folder: Path, target: Path, **changes: Any) -> Path:
    shutil.copytree(folder, target)
    manifest = json.loads((target / "espalier.json").read_text(encoding="utf-8"))
    (target / "espalier.json").write_text(json.dumps(manifest | changes))
    return target


def test_every_matrix_is_the_backbones_plus_its_thin_change(untrained: Parser, adapter_folder: Path) -> None:
    base = load_file(backbone(training.BACKBONE).folder / "model.safetensors")
    changes = load_file(adapter_folder / "parser.safetensors")
    loaded = untrained._chart_parser.state_dict()
    name = "encoder.layer.3.intermediate.dense.weight"
    up, down = changes[f"pretrained_model.{name}.up"].double(), changes[f"pretrained_model.{name}.down"].double()
    expected = base[name].double() + up @ down
    assert torch.allclose(loaded[f"pretrained_model.{name}"].double(), expected, atol=1e-6)
    word_embeddings = "embeddings.word_embeddings.weight"
    assert torch.equal(loaded[f"pretrained_model.{word_embeddings}"], base[word_embeddings])


def test_weights_are_in_full_precision(untrained: Parser) -> None:
    assert {tensor.dtype for tensor in untrained._chart_parser.state_dict().values()} == {torch.float32}


@pytest.mark.slow
def test_what_training_exports_is_what_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, tags = {"": 0, "S": 1, "NP": 2}, {"UNK": 0, "NN": 1}
    chart_parser = training.build(labels, tags)
    torch.manual_seed(1)
    state = chart_parser.state_dict()
    tuned = [name for name in state if ".layer." in name and name.endswith("dense.weight")][:2]
    for name in tuned:
        rows, columns = state[name].shape
        state[name] = state[name] + 0.1 * torch.randn(rows, 3) @ torch.randn(3, columns)
    torch.save({"labels": labels, "tags": tags, "state": state}, tmp_path / "checkpoint.pt")
    monkeypatch.setattr(training, "MODELS", tmp_path)
    training.export(tmp_path / "checkpoint.pt", rank=3)
    loaded = load_parser(tmp_path / training.NAME)._chart_parser.state_dict()
    assert loaded.keys() == state.keys()
    assert all(torch.allclose(loaded[name], state[name], atol=5e-3, rtol=2e-3) for name in state)


def test_the_revision_changes_with_the_weights(untrained: Parser, adapter_folder: Path, tmp_path: Path) -> None:
    other = copy_of(adapter_folder, tmp_path / "other")
    assert load_parser(other).revision == untrained.revision
    tensors = load_file(other / "parser.safetensors")
    save_file(tensors | {"f_label.0.bias": tensors["f_label.0.bias"] + 1}, other / "parser.safetensors")
    assert load_parser(other).revision != untrained.revision


def test_a_model_in_benepars_own_form_parses_the_same(untrained: Parser, benepar_folder: Path) -> None:
    assert load_parser(benepar_folder).parse(read(SENTENCE)) == untrained.parse(read(SENTENCE))


def test_a_benepar_model_is_found_by_its_name(benepar_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [str(benepar_folder.parents[1])])
    assert load_parser("benepar_own").name == "benepar_own"


def test_spacys_benepar_component_reads_the_shipped_form(untrained: Parser, adapter_folder: Path) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("benepar", config={"model": str(adapter_folder)})
    (sentence,) = pipeline(SENTENCE).sents
    expected = untrained.parse(read(SENTENCE))
    found = {
        (span.start, span.end): tuple(span._.labels)
        for span in sentence._.constituents
        if len(span) > 1 or span._.labels
    }
    phrases = {
        (node.start, node.end): node.labels[:-1] if node.is_leaf else node.labels
        for node in expected.nodes
        if not node.is_leaf or len(node.labels) > 1
    }
    assert found == phrases
    assert tuple(token.tag_ for token in sentence) == expected.tags


def test_benepars_own_parser_reads_the_shipped_form(untrained: Parser, adapter_folder: Path) -> None:
    words = [word.text for word in read(SENTENCE).words]
    tree = benepar.Parser(str(adapter_folder)).parse(benepar.InputSentence(words=words))
    assert tree.leaves() == words
    assert tuple(tag for _, tag in tree.pos()) == untrained.parse(read(SENTENCE)).tags


def test_an_adapter_over_another_backbone_is_refused(adapter_folder: Path, tmp_path: Path) -> None:
    folder = copy_of(adapter_folder, tmp_path / "other", backbone_sha256="0" * 64)
    with pytest.raises(BadModel, match=r"wrong backbone for other: got .* possible is 000000000000… only"):
        load_parser(folder)


def test_a_classifiers_folder_is_refused(adapter_folder: Path, tmp_path: Path) -> None:
    folder = copy_of(adapter_folder, tmp_path / "other", family="adapter")
    with pytest.raises(BadModel, match=r"not a parser: got family 'adapter' .* possible is benepar-adapter"):
        load_parser(folder)


def test_missing_weights_are_named(adapter_folder: Path, tmp_path: Path) -> None:
    folder = copy_of(adapter_folder, tmp_path / "other")
    (folder / "parser.safetensors").unlink()
    with pytest.raises(BadModel, match=r"not a parser: .*parser\.safetensors"):
        load_parser(folder)


def test_weights_that_do_not_fit_the_manifest_are_refused(adapter_folder: Path, tmp_path: Path) -> None:
    folder = copy_of(adapter_folder, tmp_path / "other", label_vocab={"": 0, "S": 1})
    with pytest.raises(BadModel, match="not a parser"):
        load_parser(folder)


def test_a_broken_manifest_is_refused(adapter_folder: Path, tmp_path: Path) -> None:
    folder = copy_of(adapter_folder, tmp_path / "other")
    (folder / "espalier.json").write_text("{")
    with pytest.raises(BadModel, match="not a parser"):
        load_parser(folder)


def test_a_pickle_that_runs_code_is_not_read(benepar_folder: Path, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "sprung",))

    folder = tmp_path / "trap"
    shutil.copytree(benepar_folder, folder, ignore=shutil.ignore_patterns("*.bin"))
    torch.save({"trap": Trap()}, folder / "benepar_model.bin")
    with pytest.raises(BadModel, match="unsafe weights: got pickled code"):
        load_parser(folder)
    assert not (tmp_path / "sprung").exists()


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="not a parser"):
        load_parser(tmp_path)


def test_an_unknown_name_is_refused_with_what_is_possible() -> None:
    with pytest.raises(BadModel, match=r"parser not found: got 'benepar_xx', possible are minilm-benepar, a folder"):
        load_parser("benepar_xx")
