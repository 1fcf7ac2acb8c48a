"""How a long text comes apart, level by level: passages, sentences, phrases, words.

A level is a piece of text that is open and the parts it has. A text opens into its sentences, a sentence into the
constituents of its parse, a phrase into smaller ones, in the end into words. Nothing has more parts than people can
look at and a model can play with: where there would be more, neighbours are taken together, and come apart when they
are opened themselves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from espalier.games.projection import project
from espalier.problems import BadParameter
from espalier.text import Passage
from espalier.trees.tree import SpanTree, from_spans

Span = tuple[int, int]
Kind = Literal["text", "passage", "sentence", "phrase", "word"]

MOST_SENTENCES = 10
"""Parts of the whole text. HEDGE asks for 90 coalitions of so many, for 150 of twelve, and for 280 of sixteen."""

MOST_PARTS = 6
"""Parts of anything else: their 64 coalitions are all that any method can ask for, so one look serves all of them."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words from `start` up to `end`, and the tree over a level's parts counts it as one."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Level:
    """What is open, the parts it has in reading order, and the tree over them."""

    start: int
    end: int
    kind: Kind
    parts: tuple[Part, ...]
    tree: SpanTree

    def part(self, span: Span) -> int | None:
        """The position of the part that holds these words, if one does."""
        return next((at for at, each in enumerate(self.parts) if each.start <= span[0] and span[1] <= each.end), None)


class Nesting:
    """The levels of a text. `parse` is asked for a sentence only when something in it is opened; a tree over all words
    is taken instead where there is one."""

    def __init__(
        self, passages: Sequence[Passage], parse: Callable[[Passage], SpanTree], tree: SpanTree | None = None
    ) -> None:
        self._parse = parse
        self._given = tree
        self._sentences: list[Span] = []
        self._read: dict[Span, tuple[Passage, int]] = {}
        self._trees: dict[Span, SpanTree] = {}
        base = 0
        for passage in passages:
            for start, end in passage.sentences:
                self._sentences.append((base + start, base + end))
                self._read[base + start, base + end] = (passage, start)
            base += len(passage.words)
        self.size = base

    def levels(self, opened: Span | None) -> tuple[Level, ...]:
        """From the whole text down to what is open, which is the last."""
        path = [self._level((0, self.size), "text", MOST_SENTENCES)]
        while opened is not None and (path[-1].start, path[-1].end) != tuple(opened):
            at = path[-1].part(opened)
            part = None if at is None else path[-1].parts[at]
            if part is None or part.end - part.start < 2:
                raise self._closed(opened, path[-1])
            path.append(self._level((part.start, part.end), part.kind))
        return tuple(path)

    @staticmethod
    def _closed(opened: Span, level: Level) -> BadParameter:
        possible = ", ".join(f"[{part.start}, {part.end}]" for part in level.parts if part.end - part.start > 1)
        return BadParameter(
            f"nothing there to open: got words [{opened[0]}, {opened[1]}], possible inside of "
            f"[{level.start}, {level.end}] are {possible or 'none'}"
        )

    def _level(self, span: Span, kind: Kind, most: int = MOST_PARTS) -> Level:
        inside = [each for each in self._sentences if span[0] <= each[0] and each[1] <= span[1]]
        if len(inside) > 1:
            parts = tuple(Part(*each, "sentence" if each in self._read else "passage") for each in runs(inside, most))
            return Level(*span, kind, parts, from_spans(len(parts), {(0, len(parts)): ("TEXT",)}))
        sentence = next(each for each in self._sentences if each[0] <= span[0] and span[1] <= each[1])
        tree, shift = self._tree(sentence), sentence[0]
        found = phrases(tree, (span[0] - shift, span[1] - shift), most)
        within = tuple(Part(start, end, "phrase" if end - start > 1 else "word") for start, end in found)
        parts = tuple(Part(each.start + shift, each.end + shift, each.kind) for each in within)
        return Level(*span, kind, parts, project(tree, within))

    def _tree(self, sentence: Span) -> SpanTree:
        if sentence not in self._trees:
            passage, start = self._read[sentence]
            size = sentence[1] - sentence[0]
            self._trees[sentence] = (
                self._parse(passage.part(start, start + size))
                if self._given is None
                else project(self._given, [Part(word, word + 1, "word") for word in range(*sentence)])
            )
        return self._trees[sentence]


def runs(spans: Sequence[Span], most: int) -> list[Span]:
    """At most so many stretches of about the same length, none of which cuts a span."""
    if len(spans) <= most:
        return list(spans)
    first, whole = spans[0][0], spans[-1][1] - spans[0][0]
    stretches: dict[int, Span] = {}
    for start, end in spans:
        place = most * (start + end - 2 * first) // (2 * whole)
        stretches[place] = (stretches.get(place, (start, end))[0], end)
    return list(stretches.values())


def phrases(tree: SpanTree, span: Span, most: int = MOST_PARTS) -> list[Span]:
    """A phrase as at most so many parts: the longest constituent comes apart as long as there is room for what is in
    it. What has no more words than that comes apart into words."""
    start, end = span
    if end - start <= most:
        return [(word, word + 1) for word in range(start, end)]
    nodes = {(node.start, node.end): node for node in tree.nodes}
    children = {
        place: [(tree.nodes[child].start, tree.nodes[child].end) for child in node.children]
        for place, node in nodes.items()
    }
    parts = runs(children.get(span) or _largest_within(tree, span), most)
    while True:
        roomy = [part for part in parts if 0 < len(children.get(part, ())) <= most - len(parts) + 1]
        if not roomy:
            return parts
        longest = max(roomy, key=lambda part: part[1] - part[0])
        parts = sorted({*parts, *children[longest]} - {longest})


def _largest_within(tree: SpanTree, span: Span) -> list[Span]:
    """A stretch of neighbours is no constituent: what it is a stretch of are the largest ones in it."""
    found: list[Span] = []
    for node in tree.nodes:
        fits = span[0] <= node.start and node.end <= span[1]
        if fits and (not found or node.start >= found[-1][1]):
            found.append((node.start, node.end))
    return found
