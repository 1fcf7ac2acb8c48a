"""The graph in the terminal: the arrows that tell most in numbers, and all of them as a matrix (ASIV)."""

from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from espalier.explain.explanation import Explanation
from espalier.findings.graph import LONGEST_NAME, Graph, graph_of
from espalier.findings.wording import Numbers, shortened
from espalier.pictures.colour import ColourScale

NARROW_CELL = 3


def draw_arrows(explanation: Explanation[Any]) -> RenderableType:
    graph = graph_of(explanation)
    line, scale = Text(), ColourScale.over(graph.values)
    for name, value in zip(graph.nodes, graph.values, strict=True):
        line.append(name, style=scale.style(value)).append(" ")
    none = Text("no arrows: nothing changes what another adds", style="dim")
    listed = _listed(graph) if graph.arrows else none
    return Group(line, Text(), listed, Text(), MatrixDrawing(graph), Text(graph.ranks()))


def _listed(graph: Graph) -> Table:
    written = [number for arrow in graph.arrows for number in arrow.numbers.values()]
    scale, numbers = ColourScale.over(written), Numbers.like(written)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    for _ in graph.headings:
        table.add_column(no_wrap=True)
    table.add_row("", *(Text(f" {heading}", style="dim") for heading in graph.headings.values()))
    for arrow in graph.arrows:
        given, adds = (shortened(graph.nodes[node], LONGEST_NAME) for node in (arrow.given, arrow.adds))
        cells = [
            Text.assemble(
                (f" {numbers.signed(arrow.numbers[name])} ", scale.style(arrow.numbers[name])),
                (numbers.error(arrow.errors[name]), "dim"),
            )
            for name in graph.headings
        ]
        table.add_row(Text(f"{given} → {adds}"), *cells)
    return table


@dataclass(frozen=True, slots=True)
class MatrixDrawing:
    """All arrows, from rows to columns: with numbers where they fit, else with signs. Nothing in a window too narrow
    for either."""

    graph: Graph

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        matrix, size = self.graph.matrix, len(self.graph.nodes)
        values = [matrix[j][i] for j in range(size) for i in range(size) if i != j]
        scale, numbers = ColourScale.over(values), Numbers.like(values)
        labels = [Text(f"{shortened(name, LONGEST_NAME)} {node}") for node, name in enumerate(self.graph.nodes)]
        room = max(label.cell_len for label in labels)
        widest = max(len(numbers.signed(value)) for value in values) + 1
        width = next((width for width in (widest, NARROW_CELL) if room + 1 + size * width <= options.max_width), None)
        if width is None:
            return
        yield Text(self.graph.reads, style="dim")
        yield Text(" " * (room + 1) + "".join(f"{node:>{width}}" for node in range(size)), style="dim")
        for j, label in enumerate(labels):
            label.align("right", room)
            line = Text.assemble(label, " ", no_wrap=True)
            for i, value in enumerate(matrix[j]):
                if i == j:
                    line.append(" " * width)
                else:
                    written = numbers.signed(value) if width == widest else f"{_sign(value, numbers)} "
                    line.append(f"{written:>{width}}", style=scale.style(value))
            yield line
        yield Text()


def _sign(value: float, numbers: Numbers) -> str:
    return "·" if numbers.is_zero(value) else numbers.signed(value)[0]
