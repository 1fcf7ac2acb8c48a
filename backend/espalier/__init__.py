"""Espalier: see how a language model puts its prediction together, word by word, phrase by phrase."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from espalier.library import explain

__all__ = ["explain"]


def __getattr__(name: str) -> Any:
    # `import espalier` must not import torch: `espalier --help` answers at once.
    if name == "explain":
        from espalier.library import explain

        return explain
    raise AttributeError(f"module 'espalier' has no attribute {name!r}")
