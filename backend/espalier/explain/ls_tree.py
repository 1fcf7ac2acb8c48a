"""LS-Tree: least-squares word values and node interactions on a parse tree (Chen & Jordan, 2019).

Every node of the tree is a set of words with a value v(S) = f(S) - f(empty). The LS-Tree values are the word weights
whose sums fit all nodes best (Eq. 1). A node interacts as far as it bends that fit: its score compares the weights
fitted without its ancestors, with and without the node itself (Eq. 4).
"""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from espalier.explain.plan import BoolArray, GameShape, Partial, Plan, ask
from espalier.explain.reading import LONGEST_PHRASE, GroupScore, Reading, Scored, highest, joined, read
from espalier.explain.registry import Method, MethodResult, Parameters, register
from espalier.problems import BadParameter
from espalier.trees.tree import SpanTree, from_spans

WORTH_WAITING = 128
"""Fewer evaluations than this come at once."""

ADDED_ROOT = ("TEXT",)
"""Labels of the root that is added over the parses of several sentences."""


class LSTreeParameters(Parameters):
    common_root: bool = Field(
        default=True,
        description="Let the whole text count as one more phrase over its sentences. Off, each sentence is fitted on "
        "its own and interactions between sentences are not considered. No difference for a single sentence.",
    )


class LSTreeNode(BaseModel):
    """Players from `start` up to `end`, as the tree has them, with their value and their interaction.

    A leaf's interaction is its value. Only an added root that was left out of the fit has no scores.
    """

    model_config = ConfigDict(frozen=True)

    start: int
    end: int
    labels: list[str]
    children: list[int] = Field(description="Positions in the list of nodes, in reading order")
    depth: int = Field(description="Height above the words: a leaf is 1")
    value: float = Field(description="v(S) = f(S) - f(empty)")
    signed: float | None = Field(description="How much the phrase adds to the sum of its word values")
    absolute: float | None = Field(description="How far the phrase moves its word values, whatever the direction")


class LSTreeResult(MethodResult):
    method: Literal["ls-tree"] = "ls-tree"
    nodes: list[LSTreeNode] = Field(description="In pre-order: the root first, every parent before its children")
    word_values: list[float] = Field(description="The LS-Tree value of every player")
    base: float = Field(description="f(empty): the model's output with no word present")
    full: float = Field(description="f(all): the model's output for the whole text")

    def reading(self) -> Reading:
        """A phrase scores by its interaction, a word by its LS-Tree value. What is on top speaks most by itself; what
        is joined is the short phrase that bends the sum of its words most, with what it says by itself."""
        scores = [node.signed if node.children else self.word_values[node.start] for node in self.nodes]
        scored = zip(self.nodes, scores, strict=True)
        alone = [GroupScore(players=tuple(range(node.start, node.end)), score=node.value) for node in self.nodes]
        bent = [
            (abs(node.signed), -node.start, group)
            for node, group in zip(self.nodes, alone, strict=True)
            if node.signed is not None and 2 <= node.end - node.start <= LONGEST_PHRASE
        ]
        words = [GroupScore(players=(word,), score=value) for word, value in enumerate(self.word_values)]
        return read(
            [Scored(node.start, node.end, score) for node, score in scored if score is not None],
            exact=self.exact,
            base=self.base,
            full=self.full,
            top=highest(alone),
            groups=joined(words, max(bent, key=lambda each: each[:2])[2] if bent else None),
        )


@dataclass(frozen=True, slots=True)
class LeastSquares:
    """The fit of a tree, node by node. A node without a row in the fit has no scores."""

    word_values: list[float]
    signed: list[float | None]
    absolute: list[float | None]


