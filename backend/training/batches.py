"""Batches of similar length: on a CPU, padding is the larger half of the work."""

import random
from collections.abc import Iterator, Sequence


def by_length(
    lengths: Sequence[int], batch_size: int, random_source: random.Random, window: int = 50
) -> Iterator[list[int]]:
    """Shuffle, sort inside windows of `window` batches, and deliver the batches in random order.

    Sorting everything would give every batch one kind of sentence; sorting inside a window keeps the
    batches mixed and still removes nearly all padding.
    """
    order = list(range(len(lengths)))
    random_source.shuffle(order)
    batches: list[list[int]] = []
    for start in range(0, len(order), batch_size * window):
        block = sorted(order[start : start + batch_size * window], key=lambda index: lengths[index])
        batches.extend(block[at : at + batch_size] for at in range(0, len(block), batch_size))
    random_source.shuffle(batches)
    yield from batches
