"""How far a model's word values follow the weights of a linear one (Table 2)."""

import numpy as np
from numpy.typing import NDArray

from espalier.diagnostics.scored import ScoredText

FEWEST = 3
"""Two points always lie on a line."""


def word_correlation(text: ScoredText) -> float:
    """Pearson's correlation of LS-Tree values and linear weights over the different words of a text.

    A word that comes twice counts once, with the mean of its values. Words of weight zero are left out: the linear
    model has never seen them and says nothing of them. NaN where fewer than three words are left, or all are equal.
    """
    if text.weights is None:
        return float("nan")
    values: dict[tuple[str, float], list[float]] = {}
    for word, value, weight in zip(text.words, text.word_values, text.weights, strict=True):
        if weight != 0:
            values.setdefault((word.lower(), weight), []).append(value)
    return _pearson(np.array([np.mean(each) for each in values.values()]), np.array([weight for _, weight in values]))


def phrase_correlation(text: ScoredText) -> float:
    """The same over phrases: what the model says of a phrase alone, and the sum of the linear weights of its words."""
    if text.weights is None:
        return float("nan")
    phrases = [node for node, _ in text.scored if node.children]
    sums = [sum(text.weights[node.start : node.end]) for node in phrases]
    return _pearson(np.array([node.value for node in phrases]), np.array(sums))


def _pearson(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    if len(first) < FEWEST:
        return float("nan")
    first, second = first - first.mean(), second - second.mean()
    spread = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum() / spread) if spread > 0 else float("nan")
