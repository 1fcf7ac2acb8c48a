"""`espalier.json`: what a shipped model says of itself."""

import json
from math import isfinite
from pathlib import Path
from typing import Any

from espalier.problems import BadModel, quoted


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
    if "temperature" in manifest:
        _check_temperature(manifest, folder)
    return manifest


def _check_temperature(manifest: dict[str, Any], folder: Path) -> None:
    given = manifest["temperature"]
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not isfinite(given) or given <= 0:
        raise BadModel(f"bad temperature in {folder}: got {quoted(given)}, possible is a number greater than 0")
    if not manifest["classes"]:
        raise BadModel(f"a temperature without classes in {folder}: got {given}, possible is one of a classifier")
