"""Parsers from files: the shipped one, a thin change of the installed backbone, or any model in benepar's own form.

The shipped folder holds `espalier.json` (vocabularies, hyperparameters, the backbone's digest) and
`parser.safetensors` (half precision): for each matrix W of the backbone's layers two thin ones, W + up @ down; the
layers' vectors and the parsing head as they are. Embeddings are the backbone's own. benepar itself
(`benepar.Parser(folder)`, `nlp.add_pipe("benepar", config={"model": folder})`) reads such folders too, once this
module is imported.
"""

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import AutoConfig

from espalier.models.backbone import Backbone, backbone, verify
from espalier.models.loading import ONE_AT_A_TIME
from espalier.places import MODELS
from espalier.problems import BadModel
from espalier.trees.shim import benepar_files, nkutil, parse_chart

SHIPPED = "minilm-benepar"
FAMILY = "benepar-adapter"

_BACKBONE_PREFIX = "pretrained_model."
_OLD_BUFFER = "position_ids"
"""Models saved under older transformers carry this constant; newer ones refuse it as unexpected."""


def locate(source: str | Path) -> Path:
    """Where a parser is: the shipped one by its name, a folder, or a model that benepar has downloaded."""
    if source == SHIPPED:
        return MODELS / SHIPPED
    try:
        return Path(benepar_files.locate_model(str(source)))
    except LookupError as error:
        raise BadModel(
            f"parser not found: got {str(source)!r}, possible are {SHIPPED}, a folder, "
            "or the name of a model fetched with benepar.download"
        ) from error


def load_chart_parser(folder: Path) -> Any:
    """benepar's ChartParser, ready to parse, on the CPU in float32."""
    try:
        with ONE_AT_A_TIME:
            parser = _load_adapter(folder) if (folder / "espalier.json").is_file() else _load_benepar(folder)
    except pickle.UnpicklingError as error:
        raise BadModel(f"unsafe weights: got pickled code in {folder}, only tensors are read") from error
    except (OSError, KeyError, AttributeError, TypeError, RuntimeError, ValueError, SafetensorError) as error:
        if isinstance(error, BadModel):
            raise
        reason = str(error).strip().split("\n")[0]
        raise BadModel(f"not a parser: got {folder}, where {type(error).__name__} says: {reason}") from error
    return parser.eval().requires_grad_(False)


def base_of(folder: Path) -> Backbone | None:
    """The backbone that an adapter stands on; None for a model that is whole."""
    manifest = folder / "espalier.json"
    return backbone(_read_manifest(manifest)["backbone"]) if manifest.is_file() else None


def _read_manifest(path: Path) -> dict[str, Any]:
    manifest = json.loads(path.read_text(encoding="utf-8"))
    family = manifest.get("family") if isinstance(manifest, dict) else manifest
    if family != FAMILY:
        raise BadModel(f"not a parser: got family {family!r} in {path}, possible is {FAMILY}")
    return dict(manifest)


def _load_adapter(folder: Path) -> Any:
    manifest = _read_manifest(folder / "espalier.json")
    base = backbone(manifest["backbone"])
    verify(base, manifest["backbone_sha256"], folder.name)
    parser = _build(manifest, base.folder)
    # The pooler is a layer for classifying whole texts, which a parser has no use for.
    parser.pretrained_model.pooler = None
    changes = load_file(folder / "parser.safetensors")
    original = load_file(base.folder / "model.safetensors")
    parser.load_state_dict(_merged(parser.state_dict(), changes, original))
    return parser


def _merged(
    wanted: Mapping[str, torch.Tensor], changes: Mapping[str, torch.Tensor], original: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Every tensor the parser wants: given whole, as a thin change of the backbone's, or the backbone's unchanged."""
    state: dict[str, torch.Tensor] = {}
    for name in wanted:
        if name in changes:
            state[name] = changes[name].float()
            continue
        state[name] = original[name.removeprefix(_BACKBONE_PREFIX)].float()
        if f"{name}.up" in changes:
            state[name] = state[name] + changes[f"{name}.up"].float() @ changes[f"{name}.down"].float()
    return state


def _load_benepar(folder: Path) -> Any:
    """A folder as benepar releases its models. Only tensors are read from its pickle file, no code."""
    manifest = AutoConfig.from_pretrained(folder, local_files_only=True).benepar
    state = torch.load(folder / "benepar_model.bin", map_location="cpu", weights_only=True)
    parser = _build(manifest, folder)
    parser.load_state_dict({name: tensor for name, tensor in state.items() if not name.endswith(_OLD_BUFFER)})
    return parser


def _build(manifest: Mapping[str, Any], pretrained: Path) -> Any:
    hparams = {"force_root_constituent": True, **manifest["hparams"]}
    return parse_chart.ChartParser(
        manifest["tag_vocab"],
        manifest["label_vocab"],
        manifest.get("char_vocab"),
        nkutil.HParams(**hparams),
        pretrained_model_path=str(pretrained),
    )


def _from_trained(cls: type, model_path: str) -> Any:
    return load_chart_parser(Path(model_path))


parse_chart.ChartParser.from_trained = classmethod(_from_trained)
