"""What SVG pictures are made of: rectangles, texts, paths and chips, with the numbers they stand for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, SubElement

from rich.cells import cell_len

from espalier.pictures.colour import Colour
from espalier.shared import APPEARANCE

SANS = "Inter, 'Helvetica Neue', Arial, sans-serif"
SERIF = "Georgia, 'Times New Roman', serif"
_PAPER: dict[str, str] = APPEARANCE["colour"]["paper"]
PAPER, INK, QUIET, LINE = (_PAPER[name] for name in ("paper", "ink", "quiet", "line"))

Data = Mapping[str, float | int | str]

# Widths of characters in ems, as in a wide face: which font there will be is unknown, and boxes must be wide enough.
_NARROW, _WIDE, _PLAIN, _CAPITAL, _FULL = 0.37, 0.95, 0.63, 0.74, 1.1


def text_width(text: str, size: float) -> float:
    """About how wide a text is."""
    return size * sum(_em(character) for character in text)


def _em(character: str) -> float:
    if character in "iIjltfr.,:;'|!()[]-‘’ ":
        return _NARROW
    if character in "mwMW—…%":
        return _WIDE
    cells = cell_len(character)
    if cells != 1:
        return _FULL * cells / 2
    return _CAPITAL if character.isupper() else _PLAIN


@dataclass
class Drawing:
    """Marks on a surface that grows with them. Texts are escaped by the XML writer, never by hand."""

    root: Element = field(default_factory=lambda: Element("g"))
    width: float = 0.0
    height: float = 0.0

    def group(self, kind: str, data: Data, title: str) -> "Drawing":
        """Marks that stand for one thing: what kind, its numbers, and what a pointer or a screen reader is told."""
        inside = SubElement(
            self.root, "g", {"class": kind, **{f"data-{name}": _written(v) for name, v in data.items()}}
        )
        SubElement(inside, "title").text = title
        return _Part(inside, self)

    def grow(self, right: float, bottom: float) -> None:
        self.width, self.height = max(self.width, right), max(self.height, bottom)

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        *,
        radius: float = 4,
        stroke: str = "none",
        line: float = 0.6,
    ) -> None:
        rectangle = self._add("rect", x=x, y=y, width=max(width, 0.0), height=height, rx=radius, fill=fill)
        if stroke != "none":
            rectangle.set("stroke", stroke)
            rectangle.set("stroke-width", _written(line))
        self.grow(x + width, y + height)

    def text(
        self,
        x: float,
        y: float,
        content: str,
        *,
        size: float = 13,
        fill: str = INK,
        anchor: str = "start",
        weight: int = 400,
        family: str = SANS,
    ) -> None:
        """`y` is the baseline."""
        text = self._add("text", x=x, y=y, fill=fill, font_size=size, font_family=family)
        if anchor != "start":
            text.set("text-anchor", anchor)
        if weight != 400:
            text.set("font-weight", str(weight))
        text.text = content
        share = {"start": 1.0, "middle": 0.5, "end": 0.0}[anchor]
        self.grow(x + share * text_width(content, size), y + 0.3 * size)

    def path(
        self, course: str, *, stroke: str = LINE, width: float = 1.0, fill: str = "none", opacity: float = 1
    ) -> None:
        path = self._add("path", d=course, stroke=stroke, stroke_width=width, fill=fill)
        if opacity != 1:
            path.set("opacity", _written(opacity))

    def chip(
        self, x: float, y: float, width: float, height: float, content: str, fill: Colour, size: float = 13
    ) -> None:
        """A text in the middle of a coloured block, with an edge that shows where the colour is pale."""
        self.rectangle(x, y, width, height, fill.hex, stroke=LINE)
        middle, baseline = x + width / 2, y + height / 2 + 0.36 * size
        self.text(middle, baseline, content, size=size, fill=fill.ink.hex, anchor="middle")

    def place(self, other: "Drawing", x: float, y: float) -> None:
        """Another drawing, moved here."""
        other.root.set("transform", f"translate({_written(x)} {_written(y)})")
        self.root.append(other.root)
        self.grow(x + other.width, y + other.height)

    def _add(self, tag: str, **attributes: float | str) -> Element:
        placed = {name: value if isinstance(value, str) else round(value, 2) for name, value in attributes.items()}
        return SubElement(self.root, tag, {name.replace("_", "-"): _written(value) for name, value in placed.items()})


class _Part(Drawing):
    """A group inside a drawing: what grows it grows the whole."""

    def __init__(self, root: Element, whole: Drawing) -> None:
        super().__init__(root)
        self._whole = whole

    def grow(self, right: float, bottom: float) -> None:
        super().grow(right, bottom)
        self._whole.grow(right, bottom)


def _written(value: float | int | str) -> str:
    return value if isinstance(value, str) else repr(value)
