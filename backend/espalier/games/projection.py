"""A tree over words as a tree over players."""

from collections.abc import Sequence

from espalier.games.players import Player
from espalier.trees.tree import Node, SpanTree


def project(tree: SpanTree, players: Sequence[Player]) -> SpanTree:
    """Constituents whose edges fall on edges between players survive; what lies inside one player becomes its leaf.

    Token players make a word of several tokens an inner node; span players that cut a constituent dissolve it.
    """
    first_at: dict[int, int] = {}
    last_at: dict[int, int] = {}
    for index, player in enumerate(players):
        first_at.setdefault(player.start, index)
        last_at[player.end] = index + 1
    labels: dict[tuple[int, int], tuple[str, ...]] = {(0, len(players)): ()}
    for node in tree.nodes:
        start, end = first_at.get(node.start), last_at.get(node.end)
        if start is not None and end is not None and start < end:
            labels[start, end] = labels.get((start, end), ()) + node.labels
    for index in range(len(players)):
        labels.setdefault((index, index + 1), ())
    return _build(labels)


def _build(labels: dict[tuple[int, int], tuple[str, ...]]) -> SpanTree:
    """Nested spans to nodes in pre-order, with a stack of the spans still open."""
    spans = sorted(labels, key=lambda span: (span[0], -span[1]))
    children: list[list[int]] = [[] for _ in spans]
    open_spans: list[int] = []
    for position, (start, _) in enumerate(spans):
        while open_spans and spans[open_spans[-1]][1] <= start:
            open_spans.pop()
        if open_spans:
            children[open_spans[-1]].append(position)
        open_spans.append(position)
    return SpanTree(
        tuple(
            Node(start, end, labels[start, end], tuple(inside))
            for (start, end), inside in zip(spans, children, strict=True)
        )
    )
