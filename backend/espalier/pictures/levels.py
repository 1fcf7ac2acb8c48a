"""Levels of an explanation in the terminal: how much single words explain, and each interaction more (MAHE)."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from espalier.explain.explanation import Explanation
from espalier.explain.mahe.method import MaheLevel, MaheResult, MaheTerm
from espalier.findings.wording import KINDS, Numbers, group, names
from espalier.pictures.bars import Bar, BarDrawing
from espalier.pictures.colour import ColourScale, side_style

BAR_WIDTH = 20
R2 = Numbers(2)
HEADING = "R²: share of the model's answers around this text that a level explains"


def added_term(level: MaheLevel) -> MaheTerm | None:
    """The term of the interaction that is new at a level."""
    return next((term for term in level.terms if term.players == level.added), None)


def bar_share(level: MaheLevel) -> float:
    """How full a level's bar is: R² below zero explains nothing."""
    return max(0.0, min(1.0, level.r2_held_out))


def draw_levels(explanation: Explanation[Any]) -> RenderableType:
    result: MaheResult = explanation.result
    terms = [term for term in map(added_term, result.levels) if term is not None]
    scale, numbers = ColourScale.over(t.contribution for t in terms), Numbers.like(t.contribution for t in terms)
    table = Table.grid(padding=(0, 2, 0, 0))
    for gives_way in (False, False, True, False):
        table.add_column(no_wrap=not gives_way)
    for level in result.levels:
        term = added_term(level)
        filled = round(bar_share(level) * BAR_WIDTH)
        bar = Text.assemble(("█" * filled, side_style(1)), ("░" * (BAR_WIDTH - filled), "dim"))
        share = Text(R2.plain(level.r2_held_out)).append(R2.error(level.r2_standard_error), style="dim")
        if term is None:
            table.add_row(share, bar, Text(f"{KINDS[explanation.player_kind]}s alone"), "")
        else:
            name = Text(f"+ {group(explanation, term.players)}")
            chip = (f" {numbers.signed(term.contribution)} ", scale.style(term.contribution))
            error = (numbers.error(term.standard_error), "dim")
            table.add_row(share, bar, name, Text.assemble(chip, error))
    return Group(
        Text(HEADING, style="dim"),
        table,
        Text(),
        Text("linear part", style="dim"),
        BarDrawing(coefficient_bars(explanation)),
    )


def coefficient_bars(explanation: Explanation[Any]) -> list[Bar]:
    """The linear part, which all levels share."""
    result: MaheResult = explanation.result
    return [
        Bar.from_zero(*row) for row in zip(names(explanation), result.coefficients, result.standard_errors, strict=True)
    ]
