"""Does a word of contrast score more than any node of its text? Decided by putting any node in its place.

Scores are absolute and skewed: a test that flips signs would take them for symmetric. Here nothing is assumed but what
is denied: that the word's node is one like the others of the same text.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.verdicts.evidence import Outcome
from benchmarks.verdicts.judge import FEWEST
from espalier.diagnostics.adversatives import occurrences
from espalier.diagnostics.scored import ScoredText
from espalier.statistics.means import FLIPS, mean_intervals
from espalier.statistics.ratios import ratio_intervals

FloatArray = NDArray[np.float64]


def against_any(texts: Sequence[ScoredText], word: str, part: str, phrases: bool, seed: int) -> Outcome | None:
    """`first` is the paper's number: the mean score of the word's node (`part` is "alone" or "parent") through that of
    all nodes of all texts, or of all phrases. The difference is in pairs: the word's score minus the mean score of the
    same text's nodes, through the same average. None where fewer than five texts have the word."""
    pools = [_scores(text, phrases) for text in texts]
    own = [_of_word(text, word, part) for text in texts]
    there = [(scores, pool) for scores, pool in zip(own, pools, strict=True) if len(scores)]
    if len(there) < FEWEST:
        return None
    sums = [[pool.sum(), len(pool), scores.sum(), len(scores)] for scores, pool in zip(own, pools, strict=True)]
    (ratio,) = ratio_intervals(np.array(sums, dtype=np.float64), [((2, 3), (0, 1))], seed)
    average = float(np.concatenate(pools).mean())
    pairs = np.array([(scores.mean() - pool.mean()) / average for scores, pool in there])
    (difference,) = mean_intervals(pairs[:, None], seed)
    return Outcome(ratio.ratio or 0.0, 1.0, difference, any_in_its_place(there, seed))


def any_in_its_place(there: Sequence[tuple[FloatArray, FloatArray]], seed: int, draws: int = FLIPS) -> float:
    """Two-sided p value that the words' nodes are drawn from their texts' nodes. Where a word stands several times in
    a text, as many different nodes are drawn. (b + 1)/(m + 1), twice the smaller tail."""
    generator = np.random.default_rng(seed)
    observed = sum(scores.mean() - pool.mean() for scores, pool in there)
    drawn = np.zeros(draws)
    for scores, pool in there:
        count = min(len(scores), len(pool))
        if count == 1:
            drawn += generator.choice(pool, draws)
        else:
            places = generator.random((draws, len(pool))).argpartition(count - 1, axis=1)[:, :count]
            drawn += pool[places].mean(axis=1)
        drawn -= pool.mean()
    # The same sum in another order differs in its last bits: such a draw is as large as the observed one.
    close = 1e-9 * (1 + abs(observed))
    tails = int((drawn >= observed - close).sum()), int((drawn <= observed + close).sum())
    return min(1.0, 2 * (min(tails) + 1) / (draws + 1))


def _scores(text: ScoredText, phrases: bool) -> FloatArray:
    return np.array([score for node, score in text.scored if node.children or not phrases], dtype=np.float64)


def _of_word(text: ScoredText, word: str, part: str) -> FloatArray:
    found = [getattr(each, part) for each in occurrences(text) if each.name == word]
    return np.array([score for score in found if score is not None], dtype=np.float64)
