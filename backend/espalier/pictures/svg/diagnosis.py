"""The diagnostics of models as one picture: a panel for each, models in colours that stay the same in all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Protocol

from espalier.diagnostics.documents import Depth, Interacting, Linearity, OverfittingTest
from espalier.pictures.svg.marks import LINE, PAPER, QUIET, SERIF, Drawing, text_width
from espalier.pictures.svg.sheet import MARGIN, PLOT, SMALL, TITLE, WORD, colours_of, document, legend
from espalier.scale import Scale

GAP, CURVE = 34, 200
ROW, LINE_OF_MODEL = 24, 11


Place = Callable[[float], float]
"""Where on the page a number is."""


@dataclass(frozen=True, slots=True)
class Point:
    """A number with its interval, in a model's colour; hollow where it is the one to compare with."""

    model: str
    value: float
    low: float | None
    high: float | None
    colour: str
    hollow: bool = False
    note: str = ""


class Findings(Protocol):
    """What was found out about a model, by a command or by a run; what was not asked for has no panel."""

    @property
    def model(self) -> str: ...
    @property
    def linearity(self) -> Linearity | None: ...
    @property
    def depths(self) -> list[Depth]: ...
    @property
    def contrast(self) -> Interacting | None: ...
    @property
    def overfitting(self) -> OverfittingTest | None: ...


def svg_of_diagnosis(models: Sequence[Findings], linear: str | None, texts: int, scale: Scale) -> str:
    """All panels that there are numbers for, as one SVG document."""
    colours = colours_of([each.model for each in models])
    panels = [
        (f"Correlation with {linear}", _linearity(models, colours)),
        ("Depth of the top nodes (a word is 1; dashed: any node)", _depths(models, colours)),
        ("The phrase around a word of contrast, through any node (1)", _contrast(models, colours)),
        ("Variance of scores: training texts (hollow) and others", _overfitting(models, colours)),
    ]
    page = Drawing()
    y = float(MARGIN)
    legend(page, colours, y)
    y += 12
    for title, panel in panels:
        if panel is None:
            continue
        y += TITLE + 10
        page.text(MARGIN, y, title, size=TITLE, family=SERIF)
        y += 14
        page.place(panel, MARGIN, y)
        y += panel.height + GAP - 14
    said = f"LS-Tree on {texts} texts, {scale}; lines are 95 % bootstrap intervals over texts"
    page.text(MARGIN, y, said, size=SMALL, fill=QUIET)
    return document(page, y + MARGIN, said)


def _linearity(models: Sequence[Findings], colours: dict[str, str]) -> Drawing | None:
    rows = []
    for each in models:
        found = each.linearity and each.linearity.words
        if found and found.mean is not None:
            rows.append((each.model, [Point(each.model, found.mean, found.low, found.high, colours[each.model])]))
    return _rows(rows, from_zero=True) if rows else None


def _contrast(models: Sequence[Findings], colours: dict[str, str]) -> Drawing | None:
    """Words that have an interval in some model; those that come in a sentence or two would rule the axis."""
    rows = []
    there = [(each.model, each.contrast.words) for each in models if each.contrast is not None]
    for index, word in enumerate(there[0][1] if there else ()):
        found = [(name, words[index].parent) for name, words in there]
        points = [
            Point(name, parent.ratio, parent.low, parent.high, colours[name])
            for name, parent in found
            if parent.ratio is not None and parent.low is not None
        ]
        if points:
            rows.append((f"{word.word} ({found[0][1].sentences})", points))
    return _rows(rows, from_zero=True, mark=1.0) if rows else None


def _overfitting(models: Sequence[Findings], colours: dict[str, str]) -> Drawing | None:
    rows = []
    for each in models:
        test = each.overfitting
        if test is None or test.train.variance.mean is None or test.test.variance.mean is None:
            continue
        sides = ((test.train.variance, True, ""), (test.test.variance, False, f"p = {test.p:.4f}"))
        points = [
            Point(each.model, side.mean or 0.0, side.low, side.high, colours[each.model], hollow, note)
            for side, hollow, note in sides
        ]
        rows.append((each.model, points))
    return _rows(rows, from_zero=True) if rows else None


def _rows(rows: Sequence[tuple[str, list[Point]]], from_zero: bool, mark: float | None = None) -> Drawing:
    """A row for each name with its points below each other, on one axis."""
    drawing = Drawing()
    ends = [
        end for _, points in rows for each in points for end in (each.value, each.low, each.high) if end is not None
    ]
    low, high, step = _axis(min([*ends, *([0.0] if from_zero else [])]), max([*ends, *([mark] if mark else [])]))
    left = max(text_width(name, WORD) for name, _ in rows) + 14

    def at(value: float) -> float:
        return left + PLOT * (value - low) / (high - low)

    heights = [max(ROW, LINE_OF_MODEL * len(points) + 8) for _, points in rows]
    _ticks(drawing, at, low, high, step, sum(heights))
    if mark is not None:
        drawing.path(f"M{at(mark):.1f} 0 v{sum(heights)}", stroke=QUIET)
    y = 0.0
    for (name, points), height in zip(rows, heights, strict=True):
        drawing.text(left - 14, y + height / 2 + 4, name, size=WORD, anchor="end")
        first = y + height / 2 - LINE_OF_MODEL * (len(points) - 1) / 2
        for index, each in enumerate(points):
            _point(drawing, each, name, at, first + LINE_OF_MODEL * index)
        y += height
    return drawing


