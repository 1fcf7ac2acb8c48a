"""Words with character offsets, sentences, and their alignment to a model's tokens."""

from espalier.text.alignment import words_of_tokens
from espalier.text.passage import Passage, Word, read

__all__ = ["Passage", "Word", "read", "words_of_tokens"]
