"""A text from what was read of it."""

from espalier.text import Passage


def rebuilt(passage: Passage) -> str:
    """The original text again, from words and gaps."""
    first, *others = passage.gaps()
    return first + "".join(word.text + gap for word, gap in zip(passage.words, others, strict=True))
