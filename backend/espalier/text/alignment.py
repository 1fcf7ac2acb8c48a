"""Which word each token of a model belongs to, through character offsets."""

from bisect import bisect_right
from collections.abc import Sequence

from espalier.text.passage import Word


def words_of_tokens(words: Sequence[Word], offsets: Sequence[tuple[int, int]]) -> tuple[int | None, ...]:
    """For each token the index of its word, or None for special tokens and tokens that lie in a gap.

    A token that covers several words belongs to the one it shares most characters with, the first at a tie, so every
    token has at most one owner.
    """
    starts = [word.start for word in words]
    owners: list[int | None] = []
    for start, end in offsets:
        best, best_overlap = None, 0
        index = max(bisect_right(starts, start) - 1, 0)
        while index < len(words) and words[index].start < end:
            overlap = min(end, words[index].end) - max(start, words[index].start)
            if overlap > best_overlap:
                best, best_overlap = index, overlap
            index += 1
        owners.append(best)
    return tuple(owners)
