"""Blanks: places of a text where a word is missing, to be filled in by a masked language model."""

from collections.abc import Iterable, Iterator

import regex

BLANK = regex.compile(r"(?i:\[MASK\]|<mask>)|_{3,}+")
"""How a person writes one: as a model's own mask token, or as a line of three underscores or more."""


def is_blank(text: str) -> bool:
    return text[:1] in "[<_" and BLANK.fullmatch(text) is not None


def apart(source: str, tokens: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Tokens in their order, of which each blank is one, whatever rules cut it into."""
    blanks = BLANK.finditer(source)
    blank, edge = next(blanks, None), 0
    for first, end in tokens:
        start = max(first, edge)
        while blank is not None and blank.start() < end:
            if start < blank.start():
                yield start, blank.start()
            yield blank.span()
            edge = blank.end()
            start = max(start, edge)
            blank = next(blanks, None)
        if start < end:
            yield start, end
