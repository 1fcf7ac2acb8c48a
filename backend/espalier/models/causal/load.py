"""Causal language models from a folder, from an installed package, or from the hub: safetensors, no code of theirs."""

from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase
from transformers.utils import logging as transformers_logging

from espalier.models.causal.model import CausalModel
from espalier.models.causal.packaged import converted, packaged_file
from espalier.models.causal.transformer import CausalTransformer
from espalier.models.causal.writing import SubwordWriting
from espalier.models.manifest import read_manifest
from espalier.models.revision import combine, revision
from espalier.models.sources import Source, looks_like_hub_id
from espalier.models.transformer import check_folder
from espalier.problems import BadModel
from espalier.settings import settings

transformers_logging.disable_progress_bar()
transformers_logging.set_verbosity_error()

MOST_LENGTH = 2048
"""Tokens of a text, whatever a model may take: keys and values of all of them must find room."""

OPTIONS: dict[str, Any] = {"trust_remote_code": False}


def load(source: Source, device: torch.device) -> CausalModel:
    """By what the source is: a manifest that names an installed package, a folder as save_pretrained writes it, or the
    name of a model on the hub."""
    if source.folder is not None and (source.folder / "espalier.json").is_file():
        manifest = read_manifest(source.folder)
        file = packaged_file(manifest["package"], manifest["file"])
        made = converted(file, manifest["sha256"], settings().data / "models")
        mark, longest = revision(source.folder), manifest["max_length"]
        return _from(source.name, str(made), device, mark, longest, manifest.get("start"))
    if source.folder is not None:
        check_folder(source.folder)
        return _from(source.name, str(source.folder), device, revision(source.folder))
    if not looks_like_hub_id(source.entry.source):
        raise BadModel(
            f"no model at {source.entry.source}: got no such folder, give a folder with config.json and *.safetensors"
        )
    return _from(source.name, source.entry.source, device, None)


def _from(
    name: str,
    where: str,
    device: torch.device,
    mark: str | None,
    max_length: int | None = None,
    start: str | None = None,
) -> CausalModel:
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, **OPTIONS)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadModel(
            f"{where} has no tokenizer that can be read: got {_first_line(error)}; possible is a folder with "
            "tokenizer.json beside the weights"
        ) from error
    try:
        network = AutoModelForCausalLM.from_pretrained(where, use_safetensors=True, dtype=torch.float32, **OPTIONS)
    except (OSError, ValueError, KeyError) as error:
        raise BadModel(f"cannot load {where}: {_first_line(error)}") from error
    decided = mark or combine([where, str(getattr(network.config, "_commit_hash", ""))])
    return wrap(name, network, tokenizer, decided, device, max_length, start)


def wrap(
    name: str,
    network: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    mark: str,
    device: torch.device,
    max_length: int | None = None,
    start: str | None = None,
) -> CausalModel:
    """A causal language model that is in memory already. `start` is the token every text begins after, where it is not
    the one that its files name."""
    longest = longest_of(network.config, max_length)
    writing = SubwordWriting(name, tokenizer, start_of(name, network.config, tokenizer, start))
    transformer = CausalTransformer(name, network, device, longest)
    return CausalModel(name, "causal", transformer, writing, mark, longest)


def wrap_pipeline(network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, device: torch.device) -> CausalModel:
    """A causal language model of a transformers pipeline."""
    name = str(network.config.name_or_path or type(network).__name__)
    return wrap(name, network, tokenizer, combine([type(network).__name__, str(id(network))]), device)


def longest_of(config: Any, max_length: int | None) -> int:
    """How many tokens a text may have."""
    # A layer that looks back so far and no further is right for texts that are no longer.
    limits = [max_length, getattr(config, "max_position_embeddings", None), _window(config), MOST_LENGTH]
    return min(int(limit) for limit in limits if limit)


def start_of(name: str, config: Any, tokenizer: PreTrainedTokenizerBase, chosen: str | None = None) -> int:
    """The token every text begins after: the one that was chosen, else the one the model's files name; where texts only
    end, the end of the last."""
    if chosen is not None:
        token = tokenizer.convert_tokens_to_ids(chosen)
        if not isinstance(token, int) or tokenizer.convert_ids_to_tokens(token) != chosen:
            raise BadModel(f"{name} has no such start of a text: got {chosen!r}, possible are tokens it knows")
        return token
    for owner, asked in ((config, "bos_token_id"), (tokenizer, "bos_token_id"), (config, "eos_token_id")):
        found = getattr(owner, asked, None)
        found = found[0] if isinstance(found, list) and found else found
        if isinstance(found, int):
            return found
    raise BadModel(
        f"{name} names no start of a text: got no bos_token_id and no eos_token_id, possible is a config.json with one"
    )


def _window(config: Any) -> int | None:
    window: int | None = getattr(config, "sliding_window", None)
    return window if getattr(config, "use_sliding_window", True) else None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
