"""PageRank of a weighted graph: which nodes the arrows lead to (Page et al., 1999)."""

import numpy as np

from espalier.explain.plan import FloatArray

DAMPING = 0.85
TOLERANCE = 1e-12


def pagerank(weights: FloatArray, damping: float = DAMPING) -> FloatArray:
    """Rank of each node, adding up to 1. `weights[j, i]` belongs to the arrow j -> i; negative ones count as none.

    A node without arrows leads everywhere alike. Each step brings the ranks nearer by the damping, so the loop ends.
    """
    size = len(weights)
    positive = np.maximum(weights, 0.0)
    positive = positive / max(positive.max(), np.finfo(np.float64).tiny)
    outgoing = positive.sum(axis=1, keepdims=True)
    # Scaled to a largest weight of 1, a row below rounding is no arrow.
    moves = np.where(outgoing > np.finfo(np.float64).eps, positive / np.where(outgoing > 0, outgoing, 1.0), 1 / size)
    rank = np.full(size, 1 / size)
    while True:
        following: FloatArray = (1 - damping) / size + damping * (rank @ moves)
        if np.abs(following - rank).sum() < TOLERANCE:
            return following
        rank = following
