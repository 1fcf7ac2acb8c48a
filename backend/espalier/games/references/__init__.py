"""What stands in for an absent word: one file for each reference, and the table of all of them."""

from espalier.games.references.reference import Elsewhere, Reference, Rows, Setting, Wish, at_once
from espalier.games.references.registry import ReferenceName, reference, references

__all__ = [
    "Elsewhere",
    "Reference",
    "ReferenceName",
    "Rows",
    "Setting",
    "Wish",
    "at_once",
    "reference",
    "references",
]
