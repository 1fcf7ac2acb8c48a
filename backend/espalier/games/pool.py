"""The pool: every coalition is evaluated once, whichever method asks first."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

POOL_BYTES = 64 * 2**20
"""Room for some 190,000 coalitions of a two-class model; the oldest are forgotten beyond it."""

ENTRY_OVERHEAD = 320
"""Bytes an entry of an ordered dictionary, its key and a small array cost beside their numbers: measured."""


def keys_of(coalitions: BoolArray) -> list[bytes]:
    """Coalitions as packed bits, eight players a byte."""
    packed = np.packbits(coalitions, axis=1)
    return [row.tobytes() for row in packed]


class Pool:
    """Evaluated coalitions of one game, keyed by packed bits."""

    def __init__(self, maximum_bytes: int = POOL_BYTES) -> None:
        self._values: OrderedDict[bytes, FloatArray] = OrderedDict()
        self._maximum_bytes = maximum_bytes
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: bytes) -> bool:
        return key in self._values

    def get(self, key: bytes) -> FloatArray | None:
        return self._values.get(key)

    def put(self, keys: Sequence[bytes], values: FloatArray) -> None:
        for key, value in zip(keys, values, strict=True):
            if key not in self._values:
                self._values[key] = value
                self.bytes += len(key) + value.nbytes + ENTRY_OVERHEAD
        while self.bytes > self._maximum_bytes and self._values:
            key, value = self._values.popitem(last=False)
            self.bytes -= len(key) + value.nbytes + ENTRY_OVERHEAD


class Pools:
    """Pools of many games, the least recently used forgotten when all together grow too large."""

    def __init__(self, maximum_bytes: int = 4 * POOL_BYTES) -> None:
        self._pools: OrderedDict[Hashable, Pool] = OrderedDict()
        self._maximum_bytes = maximum_bytes
        self._changing = Lock()

    def pool(self, game: Hashable) -> Pool:
        """The pool of a game (model revision, text, players, reference, seed), made when there is none."""
        with self._changing:  # jobs on many threads ask
            pool = self._pools.setdefault(game, Pool())
            self._pools.move_to_end(game)
            while len(self._pools) > 1 and sum(each.bytes for each in self._pools.values()) > self._maximum_bytes:
                self._pools.popitem(last=False)
            return pool
