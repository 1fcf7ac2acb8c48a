"""Islands in the terminal: words that interact, merged, with what each group says alone (Archipelago)."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from espalier.explain.archipelago import ArchipelagoResult
from espalier.explain.explanation import Explanation
from espalier.findings.wording import Numbers, group, names
from espalier.pictures.bars import Bar, BarDrawing
from espalier.pictures.colour import ColourScale

MOST_PAIRS = 8


def draw_islands(explanation: Explanation[Any]) -> RenderableType:
    return Group(BarDrawing(island_bars(explanation)), Text(), _pairs(explanation))


def island_bars(explanation: Explanation[Any]) -> list[Bar]:
    """Every island and what it says with all other words absent."""
    result: ArchipelagoResult = explanation.result
    return [Bar.from_zero(group(explanation, island.players), island.contribution) for island in result.islands]


def _pairs(explanation: Explanation[Any]) -> Table:
    """The strongest pairs: what they do together beyond what they do apart, in both contexts."""
    shown = explanation.result.pairs[:MOST_PAIRS]
    called = names(explanation)
    differences = [number for pair in shown for number in (pair.in_full_text, pair.alone)]
    scale, numbers = ColourScale.over(differences), Numbers.like(differences)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(
        Text("strongest pairs", style="dim"), Text("in the text", style="dim"), Text("by themselves", style="dim")
    )
    for pair in shown:
        first, second = pair.players
        table.add_row(
            Text(f"{called[first]} × {called[second]}"),
            *(Text(f" {numbers.signed(x)} ", style=scale.style(x)) for x in (pair.in_full_text, pair.alone)),
        )
    return table
