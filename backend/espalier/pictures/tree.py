"""The parse tree in the terminal: phrases coloured by their interaction, words by their value (LS-Tree)."""

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from espalier.explain.explanation import Explanation
from espalier.explain.ls_tree import ADDED_ROOT, LSTreeResult
from espalier.findings.wording import Numbers, names
from espalier.pictures.colour import ColourScale
from espalier.trees.terminal import TreeDrawing
from espalier.trees.tree import Node, SpanTree

NO_SCORE = "·"
WHOLE_TEXT = "all sentences together"


def node_scores(result: LSTreeResult) -> list[float | None]:
    """What each node shows: a phrase its signed interaction, a word its LS-Tree value."""
    return [node.signed if node.children else result.word_values[node.start] for node in result.nodes]


def span_tree(result: LSTreeResult) -> SpanTree:
    """The tree the result was fitted on."""
    return SpanTree(tuple(Node(n.start, n.end, tuple(n.labels), tuple(n.children)) for n in result.nodes))


def label_of(node: Node) -> str:
    """What stands beside a phrase's number."""
    return WHOLE_TEXT if node.labels == ADDED_ROOT else node.label


def draw_tree(explanation: Explanation[Any]) -> RenderableType:
    result: LSTreeResult = explanation.result
    scores = node_scores(result)
    known = [score for score in scores if score is not None]
    scale, numbers = ColourScale.over(known), Numbers.like(known)
    tree = span_tree(result)
    titles = [_title(node, score, scale, numbers) for node, score in zip(tree.nodes, scores, strict=True)]
    words = [
        Text(name, style=scale.style(value)) for name, value in zip(names(explanation), result.word_values, strict=True)
    ]
    drawing = TreeDrawing(tree, titles, words)
    if tree.nodes[0].labels != ADDED_ROOT:
        return drawing
    # The root over several sentences has no place in their pictures, but a score.
    return Group(titles[0], Text(), drawing)


def _title(node: Node, score: float | None, scale: ColourScale, numbers: Numbers) -> Text:
    if score is None:
        return Text(NO_SCORE)
    if node.is_leaf:
        return Text(numbers.signed(score))
    number = Text(f" {numbers.signed(score)} ", style=scale.style(score))
    label = label_of(node)
    return Text.assemble(number, " ", (label, "dim")) if label else number
