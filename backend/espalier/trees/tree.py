"""A tree of spans over words: what a parser, a bracketed string or a user gives, and what methods walk over."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from espalier.problems import Problem


class BadTree(Problem):
    """A tree that is not one: gaps, crossings, or leaves that are not the words."""

    code = "bad-tree"
    status = 422


@dataclass(frozen=True, slots=True)
class Node:
    """Words from `start` up to `end`. `labels` is the unary chain from top to bottom ("S", "VP"), empty for none.

    `children` are indices into the tree's nodes, in reading order; a leaf has none and covers exactly one word. The
    last label of a leaf is its part-of-speech tag, after the phrases that consist of this word only ("NP", "PRP").
    """

    start: int
    end: int
    labels: tuple[str, ...] = ()
    children: tuple[int, ...] = ()

    @property
    def is_leaf(self) -> bool:
        return not self.children

    @property
    def label(self) -> str:
        return "+".join(self.labels)


@dataclass(frozen=True)
class SpanTree:
    """Nodes in pre-order: the root first, every parent before its children. Unary chains are collapsed, so no two nodes
    cover the same words (a duplicated row would change a least-squares fit)."""

    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        if not self.nodes:
            raise BadTree("empty tree: got no nodes, possible is one leaf for each word")
        for position, node in enumerate(self.nodes):
            self._check_node(position, node)
        for before, node in pairwise(self.nodes):
            # A parent comes before its first child and is longer; everything else starts further right.
            if (node.start, -node.end) <= (before.start, -before.end):
                raise BadTree(f"nodes must be in pre-order: got words {node.start} to {node.end} out of order")
        if sorted(child for node in self.nodes for child in node.children) != list(range(1, len(self.nodes))):
            raise BadTree("every node but the root needs one parent: got a node with none or several")
        if self.nodes[0].start != 0:
            raise BadTree(f"the root must cover all words from the first: got word {self.nodes[0].start} as the first")

    def _check_node(self, position: int, node: Node) -> None:
        if node.is_leaf:
            if node.end - node.start != 1:
                raise BadTree(f"a leaf must cover one word: got words {node.start} to {node.end}")
            return
        if len(node.children) < 2:
            raise BadTree(f"an inner node needs two children or more: got {len(node.children)} at node {position}")
        edge = node.start
        for child in node.children:
            if not position < child < len(self.nodes):
                raise BadTree(f"nodes must be in pre-order: got child {child} of node {position}")
            if self.nodes[child].start != edge:
                raise BadTree(f"children must cover their parent in order: got a gap or overlap at word {edge}")
            edge = self.nodes[child].end
        if edge != node.end:
            raise BadTree(f"children must cover their parent in order: got words up to {edge}, not {node.end}")

    @property
    def size(self) -> int:
        """How many words the tree covers."""
        return self.nodes[0].end

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """Indices of the leaves, in word order."""
        return tuple(position for position, node in enumerate(self.nodes) if node.is_leaf)

    @property
    def tags(self) -> tuple[str, ...]:
        """Each word's part of speech: by convention the last label of its leaf, empty where a leaf has none."""
        return tuple(self.nodes[leaf].labels[-1] if self.nodes[leaf].labels else "" for leaf in self.leaves)

    @cached_property
    def parents(self) -> tuple[int | None, ...]:
        found: list[int | None] = [None] * len(self.nodes)
        for position, node in enumerate(self.nodes):
            for child in node.children:
                found[child] = position
        return tuple(found)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Height above the words: a leaf is 1, any other node one more than its highest child."""
        heights = [1] * len(self.nodes)
        for position in self.bottom_up():
            if children := self.nodes[position].children:
                heights[position] = 1 + max(heights[child] for child in children)
        return tuple(heights)

    def bottom_up(self) -> Iterator[int]:
        """Every node after its children."""
        return iter(range(len(self.nodes) - 1, -1, -1))

    def coalitions(self) -> NDArray[np.bool_]:
        """One row for each node: the words under it."""
        rows = np.zeros((len(self.nodes), self.size), dtype=bool)
        for row, node in zip(rows, self.nodes, strict=True):
            row[node.start : node.end] = True
        return rows

    def spans(self) -> tuple[tuple[int, int], ...]:
        return tuple((node.start, node.end) for node in self.nodes)


def from_spans(size: int, labels: Mapping[tuple[int, int], Sequence[str]]) -> SpanTree:
    """The tree of nested spans over `size` words. The root and a leaf for every word are added where they are missing.

    Spans that cross ("the [big red) house]") are refused.
    """
    spans = {(word, word + 1) for word in range(size)} | {(0, size)} | set(labels)
    order = sorted(spans, key=lambda span: (span[0], -span[1]))
    children: list[list[int]] = [[] for _ in order]
    open_nodes: list[int] = []
    for position, (start, end) in enumerate(order):
        if not 0 <= start < end <= size:
            raise BadTree(f"span outside the words: got {start} to {end}, possible is 0 to {size}")
        while open_nodes and order[open_nodes[-1]][1] <= start:
            open_nodes.pop()
        if open_nodes:
            outer_start, outer_end = order[open_nodes[-1]]
            if end > outer_end:
                raise BadTree(f"spans must not cross: got {start} to {end} and {outer_start} to {outer_end}")
            children[open_nodes[-1]].append(position)
        open_nodes.append(position)
    return SpanTree(
        tuple(
            Node(start, end, tuple(labels.get((start, end), ())), tuple(inside))
            for (start, end), inside in zip(order, children, strict=True)
        )
    )


Nested = tuple[Sequence[str], "int | list[Nested]"]
"""(labels, word index) for a leaf, (labels, children) for an inner node."""


def flatten(nested: Nested) -> SpanTree:
    """Pre-order nodes of a nested tree. Chains of single children become one node with all their labels."""
    nodes: list[Node] = []

    # A sentence of thousands of words can be a chain deeper than Python's stack: walk with our own.
    waiting: list[tuple[Nested, int | None]] = [(nested, None)]
    children_of: list[list[int]] = []
    leaf_words: list[int | None] = []
    labels_of: list[tuple[str, ...]] = []
    while waiting:
        (labels, content), parent = waiting.pop()
        chain = list(labels)
        while isinstance(content, list) and len(content) == 1:
            inner_labels, content = content[0]
            chain.extend(inner_labels)
        position = len(children_of)
        children_of.append([])
        labels_of.append(tuple(chain))
        leaf_words.append(content if isinstance(content, int) else None)
        if parent is not None:
            children_of[parent].append(position)
        if isinstance(content, list):
            if not content:
                raise BadTree("an inner node needs children: got none")
            waiting.extend((child, position) for child in reversed(content))
    spans: list[tuple[int, int]] = [(0, 0)] * len(children_of)
    for position in range(len(children_of) - 1, -1, -1):
        word = leaf_words[position]
        if word is not None:
            spans[position] = (word, word + 1)
        else:
            inside = children_of[position]
            spans[position] = (spans[inside[0]][0], spans[inside[-1]][1])
    for (start, end), labels, children in zip(spans, labels_of, children_of, strict=True):
        nodes.append(Node(start, end, labels, tuple(children)))
    return SpanTree(tuple(nodes))
