"""Which shipped models are made ready at their first use."""

import json

import pytest

from espalier.places import MODELS


def with_patience(name: str, *given: object) -> object:
    """A case of a test, for a model of that name. Those whose weights come in a package are unpacked first, which takes
    half a minute of a processor: `make check` leaves them out."""
    manifest = MODELS / name / "espalier.json"
    is_unpacked = manifest.is_file() and "package" in json.loads(manifest.read_text(encoding="utf-8"))
    return pytest.param(name, *given, marks=[pytest.mark.slow] if is_unpacked else [])
