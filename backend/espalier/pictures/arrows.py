"""The graph in the terminal: what a word adds without another one and with it, and all arrows as a matrix (ASIV)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.pictures.colour import ColourScale
from espalier.pictures.wording import ROUNDING, Numbers, phrase, shortened

MOST_ARROWS = 10
MOST_RANKS = 5
LONGEST_NAME = 24
SIGNS = {1: "+", 0: "·", -1: "−"}


class Arrow(NamedTuple):
    """j -> i by their nodes: what i adds in the same places without j and with it, and the standard errors of these."""

    given: int
    adds: int
    absent: float
    present: float
    errors: tuple[float | None, float | None, float | None]

    @property
    def synergy(self) -> float:
        """ASIV: the same in both directions."""
        return self.present - self.absent


def arrow(result: AsivResult, given: int, adds: int) -> Arrow:
    found = result.standard_errors
    errors = (found.absent, found.present, found.synergy) if found else ()
    absent, present, synergy = (matrix[given][adds] for matrix in errors) if errors else (None, None, None)
    return Arrow(given, adds, result.absent[given][adds], result.present[given][adds], (absent, present, synergy))


def telling_arrows(result: AsivResult, most: int = MOST_ARROWS) -> list[Arrow]:
    """One arrow for each pair that has a synergy, the largest first; a pair that was asked for before all others.

    Of a pair's two arrows the one that tells more: whose sign the other word turns, or else which is larger without it.
    """
    asked = set(result.pair or ())
    rounding = ROUNDING * max(abs(value) for row in result.present for value in row)
    pairs = [
        (j, i)
        for j in range(len(result.nodes))
        for i in range(j)
        if {j, i} == asked or abs(result.synergy[j][i]) > rounding
    ]
    pairs.sort(key=lambda pair: (set(pair) != asked, -abs(result.synergy[pair[0]][pair[1]])))
    return [
        max(
            (arrow(result, i, j), arrow(result, j, i)),
            key=lambda each: (each.absent * each.present < 0, abs(each.absent)),
        )
        for j, i in pairs[:most]
    ]


def node_names(explanation: Explanation[Any]) -> list[str]:
    return [phrase(explanation, start, end) for start, end in explanation.result.nodes]


def draw_arrows(explanation: Explanation[Any]) -> RenderableType:
    result: AsivResult = explanation.result
    names = node_names(explanation)
    line, scale = Text(), ColourScale.over(result.values)
    for name, value in zip(names, result.values, strict=True):
        line.append(name, style=scale.style(value)).append(" ")
    arrows = telling_arrows(result)
    listed = _listed(arrows, names) if arrows else Text("no arrows: nothing changes what another adds", style="dim")
    return Group(line, Text(), listed, Text(), MatrixDrawing(result, names), Text(ranks(result, names)))


def _listed(arrows: list[Arrow], names: list[str]) -> Table:
    written = [number for each in arrows for number in (each.absent, each.present)]
    scale, numbers = ColourScale.over(written), Numbers.like(written)
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in range(4):
        table.add_column(no_wrap=column > 0)
    table.add_row("", *(Text(heading, style="dim") for heading in ("without", "with", "synergy, both ways")))
    for each in arrows:
        row = (each.absent, each.present, each.synergy)
        cells = [
            Text.assemble(
                (f" {numbers.signed(value)} ", scale.style(value) if column < 2 else ""), (numbers.error(error), "dim")
            )
            for column, (value, error) in enumerate(zip(row, each.errors, strict=True))
        ]
        given, adds = (shortened(names[node], LONGEST_NAME) for node in (each.given, each.adds))
        table.add_row(Text(f"{given} → {adds}"), *cells)
    return table


def ranks(result: AsivResult, names: list[str]) -> str:
    """The nodes that the arrows lead to."""
    order = sorted(range(len(names)), key=lambda node: -result.pagerank[node])[:MOST_RANKS]
    ranked = ", ".join(f"{shortened(names[node], LONGEST_NAME)} {result.pagerank[node]:.2f}" for node in order)
    return f"PageRank, negative arrows left out: {ranked}"


@dataclass(frozen=True, slots=True)
class MatrixDrawing:
    """What the word of a column adds once the word of its row is there: with numbers where they fit, else with signs.
    Nothing in a window too narrow for either."""

    result: AsivResult
    names: list[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        size = len(self.names)
        values = [self.result.present[j][i] for j in range(size) for i in range(size) if i != j]
        scale, numbers = ColourScale.over(values), Numbers.like(values)
        labels = [Text(f"{shortened(name, LONGEST_NAME)} {node}") for node, name in enumerate(self.names)]
        room = max(label.cell_len for label in labels)
        widest = max(len(numbers.signed(value)) for value in values) + 1
        width = next((width for width in (widest, 3) if room + 1 + size * width <= options.max_width), None)
        if width is None:
            return
        yield Text("what each adds (columns) once another is there (rows)", style="dim")
        yield Text(" " * (room + 1) + "".join(f"{node:>{width}}" for node in range(size)), style="dim")
        for j, label in enumerate(labels):
            label.align("right", room)
            line = Text.assemble(label, " ", no_wrap=True)
            for i in range(size):
                value = self.result.present[j][i]
                sign = SIGNS[0 if numbers.is_zero(value) else 1 if value > 0 else -1]
                written = "" if i == j else numbers.signed(value) if width == widest else f"{sign} "
                line.append(f"{written:>{width}}", style="" if i == j else scale.style(value))
            yield line
        yield Text()
