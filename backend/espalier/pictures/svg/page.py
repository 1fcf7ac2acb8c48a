"""The page around a picture: the finding above, colours and provenance below."""

from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from espalier.explain.archipelago import ArchipelagoResult
from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.explain.graph.published import PublishedResult
from espalier.explain.ladder import LadderResult
from espalier.explain.ls_tree import LSTreeResult
from espalier.explain.mahe.method import MaheResult
from espalier.findings.finding import finding
from espalier.findings.provenance import provenance, subject
from espalier.findings.wording import printable
from espalier.pictures.colour import STOPS
from espalier.pictures.svg.arcs import draw_arcs
from espalier.pictures.svg.bars import draw_bars
from espalier.pictures.svg.islands import draw_islands
from espalier.pictures.svg.ladder import draw_ladder
from espalier.pictures.svg.levels import draw_levels
from espalier.pictures.svg.marks import LINE, PAPER, QUIET, SERIF, Drawing, text_width
from espalier.pictures.svg.tree import draw_tree

MARGIN = 28
NARROWEST = 620
HEADLINE = 19
SMALL = 11.5

PICTURES: dict[type, Callable[[Explanation[Any]], Drawing]] = {
    ArchipelagoResult: draw_islands,
    AsivResult: draw_arcs,
    PublishedResult: draw_arcs,
    LSTreeResult: draw_tree,
    LadderResult: draw_ladder,
    MaheResult: draw_levels,
}


def svg(explanation: Explanation[Any]) -> str:
    """The picture as one SVG document."""
    result = explanation.result
    draw = next((drawn for kind, drawn in PICTURES.items() if isinstance(result, kind)), draw_bars)
    picture = draw(explanation)
    width = max(picture.width, NARROWEST)
    page = Drawing()
    y = float(MARGIN)
    page.text(MARGIN, y + SMALL, subject(explanation), size=SMALL, fill=QUIET)
    y += 2.4 * SMALL
    headline = finding(explanation) or explanation.method
    for line in wrapped(headline, width, HEADLINE):
        y += 1.3 * HEADLINE
        page.text(MARGIN, y, line, size=HEADLINE, family=SERIF)
    y += HEADLINE
    page.place(picture, MARGIN, y)
    y += picture.height + 18
    page.path(f"M{MARGIN} {y} h{width}", stroke=LINE)
    y += 22
    _legend(page, MARGIN, y, printable(explanation.target_class))
    for line in wrapped(provenance(explanation), width, SMALL):
        y += 1.6 * SMALL
        page.text(MARGIN, y, line, size=SMALL, fill=QUIET)
    return _document(explanation, page, width + 2 * MARGIN, y + MARGIN, headline)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines that are about as wide as there is room."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _legend(page: Drawing, x: float, y: float, target: str) -> None:
    before, after = f"against {target} −", f"+ for {target}"
    page.text(x, y, before, size=SMALL, fill=QUIET)
    x += text_width(before, SMALL) + 8
    for step, colour in enumerate(STOPS):
        page.rectangle(x + 12 * step, y - 9, 12, 10, colour.hex, radius=0)
    page.text(x + 12 * len(STOPS) + 8, y, after, size=SMALL, fill=QUIET)


def _document(explanation: Explanation[Any], page: Drawing, width: float, height: float, headline: str) -> str:
    width, height = round(width, 1), round(height, 1)
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": str(width),
            "height": str(height),
            "role": "img",
            "aria-label": headline,
            "data-method": explanation.method,
        },
    )
    SubElement(root, "title").text = headline
    SubElement(root, "desc").text = f"{printable(explanation.text)} {provenance(explanation)}"
    SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": PAPER})
    root.append(page.root)
    return tostring(root, encoding="unicode")
