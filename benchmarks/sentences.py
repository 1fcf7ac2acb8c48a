"""The sentences that everything is measured on: the project's own samples, chosen by their number of words."""

from functools import cache

from espalier import samples
from espalier.text import read
from espalier.trees.tree import SpanTree, from_spans

LONG = 20
"""The length at which times are compared."""

ENUMERABLE = 13
"""The longest sentence for which all coalitions can be run through a transformer in under a minute."""

SMALL_MODEL = 17
"""The longest one for which all coalitions can be run through the CNN in a minute."""

SHORT = 12
"""Up to here this project enumerates all coalitions unless told otherwise."""


@cache
def of_length(words: int) -> tuple[str, ...]:
    """Sentiment samples of so many words, commas and the like included, their closing full stop left out."""
    texts = [sample.text.removesuffix(".") for sample in samples.for_task("sentiment")]
    return tuple(text for text in texts if len(read(text).words) == words)


@cache
def passage_of(words: int) -> str:
    """Samples one after the other, cut after so many words: a text as long as one likes."""
    text = read(" ".join(sample.text for sample in samples.load()))
    return text.source[: text.words[words - 1].end]


def halved(words: int) -> SpanTree:
    """The tree that divides every phrase in the middle. What a tree costs hardly depends on its shape, and a parser's
    time would be no part of a comparison."""
    spans: dict[tuple[int, int], tuple[str, ...]] = {}
    waiting = [(0, words)]
    while waiting:
        start, end = waiting.pop()
        if end - start > 1:
            spans[start, end] = ("X",)
            middle = (start + end + 1) // 2
            waiting += [(start, middle), (middle, end)]
    return from_spans(words, spans)
