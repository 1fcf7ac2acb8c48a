"""Islands as bars, and the strongest pairs behind them (Archipelago)."""

from typing import Any

from espalier.explain.explanation import Explanation
from espalier.findings.wording import Numbers, names
from espalier.pictures.colour import ColourScale
from espalier.pictures.islands import MOST_PAIRS, island_bars
from espalier.pictures.svg.bars import bar_rows
from espalier.pictures.svg.marks import QUIET, Drawing, text_width

ROW = 30
WORD = 14
SMALL = 11.5


def draw_islands(explanation: Explanation[Any]) -> Drawing:
    shown, called = explanation.result.pairs[:MOST_PAIRS], names(explanation)
    differences = [number for pair in shown for number in (pair.in_full_text, pair.alone)]
    scale, numbers = ColourScale.over(differences), Numbers.like(differences)
    drawing = bar_rows(island_bars(explanation), kind="island")
    labels = [f"{called[first]} × {called[second]}" for first, second in (pair.players for pair in shown)]
    left = max(text_width(label, WORD) for label in labels) + 24
    y = drawing.height + 30
    for x, heading in ((0.0, "strongest pairs"), (left, "in the text"), (left + 90, "by themselves")):
        drawing.text(x, y, heading, size=SMALL, fill=QUIET)
    for pair, label in zip(shown, labels, strict=True):
        y += ROW
        part = drawing.group("pair", {"text": pair.in_full_text, "alone": pair.alone}, label)
        part.text(0, y, label, size=WORD)
        for x, number in ((left, pair.in_full_text), (left + 90, pair.alone)):
            part.chip(x, y - 17, 64, 23, numbers.signed(number), scale.fill(number))
    return drawing
