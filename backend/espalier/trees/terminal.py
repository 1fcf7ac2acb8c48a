"""A tree for the terminal: drawn from the top down over its words where the window is wide enough, else an outline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from espalier.text import Passage
from espalier.trees.tree import SpanTree

LABEL_STYLE = "cyan"
WORD_STYLE = "bold"
LINE_STYLE = "dim"
GAP = 2
"""Empty cells between neighbours."""

Row = list[tuple[int, Text]]
"""Cell at which a text begins, and the text."""


@dataclass(frozen=True, slots=True)
class TreeDrawing:
    """A rich renderable: every node of the tree by its title, and the words below.

    The sentences of a text are drawn below one another, each as wide as it needs.
    """

    tree: SpanTree
    titles: Sequence[Text]
    words: Sequence[Text]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        root = self.tree.nodes[0]
        sentences = root.children if root.labels == ("TEXT",) else (0,)
        for number, top in enumerate(sentences):
            if number:
                yield Text()
            picture = _Picture(self, top)
            if picture.width <= options.max_width:
                yield from picture.lines()
            else:
                yield from self._outline(top, options.max_width)

    def _outline(self, top: int, width: int) -> Iterator[Text]:
        """A line for each node, indented by its depth. (rich's own Tree drops what no longer fits, silently.)"""
        waiting = [(top, "", "")]
        while waiting:
            position, branch, below = waiting.pop()
            entry = self._entry(position)
            # A branch deeper than the window is wide keeps its right end: no word is ever left out.
            room = max(0, width - entry.cell_len)
            yield Text(branch[max(0, len(branch) - room) :], style=LINE_STYLE).append_text(entry)
            children = self.tree.nodes[position].children
            for child in reversed(children):
                last = child == children[-1]
                waiting.append((child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")))

    def _entry(self, position: int) -> Text:
        node, title = self.tree.nodes[position], self.titles[position] or Text("·", style=LINE_STYLE)
        return Text.assemble(title, " ", self.words[node.start]) if node.is_leaf else title


def draw(tree: SpanTree, passage: Passage) -> TreeDrawing:
    """Something rich can print: `Console().print(draw(tree, passage))`."""
    titles = [Text(node.label, style=LABEL_STYLE) for node in tree.nodes]
    return TreeDrawing(tree, titles, [Text(word.text, style=WORD_STYLE) for word in passage.words])


class _Picture:
    """The subtree of one node on a grid: titles two rows apart, connectors between them, the words on the last row."""

    def __init__(self, drawing: TreeDrawing, top: int) -> None:
        self.tree = drawing.tree
        self.titles = drawing.titles
        self.words = drawing.words
        self.top = self.tree.nodes[top]
        self.positions = [
            index
            for index, node in enumerate(self.tree.nodes)
            if self.top.start <= node.start and node.end <= self.top.end and index >= top
        ]
        columns = self._columns()
        self.width = columns[-1] - GAP
        self.centres = self._centres(columns)
        self.height = 2 * self.tree.depths[top]

    def _columns(self) -> list[int]:
        """Where each word's column begins, and where the last ends; a long title widens the last column under it."""
        first = self.top.start
        widths = [0] * (self.top.end - first)
        for position in reversed(self.positions):
            node = self.tree.nodes[position]
            needed = self.titles[position].cell_len
            if node.is_leaf:
                needed = max(needed, self.words[node.start].cell_len)
            inside = slice(node.start - first, node.end - first)
            widths[node.end - 1 - first] += max(0, needed + GAP - sum(widths[inside]))
        edges = [0]
        for width in widths:
            edges.append(edges[-1] + width)
        return edges

    def _centres(self, columns: list[int]) -> dict[int, int]:
        centres: dict[int, int] = {}
        for position in reversed(self.positions):
            node = self.tree.nodes[position]
            if node.is_leaf:
                left, right = columns[node.start - self.top.start], columns[node.end - self.top.start] - GAP
                centres[position] = (left + right - 1) // 2
            else:
                centres[position] = (centres[node.children[0]] + centres[node.children[-1]]) // 2
        return centres

    def _row(self, position: int) -> int:
        return self.height - 2 * self.tree.depths[position]

    def lines(self) -> list[Text]:
        rows: list[Row] = [[] for _ in range(self.height)]
        for position in self.positions:
            node, centre, row = self.tree.nodes[position], self.centres[position], self._row(position)
            rows[row].append(_centred(self.titles[position] or Text("│", style=LINE_STYLE), centre))
            if node.is_leaf:
                rows[row + 1].append(_centred(self.words[node.start], centre))
                continue
            places = [self.centres[child] for child in node.children]
            rows[row + 1].append((places[0], Text(_branches(places, centre), style=LINE_STYLE)))
            for child, place in zip(node.children, places, strict=True):
                for between in range(row + 2, self._row(child)):
                    rows[between].append((place, Text("│", style=LINE_STYLE)))
        return [_line(row) for row in rows]


def _centred(text: Text, centre: int) -> tuple[int, Text]:
    return max(0, centre - (text.cell_len - 1) // 2), text


def _branches(places: list[int], centre: int) -> str:
    line = ["─"] * (places[-1] - places[0] + 1)
    for place in places:
        line[place - places[0]] = "┬"
    line[0], line[-1] = "┌", "┐"
    meeting = centre - places[0]
    line[meeting] = {"─": "┴", "┬": "┼", "┌": "├", "┐": "┤"}[line[meeting]]
    return "".join(line)


def _line(row: Row) -> Text:
    line = Text(no_wrap=True)
    cells = 0
    for start, text in sorted(row, key=itemgetter(0)):
        gap = max(0, start - cells)
        line.append(" " * gap).append_text(text)
        cells += gap + text.cell_len
    return line
