"""The pool: every coalition is evaluated once, whichever method asks first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

POOL_BYTES = 64 * 2**20
"""Room for some 190,000 coalitions of a two-class model; the oldest are forgotten beyond it."""

ENTRY_OVERHEAD = 320
"""Bytes an entry of an ordered dictionary, its key and a small array cost beside their numbers: measured."""


EMPTY_POOL = 2_000
"""Bytes of a pool without any, with the game that is its name."""


def keys_of(coalitions: BoolArray) -> list[bytes]:
    """Coalitions as packed bits, eight players a byte."""
    packed = np.packbits(coalitions, axis=1)
    # All bytes at once, then cut: a run of the Lab names hundreds of thousands, and an array for each row takes longer.
    width, together = packed.shape[1], packed.tobytes()
    if not width:
        return [b""] * len(packed)
    return [together[start : start + width] for start in range(0, len(together), width)]


class Pool:
    """Evaluated coalitions of one game, keyed by packed bits."""

    def __init__(
        self, maximum_bytes: int = POOL_BYTES, on_change: Callable[["Pool"], None] = lambda pool: None
    ) -> None:
        self._values: OrderedDict[bytes, FloatArray] = OrderedDict()
        self._maximum_bytes = maximum_bytes
        self._on_change = on_change
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
        self._on_change(self)


class Pools:
    """Pools of many games, the least recently used forgotten when all together grow too large. What they have is
    counted as it changes: a worker has thousands of them, and every job asks for one twice."""

    def __init__(self, maximum_bytes: int = 4 * POOL_BYTES) -> None:
        self._pools: OrderedDict[Hashable, Pool] = OrderedDict()
        self._maximum_bytes = maximum_bytes
        self._changing = Lock()
        self._counted: dict[Pool, int] = {}
        self._bytes = 0

    def pool(self, game: Hashable) -> Pool:
        """The pool of a game (model revision, text, players, reference, seed), made when there is none."""
        with self._changing:  # jobs on many threads ask
            if (pool := self._pools.get(game)) is None:
                pool = self._pools[game] = Pool(on_change=self._count)
                self._counted[pool] = EMPTY_POOL
                self._bytes += EMPTY_POOL
            self._pools.move_to_end(game)
            while len(self._pools) > 1 and self._bytes > self._maximum_bytes:
                _, forgotten = self._pools.popitem(last=False)
                self._bytes -= self._counted.pop(forgotten)
            return pool

    def _count(self, pool: Pool) -> None:
        with self._changing:
            if (before := self._counted.get(pool)) is not None:  # else it was forgotten while a job still uses it
                self._counted[pool] = EMPTY_POOL + pool.bytes
                self._bytes += EMPTY_POOL + pool.bytes - before
