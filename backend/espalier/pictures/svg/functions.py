"""How well known interactions are fitted, as a picture (MAHE, Figure 3a): a panel for each kind of model, functions
below each other, errors on a logarithmic axis with a line at 1, where an explanation without interactions is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from espalier.pictures.svg.marks import LINE, QUIET, SERIF, Drawing, text_width
from espalier.pictures.svg.sheet import MARGIN, PLOT, SMALL, TITLE, WORD, colours_of, document, legend

GAP, ROW, STEP = 30, 44, 12

LEAST = 1e-4
"""Errors below it are drawn at it: a logarithm has no place for nothing."""

Place = Callable[[float], float]
"""Where on the page a number is."""


@dataclass(frozen=True, slots=True)
class Dot:
    """An error with its interval, of one way to fit."""

    way: str
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Panel:
    """A kind of model, and for each function its dots, in the same order of ways."""

    title: str
    rows: Sequence[tuple[str, Sequence[Dot]]]


def svg_of_functions(panels: Sequence[Panel], said: str) -> str:
    """All panels on one axis, as one SVG document."""
    dots = [dot for panel in panels for _, row in panel.rows for dot in row]
    ends = [max(end, LEAST) for dot in dots for end in (dot.value, dot.low, dot.high) if end is not None]
    low, high = floor(log10(min([*ends, 1.0]))), max(ceil(log10(max([*ends, 1.0]))), 1)
    left = max(text_width(name, WORD) for panel in panels for name, _ in panel.rows) + 14
    colours = colours_of(list(dict.fromkeys(dot.way for dot in dots)))

    def at(value: float) -> float:
        return left + PLOT * (log10(max(value, LEAST)) - low) / (high - low)

    page, y = Drawing(), float(MARGIN)
    legend(page, colours, y)
    for panel in panels:
        y += TITLE + GAP - 8
        page.text(MARGIN, y, panel.title, size=TITLE, family=SERIF)
        drawing = Drawing()
        height = ROW * len(panel.rows)
        for power in range(low, high + 1):
            here = at(10.0**power)
            drawing.path(f"M{here:.1f} 0 v{height}", stroke=QUIET if power == 0 else LINE)
            drawing.text(here, height + 16, f"{10.0**power:g}", size=SMALL, fill=QUIET, anchor="middle")
        for index, (name, row) in enumerate(panel.rows):
            middle = ROW * (index + 0.5)
            drawing.text(left - 14, middle + 4, name, size=WORD, anchor="end")
            for place, dot in enumerate(row):
                _dot(drawing, dot, name, colours[dot.way], at, middle + STEP * (place - (len(row) - 1) / 2))
        page.place(drawing, MARGIN, y + 12)
        y += 12 + height + 18
    y += GAP
    page.text(MARGIN, y, said, size=SMALL, fill=QUIET)
    return document(page, y + MARGIN, said)


def _dot(drawing: Drawing, dot: Dot, name: str, colour: str, at: Place, y: float) -> None:
    span = "" if dot.low is None or dot.high is None else f" [{dot.low:.3g}, {dot.high:.3g}]"
    part = drawing.group("point", {"value": dot.value, "way": dot.way}, f"{name}, {dot.way}: {dot.value:.3g}{span}")
    if dot.low is not None and dot.high is not None:
        part.path(f"M{at(dot.low):.1f} {y:.1f} H{at(dot.high):.1f}", stroke=colour, width=1.6)
    part.rectangle(at(dot.value) - 4, y - 4, 8, 8, colour, radius=4)
