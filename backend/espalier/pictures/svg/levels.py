"""Levels with the share each explains, the interaction each adds, and the linear part below (MAHE)."""

from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.mahe.method import MaheResult
from espalier.findings.wording import KINDS, Numbers, group, shortened
from espalier.pictures.colour import FOR, ColourScale
from espalier.pictures.levels import HEADING, R2, added_term, bar_share, coefficient_bars
from espalier.pictures.svg.bars import bar_rows
from espalier.pictures.svg.marks import LINE, QUIET, Drawing, text_width

ROW = 30
BAR = 14
AXIS = 220
WORD = 14
SMALL = 11.5
LONGEST_GROUP = 48


def draw_levels(explanation: Explanation[Any]) -> Drawing:
    result: MaheResult = explanation.result
    terms = [term for term in map(added_term, result.levels) if term is not None]
    scale, numbers = ColourScale.over(t.contribution for t in terms), Numbers.like(t.contribution for t in terms)
    drawing = Drawing()
    drawing.text(0, 10, HEADING, size=SMALL, fill=QUIET)
    labels = [f"{KINDS[explanation.player_kind]}s alone"]
    labels += [f"+ {shortened(group(explanation, term.players), LONGEST_GROUP)}" for term in terms]
    number_at = 90 + AXIS + 14 + max(text_width(label, WORD) for label in labels) + 16
    for row, (level, label) in enumerate(zip(result.levels, labels, strict=True)):
        y, term = 24 + row * ROW, added_term(level)
        data: dict[str, float | int | str] = {"level": row, "r2": level.r2_held_out}
        if term is not None:
            data |= {"value": term.contribution, "error": term.standard_error}
        written = f"{R2.plain(level.r2_held_out)}{R2.error(level.r2_standard_error)}"
        part = drawing.group("level", data, f"{label}: R² {written}")
        part.text(0, y + BAR - 2, written, size=SMALL)
        part.rectangle(90, y, AXIS, BAR, LINE, radius=BAR / 2)
        part.rectangle(90, y, AXIS * bar_share(level), BAR, FOR.hex, radius=BAR / 2)
        part.text(90 + AXIS + 14, y + BAR - 2, label, size=WORD)
        if term is not None:
            number = numbers.signed(term.contribution)
            width = text_width(number, WORD) + 14
            part.chip(number_at, y - 4, width, 22, number, scale.fill(term.contribution))
            error = numbers.error(term.standard_error)
            part.text(number_at + width + 4, y + BAR - 2, error, size=SMALL, fill=QUIET)
    drawing.text(0, drawing.height + 26, "linear part", size=SMALL, fill=QUIET)
    drawing.place(bar_rows(coefficient_bars(explanation)), 0, drawing.height + 14)
    return drawing
