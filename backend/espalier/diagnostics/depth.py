"""How high in the tree the strongest interactions lie (Figure 3)."""

import numpy as np

from espalier.diagnostics.scored import ScoredText
from espalier.explain.ls_tree import LSTreeNode

MOST = 10
"""Top nodes, as in the paper's figure."""

ROUNDING = 1e-6
"""Of the largest score: less than this is the model's single precision, not an interaction."""


def ranked(text: ScoredText) -> list[LSTreeNode]:
    """Nodes by their absolute scores, the highest first. Among equals the lowest in the tree comes first: what
    interacts with nothing must not look deep."""
    scored = text.scored
    least = ROUNDING * max((score for _, score in scored), default=0.0)
    order = sorted(scored, key=lambda each: (-each[1] if each[1] > least else 0.0, each[0].depth, each[0].start))
    return [node for node, _ in order]


def top_depths(text: ScoredText, most: int = MOST) -> list[float]:
    """Mean depth of the top 1, 2, … nodes, a leaf's being 1; NaN where a text has fewer nodes."""
    depths = [node.depth for node in ranked(text)]
    return [float(np.mean(depths[:count])) if count <= len(depths) else float("nan") for count in range(1, most + 1)]


def chance_depth(text: ScoredText) -> float:
    """Mean depth of all nodes: what any number of nodes drawn at random have, on average."""
    return float(np.mean([node.depth for node, _ in text.scored]))
