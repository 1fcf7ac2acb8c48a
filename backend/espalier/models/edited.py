"""A model with some of its weights changed: a small folder over the original, which stays as it is.

`espalier.json` says of which model it is an edit, and `changes.safetensors` has the rows of the weights that differ. To
undo an edit is to delete its folder.
"""

import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import torch
from safetensors.torch import load_file, save_file

from espalier.models.catalog import catalog
from espalier.models.families import load_in_full
from espalier.models.manifest import read_manifest
from espalier.models.protocol import HostedModel
from espalier.models.revision import revision
from espalier.models.sources import Source, source_of
from espalier.problems import BadModel

CHANGES = "changes.safetensors"
ROWS, VALUES = ".rows", ".values"


def load(source: Source, device: torch.device) -> HostedModel:
    """The original with the changed rows in their places. An edit of another revision than the one that is there is
    refused: it would be a model that nobody has seen."""
    folder = source.own_folder()
    about = read_manifest(folder)["edit"]
    original = original_of(about)
    model = load_in_full(original, device)
    if model.revision != about["revision"]:
        raise BadModel(
            f"{source.name} is an edit of another {about['of']}: got revision {model.revision}, possible is "
            f"{about['revision']}; make the edit again"
        )
    apply(network(model), load_file(folder / CHANGES))
    model.name, model.revision = source.name, revision(folder)
    return model


def original_of(about: Mapping[str, Any]) -> Source:
    """The model that was edited: by its name in the catalog, or where it was."""
    known = {entry.name: catalog().source(entry.name) for entry in catalog().entries()}
    return known[about["of"]] if about["of"] in known else source_of(about["source"], {})


def keep(folder: Path, original: Source, before: HostedModel, after: HostedModel, about: Mapping[str, Any]) -> None:
    """Write what differs between a model and its edited copy: under its name when it is whole, so that whoever is ended
    in the middle leaves no half of an edit."""
    unfinished = folder.with_name(f".making-{uuid.uuid4().hex}")
    unfinished.mkdir(parents=True)
    save_file(changes(network(before), network(after)), unfinished / CHANGES)
    where = original.entry.source if original.folder is None else str(original.folder)
    edit = {"of": original.name, "source": where, "revision": before.revision, **about}
    manifest = {
        "family": before.family,
        "classes": list(before.classes),
        "max_length": before.max_length,
        "edit": edit,
    }
    written = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (unfinished / "espalier.json").write_text(written, encoding="utf-8")
    unfinished.rename(folder)


def changes(before: torch.nn.Module, after: torch.nn.Module) -> dict[str, torch.Tensor]:
    """For each tensor the numbers of the rows that differ, and these rows: of a table of word vectors only those of
    the words that were read."""
    found: dict[str, torch.Tensor] = {}
    now = after.state_dict()
    for name, tensor in before.state_dict().items():
        old, new = _as_rows(tensor), _as_rows(now[name])
        rows = (old != new).any(dim=1).nonzero()[:, 0]
        if len(rows):
            found[name + ROWS] = rows.cpu()
            found[name + VALUES] = new[rows].cpu().contiguous()
    return found


def apply(changed: torch.nn.Module, kept: Mapping[str, torch.Tensor]) -> None:
    state = changed.state_dict()
    for name in (each.removesuffix(ROWS) for each in kept if each.endswith(ROWS)):
        if name not in state or _as_rows(state[name])[0].shape != kept[name + VALUES][0].shape:
            raise BadModel(f"an edit of another network: got changes of {name}, possible are those of its own weights")
        with torch.no_grad():
            _as_rows(state[name])[kept[name + ROWS]] = kept[name + VALUES].to(state[name])


def network(model: HostedModel) -> torch.nn.Module:
    return cast(torch.nn.Module, cast(Any, model).network)


def _as_rows(tensor: torch.Tensor) -> torch.Tensor:
    """float[rows, whatever a row holds]: a view, so that what is written there is written in the tensor."""
    return tensor.view(tensor.shape[0] if tensor.dim() else 1, -1)
