"""Between a reader's words and a treebank's tokens: "isn't" is "is" + "n't", "well-made" is "well" + "-" + "made".

Treebanks, and so the parsers trained on them, cut finer than a reader does. Each word is cut again for the parser, and
the parser's constituents are then carried back to whole words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from espalier.text.passage import Passage, treebank_tokens, visible_starts
from espalier.trees.tree import SpanTree, from_spans

LONGEST_WORD = 100
"""A word of more characters is no compound: it is not cut, and the parser reads its beginning only."""

Constituent = tuple[int, int, tuple[str, ...]]
"""From piece, up to piece, labels of the unary chain from top to bottom."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A treebank token: its characters in the source, and the word it is a part of."""

    start: int
    end: int
    word: int


def treebank_pieces(passage: Passage) -> list[Piece]:
    """The words cut where spaCy's English tokenizer, which follows the Penn treebank, cuts the text."""
    cuts = {start for start, _ in treebank_tokens(passage.source)}
    visible = visible_starts(passage.source)
    cuts = {cut for cut in cuts if cut in visible}  # half an emoji is no token
    pieces: list[Piece] = []
    for index, word in enumerate(passage.words):
        inside = range(word.start + 1, word.end) if word.end - word.start <= LONGEST_WORD else ()
        edges = [word.start, *(place for place in inside if place in cuts), word.end]
        pieces += [Piece(start, end, index) for start, end in pairwise(edges)]
    return pieces


def project(size: int, words: Sequence[int], constituents: Iterable[Constituent], tags: Sequence[str]) -> SpanTree:
    """A tree over pieces as a tree over words; `words` gives the word of each piece.

    A constituent survives if it covers whole words; one that cuts a word is dropped, one inside a word vanishes. Those
    that come to cover the same words become one node, outer labels first: give `constituents` outer before inner. A
    leaf ends with its word's tag (none where `tags` are empty).
    """
    spans: dict[tuple[int, int], list[str]] = {}
    for start, end, labels in constituents:
        cuts_left = start > 0 and words[start - 1] == words[start]
        cuts_right = end < len(words) and words[end - 1] == words[end]
        if not cuts_left and not cuts_right:
            spans.setdefault((words[start], words[end - 1] + 1), []).extend(labels)
    tags_of: dict[int, list[str]] = {}
    for word, tag in zip(words, tags, strict=True):
        tags_of.setdefault(word, []).append(tag)
    for word, inside in tags_of.items():
        if tag := _word_tag(inside):
            spans.setdefault((word, word + 1), []).append(tag)
    return from_spans(size, spans)


def _word_tag(tags: list[str]) -> str:
    """Contractions keep the tags of both halves ("isn't": VBZ+RB); in a hyphenated compound the last part decides."""
    return tags[-1] if "HYPH" in tags else "+".join(tag for tag in tags if tag)
