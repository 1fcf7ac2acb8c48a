"""The parse tree: words on the ground, phrases above them as coloured numbers (LS-Tree)."""

from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.ls_tree import ADDED_ROOT, LSTreeResult
from espalier.findings.wording import Numbers, names, phrase
from espalier.pictures.colour import ColourScale
from espalier.pictures.svg.marks import LINE, QUIET, Drawing, text_width
from espalier.pictures.tree import NO_SCORE, label_of, node_scores, span_tree
from espalier.trees.tree import SpanTree

ROW = 46
GAP = 8
CHIP = 26
WORD = 14
NUMBER = 11.5


def draw_tree(explanation: Explanation[Any]) -> Drawing:
    """One tree; the sentences of a text below one another, with the score of all together above them."""
    result: LSTreeResult = explanation.result
    tree = span_tree(result)
    picture = _Tree(explanation, tree)
    drawing = Drawing()
    if tree.nodes[0].labels != ADDED_ROOT:
        picture.draw(drawing, 0, 0.0)
        return drawing
    picture.node(drawing, 0, CHIP * 1.2, CHIP / 2)
    y = CHIP + 18.0
    for top in tree.nodes[0].children:
        y = picture.draw(drawing, top, y) + 22
    return drawing


class _Tree:
    def __init__(self, explanation: Explanation[Any], tree: SpanTree) -> None:
        self.explanation = explanation
        self.tree = tree
        self.scores = node_scores(explanation.result)
        known = [score for score in self.scores if score is not None]
        self.scale, self.numbers = ColourScale.over(known), Numbers.like(known)
        self.names = names(explanation)

    def draw(self, drawing: Drawing, top: int, y: float) -> float:
        """The subtree of a node, from `y` down; gives back where it ends."""
        nodes, root = self.tree.nodes, self.tree.nodes[top]
        inside = [i for i, n in enumerate(nodes) if i >= top and root.start <= n.start and n.end <= root.end]
        ground = y + (self.tree.depths[top] - 1) * ROW + CHIP / 2
        centres: dict[int, float] = {}
        edge = 0.0
        for position in inside:
            if nodes[position].is_leaf:
                width = self._leaf_width(position)
                centres[position] = edge + width / 2
                edge += width + GAP
        for position in reversed(inside):
            if children := nodes[position].children:
                centres[position] = (centres[children[0]] + centres[children[-1]]) / 2
        heights = {position: ground - (self.tree.depths[position] - 1) * ROW for position in inside}
        for position in inside:
            for child in nodes[position].children:
                start, end = heights[position] + CHIP / 2, heights[child] - CHIP / 2
                middle = min(start + ROW / 2, end)
                drawing.path(
                    f"M{centres[position]:.1f} {start:.1f} C{centres[position]:.1f} {middle:.1f} "
                    f"{centres[child]:.1f} {start:.1f} {centres[child]:.1f} {middle:.1f} V{end:.1f}",
                    stroke=LINE,
                    width=1.2,
                )
        for position in inside:
            self.node(drawing, position, centres[position], heights[position])
        return ground + CHIP / 2 + 1.6 * NUMBER

    def node(self, drawing: Drawing, position: int, x: float, y: float) -> None:
        node, score = self.tree.nodes[position], self.scores[position]
        number = NO_SCORE if score is None else self.numbers.signed(score)
        data: dict[str, float | int | str] = {"start": node.start, "end": node.end}
        if score is not None:
            data["value"] = score
        words = phrase(self.explanation, node.start, node.end)
        part = drawing.group("word" if node.is_leaf else "phrase", data, f"{words}: {number}")
        fill = self.scale.fill(score or 0.0)
        if node.is_leaf:
            width = self._leaf_width(position)
            part.chip(x - width / 2, y - CHIP / 2, width, CHIP, self.names[node.start], fill, WORD)
            part.text(x, y + CHIP / 2 + 1.3 * NUMBER, number, size=NUMBER, fill=QUIET, anchor="middle")
        else:
            width = text_width(number, WORD) + 14
            part.chip(x - width / 2, y - CHIP / 2, width, CHIP, number, fill, WORD)
            part.text(x + width / 2 + 5, y + 0.36 * NUMBER, label_of(node), size=NUMBER, fill=QUIET)

    def _leaf_width(self, position: int) -> float:
        node, score = self.tree.nodes[position], self.scores[position]
        number = "" if score is None else self.numbers.signed(score)
        return max(text_width(self.names[node.start], WORD) + 14, text_width(number, NUMBER))
