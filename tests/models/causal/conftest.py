"""Small causal language models with random weights, and a tokenizer made here: no files, no hub."""

from collections.abc import Callable, Iterator

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

from espalier.models.causal.load import wrap
from espalier.models.causal.model import CausalModel

WORDS = ["the", "film", "was", "not", "good", "but", "never", "dull", "and", "music", "lovely", "end"]
ARCHITECTURES = ["llama", "gpt2", "gpt-neox", "qwen2"]


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
