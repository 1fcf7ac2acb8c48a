"""JSON as this project writes it."""

import json
from typing import Any


def compact(document: Any) -> str:
    """No spaces, characters as they are, and no numbers that JSON does not have."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
