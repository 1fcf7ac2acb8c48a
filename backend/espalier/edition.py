"""Which code this is, to the last byte: machines that work together must have the same."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from espalier.places import PACKAGE, SHIPPED


@cache
def edition() -> str:
    """The version and a digest of the code, such as `0.1.0+3f9a01c2d4e5`; the same in a checkout and from a wheel.

    A version alone would say too little: between two releases, and in a changed checkout, it stays the same.
    """
    return f"{version('espalier')}+{digest(PACKAGE)}"


def digest(package: Path) -> str:
    """Of all files of a package but what is made from them, and the models: those have revisions of their own."""
    found = hashlib.sha256()
    for file in sorted(package.rglob("*")):
        parts = file.relative_to(package).parts
        made = "__pycache__" in parts or parts[0] == SHIPPED.name or file.name.startswith(".")
        if file.is_file() and not made:
            content = file.read_bytes()
            found.update(f"{'/'.join(parts)}\n{len(content)}\n".encode())
            found.update(content)
    return found.hexdigest()[:12]
