"""Words with character offsets, sentences, and their alignment to a model's tokens."""

from espalier.text.alignment import words_of_tokens
from espalier.text.blanks import is_blank
from espalier.text.passage import Passage, Word, read
from espalier.text.replaced import replaced

__all__ = ["Passage", "Word", "is_blank", "read", "replaced", "words_of_tokens"]
