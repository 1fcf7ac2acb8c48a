"""The graph: words in a line, arrows over and under it, and what each arrow says in numbers (ASIV)."""

from itertools import accumulate
from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.pictures.arrows import Arrow, node_names, ranks, telling_arrows
from espalier.pictures.colour import ColourScale, side
from espalier.pictures.svg.marks import QUIET, Data, Drawing, text_width
from espalier.pictures.wording import Numbers, shortened

CHIP = 28
WORD = 14
SMALL = 11.5
GAP = 8
HIGHEST = 120
THICKEST = 7
ROW = 28
LONGEST_NAME = 40


def draw_arcs(explanation: Explanation[Any]) -> Drawing:
    """Arrows to the right run above the words, arrows to the left below; the pale one is what is added without."""
    result: AsivResult = explanation.result
    names, arrows = node_names(explanation), telling_arrows(result)
    widths = [text_width(name, WORD) + 14 for name in names]
    lefts = [0.0, *accumulate(width + GAP for width in widths)]
    centres = [left + width / 2 for left, width in zip(lefts, widths, strict=False)]
    forward = [_height(centres, each) for each in arrows if each.given < each.adds]
    backward = [_height(centres, each) for each in arrows if each.given > each.adds]
    y = max(forward, default=0.0) + THICKEST
    drawing = Drawing()
    largest = max((abs(number) for each in arrows for number in (each.absent, each.present)), default=0.0) or 1.0
    for each in arrows:
        _arc(drawing, each, centres, y, largest, names)
    scale, numbers = ColourScale.over(result.values), Numbers.like(result.values)
    for node, (name, value) in enumerate(zip(names, result.values, strict=True)):
        data: Data = {"value": value, "pagerank": result.pagerank[node]}
        part = drawing.group("node", data, f"{name}: Shapley value {numbers.signed(value)}")
        part.chip(lefts[node], y, widths[node], CHIP, name, scale.fill(value), WORD)
    bottom = y + CHIP + max(backward, default=0.0) + THICKEST + 14
    if arrows:
        _table(drawing, arrows, names, bottom)
    drawing.text(0, drawing.height + 24, ranks(result, names), size=SMALL, fill=QUIET)
    return drawing


def _height(centres: list[float], each: Arrow) -> float:
    return min(HIGHEST, 22 + abs(centres[each.given] - centres[each.adds]) * 0.28)


def _arc(drawing: Drawing, each: Arrow, centres: list[float], y: float, largest: float, names: list[str]) -> None:
    data: Data = {"from": each.given, "to": each.adds, "absent": each.absent, "present": each.present}
    part = drawing.group("arrow", data, f"{names[each.given]} → {names[each.adds]}")
    rightwards = each.given < each.adds
    base, up = (y, -1) if rightwards else (y + CHIP, 1)
    start, end = centres[each.given] + (5 if rightwards else -5), centres[each.adds] - (5 if rightwards else -5)
    for value, opacity, share in ((each.absent, 0.35, 0.7), (each.present, 1.0, 1.0)):
        # The middle of a Bézier curve is three quarters as far out as its control points.
        reach = base + up * _height(centres, each) * share * 4 / 3
        part.path(
            f"M{start:.1f} {base:.1f} C{start:.1f} {reach:.1f} {end:.1f} {reach:.1f} {end:.1f} {base + up * 6:.1f}",
            stroke=side(value).hex,
            width=round(max(0.8, THICKEST * abs(value) / largest), 2),
            opacity=opacity,
        )
    head = f"M{end:.1f} {base:.1f} l-4 {up * 8} h8 z"
    part.path(head, stroke="none", fill=side(each.present).hex)


def _table(drawing: Drawing, arrows: list[Arrow], names: list[str], y: float) -> None:
    written = [number for each in arrows for number in (each.absent, each.present)]
    scale, numbers = ColourScale.over(written), Numbers.like(written)
    labels = [" → ".join(shortened(names[node], LONGEST_NAME) for node in (each.given, each.adds)) for each in arrows]
    left = max(text_width(label, WORD) for label in labels) + 20
    columns = (left, left + 130, left + 260)
    for x, heading in zip(columns, ("without", "with", "synergy, both ways"), strict=True):
        drawing.text(x, y, heading, size=SMALL, fill=QUIET)
    for each, label in zip(arrows, labels, strict=True):
        y += ROW
        drawing.text(0, y, label, size=WORD)
        for x, value, error in zip(columns, (each.absent, each.present, each.synergy), each.errors, strict=True):
            if x < columns[2]:
                drawing.chip(x, y - 16, 62, 22, numbers.signed(value), scale.fill(value))
            else:
                drawing.text(x, y, numbers.signed(value), size=WORD)
            drawing.text(x + 66, y, numbers.error(error), size=SMALL, fill=QUIET)
