"""Small causal language models with random weights, and a tokenizer made here: no hub."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)

from espalier.models.causal import conversion, making
from espalier.models.causal.load import wrap
from espalier.models.causal.model import CausalModel
from espalier.models.sources import Entry, Source
from espalier.settings import Settings

WORDS = ["the", "film", "was", "not", "good", "but", "never", "dull", "and", "music", "lovely", "end"]
ARCHITECTURES = ["llama", "gpt2", "gpt-neox", "qwen2"]
BACK = {transformers: gguf_name for gguf_name, transformers in conversion._NAMES.items()}


def tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level BPE with leading spaces, which knows some words whole and spells the others in bytes."""
    symbols = ["<|start|>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    merges: list[tuple[str, str]] = []
    for word in WORDS:
        ends = [word[:length] for length in range(2, len(word) + 1)] + [f"Ġ{word}"]
        starts = [(each[:-1], each[-1]) for each in ends[:-1]] + [("Ġ", word)]
        for whole, parts in zip(ends, starts, strict=True):
            if whole not in symbols:
                symbols.append(whole)
                merges.append(parts)
    model = BPE({symbol: index for index, symbol in enumerate(symbols)}, merges)
    made = Tokenizer(model)
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<|start|>", eos_token="<|start|>")


def network(architecture: str) -> PreTrainedModel:
    """A tiny transformer whose every weight matters."""
    size = len(tokenizer())
    common = {"vocab_size": size, "bos_token_id": 0, "eos_token_id": 0}
    wide = common | {
        "hidden_size": 48,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 6,
        "max_position_embeddings": 96,
    }
    made: Callable[[], PreTrainedModel] = {
        "llama": lambda: LlamaForCausalLM(LlamaConfig(**wide, num_key_value_heads=2)),
        "gpt2": lambda: GPT2LMHeadModel(GPT2Config(**common, n_embd=48, n_layer=2, n_head=4, n_positions=96)),
        "gpt-neox": lambda: GPTNeoXForCausalLM(GPTNeoXConfig(**wide)),
        "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**wide, num_key_value_heads=3)),
    }[architecture]
    torch.manual_seed(5)
    model = made()
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.25)
    return model.eval()


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks so small are slower on two."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def hosted() -> Callable[[str], CausalModel]:
    kept: dict[str, CausalModel] = {}

    def make(architecture: str) -> CausalModel:
        if architecture not in kept:
            kept[architecture] = wrap(
                architecture, network(architecture), tokenizer(), architecture, torch.device("cpu")
            )
        return kept[architecture]

    return make


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
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


def _merges(writing: PreTrainedTokenizerFast) -> list[list[str]]:
    return json.loads(writing.backend_tokenizer.to_str())["model"]["merges"]


@pytest.fixture
def shipped(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Source]:
    """A catalog's entry whose weights an installed package carries, with nothing made of them yet."""
    package = tmp_path / "installed" / "tiny_package"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(file, package / file.name)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(making, "settings", lambda: Settings(data=tmp_path / "data"))
    folder = tmp_path / "entry"
    folder.mkdir()

    def entry(mark: str, **more: Any) -> Source:
        manifest = {"family": "causal", "package": "tiny_package", "file": file.name, "sha256": mark, "classes": []}
        (folder / "espalier.json").write_text(json.dumps(manifest | {"max_length": 64} | more))
        return Source(Entry(name="tiny", title="Tiny", source=str(folder)), folder)

    return entry
