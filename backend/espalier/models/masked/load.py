"""Masked language models from a folder of this project's, from one of transformers', or from the hub."""

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from espalier.models.backbone import backbone
from espalier.models.manifest import read_manifest
from espalier.models.masked.model import MaskedModel
from espalier.models.masked_network import load_masked_network
from espalier.models.revision import combine, revision
from espalier.models.sources import Source, looks_like_hub_id
from espalier.models.transformer import check_folder
from espalier.problems import BadModel


def load(source: Source, device: torch.device) -> MaskedModel:
    """By what the source is: an adapter and a head over the installed backbone, a folder as save_pretrained writes it,
    or the name of a model on the hub. Safetensors only, no code of theirs."""
    if source.folder is not None and (source.folder / "espalier.json").is_file():
        manifest = read_manifest(source.folder)
        network, tokenizer = load_masked_network(source.folder)
        mark = revision(source.folder, backbone(manifest["backbone"]).sha256)
        return MaskedModel(source.name, network, tokenizer, mark, device, manifest["max_length"])
    if source.folder is not None:
        check_folder(source.folder)
        return _from(source.name, str(source.folder), device, revision(source.folder))
    if not looks_like_hub_id(source.entry.source):
        raise BadModel(
            f"no model at {source.entry.source}: got no such folder, give a folder with config.json and *.safetensors"
        )
    return _from(source.name, source.entry.source, device, None)


def _from(name: str, where: str, device: torch.device, mark: str | None) -> MaskedModel:
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, trust_remote_code=False)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadModel(
            f"{where} has no tokenizer that can be read: got {_first_line(error)}; possible is a folder with "
            "tokenizer.json beside the weights"
        ) from error
    try:
        network, loaded = AutoModelForMaskedLM.from_pretrained(
            where, use_safetensors=True, dtype=torch.float32, trust_remote_code=False, output_loading_info=True
        )
    except (OSError, ValueError, KeyError) as error:
        raise BadModel(f"cannot load {where}: {_first_line(error)}") from error
    if missing := sorted(loaded["missing_keys"]):
        # transformers would make a head up, with random weights.
        raise BadModel(f"{name} is no whole masked language model: got weights without {', '.join(missing[:3])}")
    return MaskedModel(
        name, network, tokenizer, mark or combine([where, str(getattr(network.config, "_commit_hash", ""))]), device
    )


def wrap_pipeline(network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, device: torch.device) -> MaskedModel:
    """A masked language model of a transformers pipeline."""
    name = str(network.config.name_or_path or type(network).__name__)
    return MaskedModel(name, network, tokenizer, combine([type(network).__name__, str(id(network))]), device)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
