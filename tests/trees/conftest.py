"""A parser nobody trained, in the shipped form: enough to test everything but its opinions."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from espalier.models.backbone import backbone
from espalier.trees.parser import Parser, load_parser
from espalier.trees.shim import nkutil, parse_chart

BACKBONE = "sentence-transformers/all-MiniLM-L6-v2"
LABELS = ["", "ADJP", "NP", "PP", "S", "S::VP", "VP"]
TAGS = ["UNK", ".", "DT", "HYPH", "JJ", "NN", "RB", "VBZ"]
HPARAMS = {
    "use_pretrained": True,
    "use_chars_lstm": False,
    "use_encoder": True,
    "pretrained_model": BACKBONE,
    "d_model": 64,
    "num_layers": 1,
    "num_heads": 2,
    "d_kv": 16,
    "d_ff": 32,
    "d_label_hidden": 24,
    "d_tag_hidden": 24,
    "tag_loss_scale": 0.2,
    "encoder_max_len": 512,
    "morpho_emb_dropout": 0.0,
    "attention_dropout": 0.0,
    "relu_dropout": 0.0,
    "residual_dropout": 0.0,
    "predict_tags": True,
    "force_root_constituent": True,
}


def vocabulary(names: list[str]) -> dict[str, int]:
    return {name: index for index, name in enumerate(names)}


def write_adapter(folder: Path) -> Path:
    """Random thin changes and a random head over the installed backbone, written by hand in the shipped form."""
    generator = torch.Generator().manual_seed(0)
    base = backbone(BACKBONE)
    torch.manual_seed(0)
    parser = parse_chart.ChartParser(
        vocabulary(TAGS), vocabulary(LABELS), None, nkutil.HParams(**HPARAMS), pretrained_model_path=str(base.folder)
    )
    tensors: dict[str, torch.Tensor] = {}
    for name, tensor in parser.state_dict().items():
        if "embeddings" in name or "pooler" in name:
            continue
        if name.startswith("pretrained_model.") and tensor.dim() == 2:
            rows, columns = tensor.shape
            tensors[f"{name}.up"] = 0.02 * torch.randn(rows, 2, generator=generator)
            tensors[f"{name}.down"] = 0.02 * torch.randn(2, columns, generator=generator)
        else:
            tensors[name] = tensor
    folder.mkdir(parents=True)
    save_file({name: tensor.half().contiguous() for name, tensor in tensors.items()}, folder / "parser.safetensors")
    manifest = {
        "family": "benepar-adapter",
        "backbone": BACKBONE,
        "backbone_sha256": base.sha256,
        "rank": 2,
        "hparams": HPARAMS,
        "label_vocab": vocabulary(LABELS),
        "tag_vocab": vocabulary(TAGS),
    }
    (folder / "espalier.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture(scope="session")
def adapter_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_adapter(tmp_path_factory.mktemp("parser") / "untrained")


@pytest.fixture(scope="session")
def untrained(adapter_folder: Path) -> Parser:
    return load_parser(adapter_folder)
