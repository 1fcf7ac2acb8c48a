"""A GGUF file of Llama's architecture as a folder that transformers loads, in float32."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from espalier.problems import BadModel

Tell = Callable[[int, int], None]
"""Called with how many parts are done, of how many."""

READING, WRITING = 480, 320
"""Parts that reading the file, and writing its tokenizer, count for: they take as long as so many tensors."""

_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
"""What tensors are called in a GGUF file of Llama's architecture, and in transformers."""


def convert(source: Path, folder: Path, tell: Tell) -> None:
    """Tells how far it is, in parts that take about the same time."""
    import torch
    from gguf import GGUFReader, dequantize
    from safetensors.torch import save_file
    from transformers import AutoTokenizer

    tell(0, 1)
    reader = GGUFReader(source)
    count = len(reader.tensors) + READING + WRITING
    tell(READING, count)
    config = _config(reader, source)
    config.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name).save_pretrained(folder)
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    weights: dict[str, Any] = {}
    for done, tensor in enumerate(reader.tensors, start=READING + WRITING):
        tell(done, count)
        name, kind = _name(tensor.name)
        values = np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        weights[name] = torch.from_numpy(_unrotated(values, heads[kind]) if kind in heads else values)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    tell(count, count)


def _config(reader: Any, source: Path) -> Any:
    """The sizes of the network. transformers would read all of the file a second time for them."""
    from transformers import LlamaConfig

    def said(name: str, *otherwise: Any) -> Any:
        field = reader.fields.get(name)
        if field is None and not otherwise:
            raise BadModel(f"cannot read {source}: got no {name}, possible is a GGUF file of the architecture llama")
        return field.contents() if field is not None else otherwise[0]

    if (architecture := said("general.architecture")) != "llama":
        raise BadModel(f"cannot read {source}: got the architecture {architecture}, possible is llama")
    heads = said("llama.attention.head_count")
    return LlamaConfig(
        architectures=["LlamaForCausalLM"],
        vocab_size=len(said("tokenizer.ggml.tokens")),
        hidden_size=said("llama.embedding_length"),
        intermediate_size=said("llama.feed_forward_length"),
        num_hidden_layers=said("llama.block_count"),
        num_attention_heads=heads,
        num_key_value_heads=said("llama.attention.head_count_kv", heads),
        max_position_embeddings=said("llama.context_length"),
        rms_norm_eps=said("llama.attention.layer_norm_rms_epsilon"),
        rope_theta=said("llama.rope.freq_base", 10_000.0),
        tie_word_embeddings=all(tensor.name != "output.weight" for tensor in reader.tensors),
        bos_token_id=said("tokenizer.ggml.bos_token_id", None),
        eos_token_id=said("tokenizer.ggml.eos_token_id", None),
        pad_token_id=said("tokenizer.ggml.padding_token_id", None),
    )


def _name(given: str) -> tuple[str, str]:
    """`blk.3.attn_q.weight` as transformers calls it, and its kind."""
    *where, kind, what = given.split(".")
    if kind not in _NAMES:
        raise BadModel(f"unknown tensor in a GGUF file: got {given}, possible are {', '.join(_NAMES)}")
    layer = f"model.layers.{where[1]}." if where else ""
    return f"{layer}{_NAMES[kind]}.{what}", kind


def _unrotated(weights: np.ndarray, heads: int) -> np.ndarray:
    """GGUF files pair neighbouring numbers of a head for its rotation; transformers pairs the two halves."""
    apart = weights.reshape(heads, -1, 2, weights.shape[1])
    return np.ascontiguousarray(apart.swapaxes(1, 2).reshape(weights.shape))