def fit(tree: SpanTree, values: list[float], root_counts: bool = True) -> LeastSquares:
    """Word values and interactions of all nodes in one pass up and one pass down, linear in the number of nodes.

    Only rows inside a node change its coefficients. So with u the coefficients' answer to a unit change of the node's
    row, the Sherman-Morrison update (Eq. 5) of adding that row needs no more of each child than the sums s = sum(u),
    q = sum(u²) and t = sum(coefficients), where the paper's recursion (Eq. 6-7) inverts a matrix for every node.
    """
    size = len(tree.nodes)
    sums, squares, fitted = [1.0] * size, [1.0] * size, list(values)
    signed: list[float | None] = list(values)
    absolute: list[float | None] = [abs(value) for value in values]
    step, shrink = [0.0] * size, [1.0] * size
    for position in tree.bottom_up():
        children = tree.nodes[position].children
        if not children:
            continue
        if position == 0 and not root_counts:
            signed[0] = absolute[0] = None
            continue
        below = sum(sums[child] for child in children)
        squares_below = sum(squares[child] for child in children)
        fitted_below = sum(fitted[child] for child in children)
        shrink[position] = 1 / (1 + below)
        step[position] = (values[position] - fitted_below) * shrink[position]
        signed[position] = below * step[position]
        absolute[position] = sqrt(squares_below) * abs(step[position])
        sums[position] = below * shrink[position]
        squares[position] = squares_below * shrink[position] ** 2
        fitted[position] = fitted_below + below * step[position]

    # A row moves each of its words by its step, shrunk by every node between: carry that down instead of
    # updating all words under every node.
    word_values = [0.0] * tree.size
    moved = [0.0] * size
    for position, node in enumerate(tree.nodes):
        parent = tree.parents[position]
        from_above = 0.0 if parent is None else moved[parent]
        if node.is_leaf:
            word_values[node.start] = values[position] + from_above
        else:
            moved[position] = step[position] + shrink[position] * from_above
    return LeastSquares(word_values, signed, absolute)


def ls_tree(game: GameShape, parameters: LSTreeParameters) -> Plan[LSTreeResult]:
    """Ask for every node of the tree and for the empty text, once, and fit.

    A leaf's value is known before its phrases are: on a long text the words alone are the first partial result.
    """
    tree = game.tree
    if tree is None or tree.size != game.size:
        got = "no tree" if tree is None else f"a tree over {tree.size}"
        raise BadParameter(f"ls-tree needs a tree over the players: got {got}, possible is one over {game.size}")
    expected = len(tree.nodes) + 1
    if expected > WORTH_WAITING:
        # Words and the whole text come first: a tree without phrases, until the phrases are known.
        flat = from_spans(tree.size, {(0, tree.size): tree.nodes[0].labels})
        outputs = (yield from ask(_nobody_and(flat), expected))[:, game.target].tolist()
        yield Partial(described(flat, outputs, parameters))
    outputs = (yield from ask(_nobody_and(tree), expected))[:, game.target].tolist()
    return described(tree, outputs, parameters)


def _nobody_and(tree: SpanTree) -> BoolArray:
    return np.vstack([np.zeros((1, tree.size), dtype=bool), tree.coalitions()])


def described(tree: SpanTree, outputs: list[float], parameters: LSTreeParameters) -> LSTreeResult:
    """The fit of a tree as a result. `outputs` are the model's for nobody, then for every node."""
    base, *of_nodes = outputs
    values = [output - base for output in of_nodes]
    root_counts = parameters.common_root or tree.nodes[0].labels != ADDED_ROOT
    fitted = fit(tree, values, root_counts)
    return LSTreeResult(
        exact=True,
        nodes=[
            LSTreeNode(
                start=node.start,
                end=node.end,
                labels=list(node.labels),
                children=list(node.children),
                depth=tree.depths[position],
                value=values[position],
                signed=fitted.signed[position],
                absolute=fitted.absolute[position],
            )
            for position, node in enumerate(tree.nodes)
        ],
        word_values=fitted.word_values,
        base=base,
        full=of_nodes[0],
    )


register(
    Method(
        name="ls-tree",
        expects=lambda size, _: 2 * size + 1,
        title="LS-Tree",
        shows="Which phrases of the parse tree say more, less or something else than their words added up",
        parameters=LSTreeParameters,
        result=LSTreeResult,
        plan=ls_tree,
        view="tree",
        scale="log_probability",
        needs_tree=True,
    )
)
