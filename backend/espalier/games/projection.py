"""A tree over words as a tree over players."""

from collections.abc import Sequence
from typing import Protocol

from espalier.trees.tree import SpanTree, from_spans


class Piece(Protocol):
    """Words from `start` up to `end`."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def project(tree: SpanTree, players: Sequence[Piece]) -> SpanTree:
    """Constituents whose edges fall on edges between players survive; what lies inside one player becomes its leaf.

    Token players make a word of several tokens an inner node; span players that cut a constituent dissolve it.
    """
    first_at: dict[int, int] = {}
    last_at: dict[int, int] = {}
    for index, player in enumerate(players):
        first_at.setdefault(player.start, index)
        last_at[player.end] = index + 1
    labels: dict[tuple[int, int], tuple[str, ...]] = {}
    for node in tree.nodes:
        start, end = first_at.get(node.start), last_at.get(node.end)
        if start is not None and end is not None and start < end:
            labels[start, end] = labels.get((start, end), ()) + node.labels
    return from_spans(len(players), labels)
