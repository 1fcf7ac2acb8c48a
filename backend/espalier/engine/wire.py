"""How the service and a worker process speak: a line of JSON, and after it as many bytes as the line says.

Documents travel as such bytes: they are written by the worker once and stored and served as they are.
"""

import json
from typing import Any

BODY = "bytes"
"""The field that says how long the body after the line is."""


def packed(message: dict[str, Any], body: str | None = None) -> bytes:
    if body is None:
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"
    data = body.encode()
    return json.dumps(message | {BODY: len(data)}, separators=(",", ":")).encode() + b"\n" + data
