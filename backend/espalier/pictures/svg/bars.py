"""Bars from the value of the empty text to that of the whole one, with whiskers that hold 95 % of repeated runs."""

from collections.abc import Sequence
from typing import Any

from espalier.explain.explanation import Explanation
from espalier.findings.wording import shortened
from espalier.pictures.bars import NOTHING, Axis, Bar, apart, numbers_of, pair_bars, phrase_bars, word_bars
from espalier.pictures.colour import side
from espalier.pictures.svg.marks import INK, LINE, QUIET, Data, Drawing, text_width
from espalier.shared import APPEARANCE

ROW = 26
BAR = 16
AXIS = 380
WORD = 14
SMALL = 11.5
LONGEST_NAME = 40
NINETY_FIVE: float = APPEARANCE["thresholds"]["ninety_five"]
WHISKER: str = APPEARANCE["captions"]["whisker"]


def draw_bars(explanation: Explanation[Any]) -> Drawing:
    """Any result that has a reading: its words, phrases that are scored as wholes, and its strongest pairs."""
    reading = explanation.read()
    drawing = bar_rows(word_bars(explanation, reading)) if reading.words else Drawing()
    if note := apart(explanation, reading):
        drawing.text(0, drawing.height + 16, note, size=SMALL, fill=QUIET)
    more = {"phrase": phrase_bars(explanation, reading), "pair": pair_bars(explanation, reading)}
    for kind, bars in more.items():
        if bars:
            drawing.place(bar_rows(bars, kind=kind), 0, drawing.height + 20)
    if reading.has_errors:
        drawing.text(0, drawing.height + 18, WHISKER, size=SMALL, fill=QUIET)
    if drawing.height == 0:
        drawing.text(0, WORD, NOTHING, size=WORD)
    return drawing


def bar_rows(bars: Sequence[Bar], kind: str = "word") -> Drawing:
    """Names, bars on one axis, numbers."""
    drawing, numbers, axis = Drawing(), numbers_of(bars), Axis.under(bars, NINETY_FIVE)
    labels = [shortened(bar.name, LONGEST_NAME) for bar in bars]
    left = max(text_width(label, WORD) for label in labels) + 14
    places = [(left + AXIS * axis.share(bar.start), left + AXIS * axis.share(bar.end)) for bar in bars]
    for row, (bar, label, (start, end)) in enumerate(zip(bars, labels, places, strict=True)):
        y = row * ROW
        number = bar.written(numbers)
        part = drawing.group("total" if bar.is_total else kind, _data(bar), f"{bar.name}: {number}")
        part.text(left - 14, y + BAR - 3, label, size=WORD, anchor="end", fill=QUIET if bar.is_total else INK)
        if bar.is_total:
            part.path(f"M{start:.1f} {y} v{BAR}", stroke=INK, width=2)
        else:
            part.rectangle(min(start, end), y, max(abs(end - start), 1.0), BAR, side(bar.value).hex, radius=2)
        right = max(start, end) + _whisker(part, bar, end, y, axis)
        part.text(right + 8, y + BAR - 4, number + numbers.error(bar.error), size=SMALL)
        if row + 1 < len(bars):
            # Where a bar ends is where the next one begins; bars from zero share the line of zero.
            joint = end if places[row + 1][0] == end else start
            drawing.path(f"M{joint:.1f} {y + BAR} v{ROW - BAR}", stroke=LINE)
    return drawing


def _whisker(part: Drawing, bar: Bar, end: float, y: float, axis: Axis) -> float:
    """As far to either side of the bar's end as 95 % of repeated runs would end; gives back how far it reaches."""
    if not bar.error or axis.highest == axis.lowest:
        return 0.0
    reach = AXIS * NINETY_FIVE * bar.error / (axis.highest - axis.lowest)
    part.path(f"M{end - reach:.1f} {y + BAR / 2} h{2 * reach:.1f} m0 -3 v6 m{-2 * reach:.1f} 0 v-6", stroke=INK)
    return reach


def _data(bar: Bar) -> Data:
    return {"value": bar.value} if bar.error is None else {"value": bar.value, "error": bar.error}
