"""One text on one model, with LS-Tree's scores: the row that every diagnostic is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass

from espalier.explain.ls_tree import LSTreeNode


@dataclass(frozen=True, slots=True)
class ScoredText:
    """`nodes` are LS-Tree's, in pre-order. `weights` are a linear model's for the same class, a number for each word;
    none where there is no such model. `loss` and `right` say how well the text's own label was predicted, where it has
    one."""

    words: tuple[str, ...]
    nodes: tuple[LSTreeNode, ...]
    word_values: tuple[float, ...]
    weights: tuple[float, ...] | None = None
    loss: float | None = None
    right: bool | None = None

    @property
    def scored(self) -> list[tuple[LSTreeNode, float]]:
        """Nodes with their absolute scores; without the root over several sentences, which has none."""
        return [(node, node.absolute) for node in self.nodes if node.absolute is not None]


Scores = Sequence[ScoredText | None]
"""Of the texts of a dataset, in its order; none where a text could not be explained."""
