"""What stands in for an absent word: one file for each reference, and the table of all of them."""

from espalier.games.references.reference import Asking, Elsewhere, Fill, Reference, Rows, Setting, Shown, Wish, at_once
from espalier.games.references.registry import (
    FILLING_REFERENCE,
    USUAL_REFERENCE,
    ReferenceName,
    reference,
    references,
)

__all__ = [
    "FILLING_REFERENCE",
    "USUAL_REFERENCE",
    "Asking",
    "Elsewhere",
    "Fill",
    "Reference",
    "ReferenceName",
    "Rows",
    "Setting",
    "Shown",
    "Wish",
    "at_once",
    "reference",
    "references",
]
