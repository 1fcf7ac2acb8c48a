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


def under_budget(
    lengths: Sequence[int], most_tokens: int, random_source: random.Random, window: int = 50
) -> list[list[int]]:
    """Batches of at most so many tokens, padding included, that follow the given order: sorted and shuffled is only
    inside windows of about `window` batches."""
    found: list[list[int]] = []
    start = 0
    while start < len(lengths):
        end, tokens = start, 0
        while end < len(lengths) and (end == start or tokens + lengths[end] <= most_tokens * window):
            tokens += lengths[end]
            end += 1
        batches: list[list[int]] = [[]]
        for index in sorted(range(start, end), key=lambda index: lengths[index]):
            if batches[-1] and (len(batches[-1]) + 1) * lengths[index] > most_tokens:
                batches.append([])
            batches[-1].append(index)
        random_source.shuffle(batches)
        found += batches
        start = end
    return found
