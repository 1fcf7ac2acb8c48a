"""Phrase against phrase: two groups of players that each play as one (T1 and T2 of Eq. 4)."""

import numpy as np

from espalier.explain.plan import BoolArray
from espalier.problems import BadParameter

Span = tuple[int, int]


def merged(size: int, groups: tuple[Span, Span] | None) -> tuple[Span, ...]:
    """The nodes of the graph as ranges of players, in reading order: the groups, and every other player on its own."""
    chosen = sorted(groups or ())
    for start, end in chosen:
        if not 0 <= start < end <= size:
            raise BadParameter(
                f"bad group: got players {start} up to {end}, possible are ranges such as [0, 2] within 0 and {size}"
            )
    if len(chosen) == 2 and chosen[0][1] > chosen[1][0]:
        raise BadParameter(f"the groups overlap: got {list(chosen[0])} and {list(chosen[1])}, possible are two apart")
    grouped = {player for start, end in chosen for player in range(start, end)}
    return tuple(sorted([*chosen, *((player, player + 1) for player in range(size) if player not in grouped)]))


def spread_out(coalitions: BoolArray, nodes: tuple[Span, ...]) -> BoolArray:
    """Coalitions of nodes as coalitions of the players in them."""
    return np.repeat(coalitions, [end - start for start, end in nodes], axis=1)
