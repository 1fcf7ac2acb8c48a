"""The graph: words in a line, arrows over and under it, and what the arrows say in numbers (ASIV)."""

from itertools import accumulate
from typing import Any

from espalier.explain.explanation import Explanation
from espalier.findings.graph import Arrow, Graph, graph_of
from espalier.findings.wording import Numbers, shortened
from espalier.pictures.colour import ColourScale, side
from espalier.pictures.svg.marks import QUIET, Data, Drawing, text_width

CHIP = 28
WORD = 14
SMALL = 11.5
GAP = 8
HIGHEST = 120
THICKEST = 7
ROW = 28
COLUMN = 130
LONGEST_NAME = 40


def draw_arcs(explanation: Explanation[Any]) -> Drawing:
    """Arrows to the right run above the words, arrows to the left below; the pale one is what is added without."""
    graph = graph_of(explanation)
    widths = [text_width(name, WORD) + 14 for name in graph.nodes]
    lefts = [0.0, *accumulate(width + GAP for width in widths)]
    centres = [left + width / 2 for left, width in zip(lefts, widths, strict=False)]
    above = [_height(centres, arrow) for arrow in graph.arrows if arrow.given < arrow.adds]
    below = [_height(centres, arrow) for arrow in graph.arrows if arrow.given > arrow.adds]
    y = max(above, default=0.0) + THICKEST
    drawing = Drawing()
    _draw_arrows(drawing, graph, centres, y)
    scale, numbers = ColourScale.over(graph.values), Numbers.like(graph.values)
    for node, (name, value) in enumerate(zip(graph.nodes, graph.values, strict=True)):
        data: Data = {"value": value, "pagerank": graph.pagerank[node]}
        part = drawing.group("node", data, f"{name}: {numbers.signed(value)}")
        part.chip(lefts[node], y, widths[node], CHIP, name, scale.fill(value), WORD)
    if graph.arrows:
        _table(drawing, graph, y + CHIP + max(below, default=0.0) + THICKEST + 14)
    drawing.text(0, drawing.height + 24, graph.ranks(), size=SMALL, fill=QUIET)
    return drawing


def _height(centres: list[float], arrow: Arrow) -> float:
    return min(HIGHEST, 22 + abs(centres[arrow.given] - centres[arrow.adds]) * 0.28)


def _draw_arrows(drawing: Drawing, graph: Graph, centres: list[float], y: float) -> None:
    strokes = [
        (name, opacity, reach) for name, opacity, reach in ((graph.pale, 0.35, 0.7), (graph.strong, 1.0, 1.0)) if name
    ]
    largest = max((abs(arrow.numbers[name]) for arrow in graph.arrows for name, _, _ in strokes), default=0.0) or 1.0
    for arrow in graph.arrows:
        title = f"{graph.nodes[arrow.given]} → {graph.nodes[arrow.adds]}"
        part = drawing.group("arrow", {"from": arrow.given, "to": arrow.adds, **arrow.numbers}, title)
        rightwards = arrow.given < arrow.adds
        base, up, inwards = (y, -1, 5) if rightwards else (y + CHIP, 1, -5)
        start, end = centres[arrow.given] + inwards, centres[arrow.adds] - inwards
        for name, opacity, reach in strokes:
            value = arrow.numbers[name]
            # The middle of a Bézier curve is three quarters as far out as its control points.
            out = base + up * _height(centres, arrow) * reach * 4 / 3
            part.path(
                f"M{start:.1f} {base:.1f} C{start:.1f} {out:.1f} {end:.1f} {out:.1f} {end:.1f} {base + up * 6:.1f}",
                stroke=side(value).hex,
                width=max(0.8, THICKEST * abs(value) / largest),
                opacity=opacity,
            )
        part.path(f"M{end:.1f} {base:.1f} l-4 {up * 8} h8 z", stroke="none", fill=side(arrow.numbers[graph.strong]).hex)


def _table(drawing: Drawing, graph: Graph, y: float) -> None:
    written = [number for arrow in graph.arrows for number in arrow.numbers.values()]
    scale, numbers = ColourScale.over(written), Numbers.like(written)
    ends = [(graph.nodes[arrow.given], graph.nodes[arrow.adds]) for arrow in graph.arrows]
    labels = [" → ".join(shortened(name, LONGEST_NAME) for name in pair) for pair in ends]
    left = max(text_width(label, WORD) for label in labels) + 20
    columns = {name: left + COLUMN * place for place, name in enumerate(graph.headings)}
    for name, heading in graph.headings.items():
        drawing.text(columns[name], y, heading, size=SMALL, fill=QUIET)
    for arrow, label in zip(graph.arrows, labels, strict=True):
        y += ROW
        drawing.text(0, y, label, size=WORD)
        for name, x in columns.items():
            value = arrow.numbers[name]
            drawing.chip(x, y - 16, 62, 22, numbers.signed(value), scale.fill(value))
            drawing.text(x + 66, y, numbers.error(arrow.errors[name]), size=SMALL, fill=QUIET)
