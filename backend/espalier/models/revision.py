"""A model's revision: the hash of the files that decide its outputs."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

SILENT_SUFFIXES = frozenset({".md", ".txt.orig", ".gitattributes"})
"""A card can be rewritten without changing a single output."""


def revision(folder: Path, *also: str) -> str:
    """Sixteen hexadecimal digits over the folder's files (names and contents) and whatever else decides the outputs."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in SILENT_SUFFIXES)
    return combine([f"{path.relative_to(folder).as_posix()}:{sha256(path)}" for path in files] + list(also))


def combine(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def sha256(path: Path) -> str:
    status = path.stat()
    return _sha256(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=256)
def _sha256(path: Path, modified: int, size: int) -> str:
    """Cached by modification time: a 90 MB backbone shared by many adapters is read once."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
