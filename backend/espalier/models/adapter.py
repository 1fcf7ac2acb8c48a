"""A LoRA adapter and a head over an installed backbone: a few megabytes that ship instead of ninety."""

import warnings
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from espalier.models.backbone import backbone, verify
from espalier.models.manifest import read_manifest
from espalier.models.revision import revision
from espalier.models.sources import Source
from espalier.models.transformer import TransformerModel
from espalier.problems import BadModel


class AdapterModel(TransformerModel):
    family = "adapter"


def load(source: Source, device: torch.device) -> AdapterModel:
    return load_adapter(source.name, source.own_folder(), device)


def load_adapter(name: str, folder: Path, device: torch.device) -> AdapterModel:
    """Merge the adapter into its backbone. An adapter over another backbone than it was trained on is refused."""
    from peft import PeftModel  # slow to import, and only needed here

    manifest = read_manifest(folder)
    base = backbone(manifest["backbone"])
    verify(base, manifest["backbone_sha256"], name)
    if not (folder / "adapter_model.safetensors").is_file():
        raise BadModel(f"unsafe or missing weights in {folder}: got no adapter_model.safetensors, pickle is not read")
    classes = tuple(manifest["classes"])
    tokenizer = AutoTokenizer.from_pretrained(base.folder)
    model = AutoModelForSequenceClassification.from_pretrained(
        base.folder, num_labels=len(classes), id2label=dict(enumerate(classes)), use_safetensors=True
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        merged = PeftModel.from_pretrained(model, str(folder)).merge_and_unload()
    mark = revision(folder, base.sha256)
    return AdapterModel(name, merged, tokenizer, classes, mark, device, manifest["max_length"])