def _point(drawing: Drawing, each: Point, name: str, at: Place, y: float) -> None:
    said = f"{each.model}, {name}: {_number(each.value)}"
    if each.low is not None and each.high is not None:
        said += f" [{_number(each.low)}, {_number(each.high)}]"
    part = drawing.group("point", {"value": each.value, "model": each.model}, said)
    if each.low is not None and each.high is not None:
        part.path(f"M{at(each.low):.1f} {y:.1f} H{at(each.high):.1f}", stroke=each.colour, width=1.6)
    fill, stroke = (PAPER, each.colour) if each.hollow else (each.colour, "none")
    part.rectangle(at(each.value) - 4, y - 4, 8, 8, fill, radius=4, stroke=stroke, line=1.6)
    if each.note:
        part.text(at(each.high if each.high is not None else each.value) + 10, y + 4, each.note, size=SMALL)


def _depths(models: Sequence[Findings], colours: dict[str, str]) -> Drawing | None:
    """A curve over how many top nodes are taken, with its band of intervals."""
    drawing = Drawing()
    known = {each.model: [depth for depth in each.depths if depth.depth.mean is not None] for each in models}
    means = [mean for depths in known.values() for each in depths for mean in (each.depth.mean, each.chance.mean)]
    ends = [end for depths in known.values() for each in depths for end in (each.depth.low, each.depth.high)]
    numbers = [number for number in (*means, *ends) if number is not None]
    if not numbers:
        return None
    low, high, step = _axis(1.0, max(numbers))
    left, counts = 40.0, max(depth.top for depths in known.values() for depth in depths)

    def across(top: float) -> float:
        return left + PLOT * (top - 1) / max(counts - 1, 1)

    def up(value: float) -> float:
        return CURVE * (1 - (value - low) / (high - low))

    for index in range(round((high - low) / step) + 1):
        value = low + index * step
        drawing.path(f"M{left} {up(value):.1f} h{PLOT}", stroke=LINE)
        drawing.text(left - 8, up(value) + 4, _number(value), size=SMALL, fill=QUIET, anchor="end")
    for top in range(1, counts + 1):
        drawing.text(across(top), CURVE + 18, str(top), size=SMALL, fill=QUIET, anchor="middle")
    for name, depths in known.items():
        data = {f"top-{each.top}": each.depth.mean or 0.0 for each in depths}
        said = ", ".join(f"{each.top}: {_number(each.depth.mean or 0.0)}" for each in depths)
        part = drawing.group("curve", {"model": name, **data}, f"{name}, depth of the top nodes: {said}")
        band = [each for each in depths if each.depth.low is not None and each.depth.high is not None]
        if len(band) > 1:
            edge = [(each.top, each.depth.high or 0.0) for each in band]
            edge += [(each.top, each.depth.low or 0.0) for each in reversed(band)]
            part.path(_course(edge, across, up) + " Z", stroke="none", fill=colours[name], opacity=0.12)
        part.path(
            _course([(each.top, each.depth.mean or 0.0) for each in depths], across, up), stroke=colours[name], width=2
        )
    # Models that were explained on the same texts have the same chance: its line is drawn once.
    chance = next(iter(known.values()))
    for first, second in zip(chance[::2], chance[1::2], strict=False):
        dash = [(each.top, each.chance.mean or 0.0) for each in (first, second)]
        drawing.path(_course(dash, across, up), stroke=QUIET, width=1.4)
    drawing.grow(left + PLOT + 8, CURVE + 24)
    return drawing


def _course(points: Sequence[tuple[float, float]], across: Place, up: Place) -> str:
    return "M" + " L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in points)


def _ticks(drawing: Drawing, at: Place, low: float, high: float, step: float, height: float) -> None:
    for index in range(round((high - low) / step) + 1):
        value = low + index * step
        drawing.path(f"M{at(value):.1f} 0 v{height:.1f}", stroke=LINE)
        drawing.text(at(value), height + 16, _number(value), size=SMALL, fill=QUIET, anchor="middle")


def _axis(lowest: float, highest: float) -> tuple[float, float, float]:
    """Round ends, and a step of 1, 2 or 5 that makes at most eight parts."""
    span = max(highest - lowest, 1e-6)
    size = 10 ** floor(log10(span))
    step = next(each * size for each in (0.1, 0.2, 0.5, 1, 2) if span / (each * size) <= 6)
    return floor(lowest / step + 1e-9) * step, ceil(highest / step - 1e-9) * step, step


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−") or "0"
