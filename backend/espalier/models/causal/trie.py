"""Rows that begin alike, as a trie: what they share is computed once.

In a causal transformer a token sees only the tokens before it, so its hidden state is a function of its own id and
position and of those of its ancestors. Rows are paths from a common root: a node is a token, at a position, after
everything above it. The work of a batch of rows is the number of its nodes, not of its tokens.

A node has a place, a number under which its keys and values are kept. Places are taken in the order of arrival and all
given back at once when there are no more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from espalier.models.protocol import IntArray, TokenRow

ROOT = -1


def in_order(rows: Sequence[TokenRow]) -> list[int]:
    """The rows' indices, neighbours in the trie next to each other: as in a dictionary, by position and then by id."""
    # Numbers written with their largest digits first are in the order of their bytes, and bytes are compared at once.
    keys = [np.stack([row.positions, row.ids], axis=1).astype(">u4").tobytes() for row in rows]
    return sorted(range(len(rows)), key=keys.__getitem__)


def new_nodes(rows: Sequence[TokenRow]) -> list[int]:
    """How many nodes each row adds to the one before it. In order, the sum is the number of nodes of the whole trie."""
    counts: list[int] = []
    before: TokenRow | None = None
    for row in rows:
        counts.append(len(row.ids) - (0 if before is None else shared(before, row)))
        before = row
    return counts


def shared(left: TokenRow, right: TokenRow) -> int:
    """How many tokens two rows have in common at their beginnings."""
    most = min(len(left.ids), len(right.ids))
    same = (left.ids[:most] == right.ids[:most]) & (left.positions[:most] == right.positions[:most])
    return most if same.all() else int(same.argmin())


def nodes(rows: Sequence[TokenRow]) -> int:
    """The size of the whole trie."""
    ordered = [rows[index] for index in in_order(rows)]
    return sum(new_nodes(ordered))


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """What a batch of rows adds to a trie: new nodes, those nearer to the root first, and the place of each row's end.

    `levels` has for every depth the places of the new nodes and of all their ancestors, int[nodes, depth], the nodes
    themselves last: what each of them may attend to.
    """

    ids: IntArray
    positions: IntArray
    places: IntArray
    ends: IntArray
    levels: tuple[IntArray, ...]


class Trie:
    """Nodes by what they are: (place of the parent, id, position)."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.computed = 0
        """Nodes that were ever new: what was paid for."""
        self.clear()

    def __len__(self) -> int:
        return len(self._paths)

    def clear(self) -> None:
        self._places: dict[tuple[int, int, int], int] = {}
        self._paths: list[IntArray] = []

    def passes(self, rows: Sequence[TokenRow], most_nodes: int) -> Iterator[tuple[list[int], Growth]]:
        """Rows as batches of at most so many new nodes (or of one row), each with the indices of its rows.

        A batch must be computed before the next one is asked for: its nodes count as known from then on.
        """
        batch: list[int] = []
        adds = whole = 0
        for index in in_order(rows):
            row = rows[index]
            apart = len(row.ids) - (shared(rows[batch[-1]], row) if batch else 0)
            missing = min(apart, self._missing(row))
            # All of a batch must find room, should what is known be given up.
            if batch and (adds + missing > most_nodes or whole + apart > self.capacity):
                yield batch, self._grow([rows[each] for each in batch], whole)
                batch, adds, whole = [], 0, 0
                missing, apart = self._missing(row), len(row.ids)
            batch.append(index)
            adds, whole = adds + missing, whole + apart
        if batch:
            yield batch, self._grow([rows[each] for each in batch], whole)

    def _missing(self, row: TokenRow) -> int:
        """How many of a row's nodes are not there yet."""
        parent = ROOT
        for known, (token, position) in enumerate(zip(row.ids.tolist(), row.positions.tolist(), strict=True)):
            place = self._places.get((parent, token, position))
            if place is None:
                return len(row.ids) - known
            parent = place
        return 0

    def _grow(self, rows: Sequence[TokenRow], whole: int) -> Growth:
        """`whole` is how many nodes the rows have by themselves."""
        if len(self) + whole > self.capacity:
            self.clear()
        fresh: dict[int, tuple[int, int]] = {}
        ends = [self._insert(row, fresh) for row in rows]
        self.computed += len(fresh)
        by_depth = sorted(fresh, key=lambda place: (len(self._paths[place]), place))
        levels: dict[int, list[IntArray]] = {}
        for place in by_depth:
            levels.setdefault(len(self._paths[place]), []).append(self._paths[place])
        return Growth(
            np.array([fresh[place][0] for place in by_depth], dtype=np.int64),
            np.array([fresh[place][1] for place in by_depth], dtype=np.int64),
            np.array(by_depth, dtype=np.int64),
            np.array(ends, dtype=np.int64),
            tuple(np.stack(paths) for paths in levels.values()),
        )

    def _insert(self, row: TokenRow, fresh: dict[int, tuple[int, int]]) -> int:
        parent = ROOT
        for token, position in zip(row.ids.tolist(), row.positions.tolist(), strict=True):
            key = (parent, token, position)
            place = self._places.get(key)
            if place is None:
                place = self._places[key] = len(self._paths)
                above = self._paths[parent] if parent != ROOT else np.empty(0, dtype=np.int64)
                self._paths.append(np.append(above, place))
                fresh[place] = (token, position)
            parent = place
        return parent
