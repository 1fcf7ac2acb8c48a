"""Who plays: words by default, or a model's tokens, phrases of a tree, sentences, spans a user chose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from espalier.models.protocol import Encoding
from espalier.problems import BadParameter, UnknownName
from espalier.text import Passage
from espalier.trees.tree import SpanTree

PlayerKind = Literal["words", "tokens", "phrases", "sentences", "spans", "nested"]
"""Where players are nested, coalitions are of words and a level's parts are what a method sees: see `nesting`."""

LONGEST_PHRASE = 5


@dataclass(frozen=True, slots=True)
class Player:
    """A piece of text that is present or absent as a whole: words from `start` up to `end`, and their tokens."""

    text: str
    start: int
    end: int
    tokens: tuple[int, ...]


def players(
    kind: PlayerKind,
    passages: Sequence[Passage],
    encoding: Encoding,
    tree: SpanTree | None = None,
    spans: Sequence[tuple[int, int]] = (),
) -> tuple[Player, ...]:
    """The players of a kind, in reading order; together they own every word exactly once.

    `passages` is the text, or the two texts of a pair: words are counted through both.
    """
    if kind not in get_args(PlayerKind):
        raise UnknownName("kind of players", kind, get_args(PlayerKind))
    count = sum(len(passage.words) for passage in passages)
    if kind == "tokens":
        return tuple(
            Player(encoding.tokens[token], owner, owner + 1, (token,))
            for token, owner in enumerate(encoding.owners)
            if owner is not None
        )
    if kind == "phrases":
        if tree is None:
            raise BadParameter("players = phrases needs a tree: got none, parse the text or give a bracketed tree")
        ranges = _phrases(tree)
    elif kind == "sentences":
        ranges = []
        base = 0
        for passage in passages:
            ranges.extend((base + start, base + end) for start, end in passage.sentences)
            base += len(passage.words)
    elif kind == "spans":
        ranges = _around(spans, count)
    else:
        ranges = [(word, word + 1) for word in range(count)]
    return at(ranges, passages, encoding)


def at(ranges: Sequence[tuple[int, int]], passages: Sequence[Passage], encoding: Encoding) -> tuple[Player, ...]:
    """Players of these words."""
    owned: dict[int, list[int]] = {}
    for token, owner in enumerate(encoding.owners):
        if owner is not None:
            owned.setdefault(owner, []).append(token)
    return tuple(
        Player(
            text_of(passages, start, end),
            start,
            end,
            tuple(t for word in range(start, end) for t in owned.get(word, ())),
        )
        for start, end in ranges
    )


def _phrases(tree: SpanTree) -> list[tuple[int, int]]:
    """The largest constituents of at most five words: as much grouping as keeps a phrase a phrase."""
    found: list[tuple[int, int]] = []
    waiting = [0]
    while waiting:
        node = tree.nodes[waiting.pop()]
        if node.end - node.start <= LONGEST_PHRASE:
            found.append((node.start, node.end))
        else:
            waiting.extend(node.children)
    return sorted(found)


def _around(spans: Sequence[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """The chosen spans, and every other word on its own."""
    if not spans:
        raise BadParameter("players = spans needs spans: got none, give pairs of word indices such as [[0, 2], [5, 8]]")
    ordered = sorted((int(start), int(end)) for start, end in spans)
    edge = 0
    ranges: list[tuple[int, int]] = []
    for start, end in ordered:
        if not (edge <= start < end <= count):
            raise BadParameter(
                f"spans must be in order, apart and inside the text: got [{start}, {end}] after word {edge}, "
                f"possible are words 0 to {count}"
            )
        ranges.extend((word, word + 1) for word in range(edge, start))
        ranges.append((start, end))
        edge = end
    ranges.extend((word, word + 1) for word in range(edge, count))
    return ranges


def text_of(passages: Sequence[Passage], start: int, end: int) -> str:
    """The words from `start` up to `end` as they were written."""
    parts: list[str] = []
    base = 0
    for passage in passages:
        first, last = max(start - base, 0), min(end - base, len(passage.words))
        if first < last:
            parts.append(passage.phrase(first, last))
        base += len(passage.words)
    return " ".join(parts)
