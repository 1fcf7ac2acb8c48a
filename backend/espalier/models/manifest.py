"""`espalier.json`: what a shipped model says of itself."""

import json
from pathlib import Path
from typing import Any

from espalier.problems import BadModel


def read_manifest(folder: Path) -> dict[str, Any]:
    """Family, classes and limits of a model folder; refused with what is missing."""
    path = folder / "espalier.json"
    if not path.is_file():
        raise BadModel(f"not a model of this project: got {folder} without espalier.json")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadModel(f"unreadable espalier.json in {folder}: {error}") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("family"), str):
        raise BadModel(f"no family in {path}: possible is an object with the family's name, classes and max_length")
    if missing := {"classes", "max_length"} - manifest.keys():
        raise BadModel(f"incomplete espalier.json in {folder}: got no {', '.join(sorted(missing))}")
    return manifest
