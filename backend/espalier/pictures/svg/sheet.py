"""What pictures of several panels share: their sizes and colours, the legend above, and the page around them."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

from espalier.pictures.svg.marks import PAPER, Drawing, text_width

SERIES = ("#542788", "#b35806", "#00796b", "#1565c0", "#ad1457", "#5d7000", "#6d4c41", "#37474f")
"""One for each model, or way, as the Lab's curves have them; a ninth begins again."""

MARGIN, PLOT = 28, 420
TITLE, WORD, SMALL = 17, 13, 11.5


def colours_of(names: list[str]) -> dict[str, str]:
    return {name: SERIES[index % len(SERIES)] for index, name in enumerate(names)}


def legend(page: Drawing, colours: Mapping[str, str], y: float) -> None:
    x = float(MARGIN)
    for name, colour in colours.items():
        page.rectangle(x, y - 9, 10, 10, colour, radius=5)
        page.text(x + 15, y, name, size=WORD)
        x += 15 + text_width(name, WORD) + 18


def document(page: Drawing, height: float, said: str) -> str:
    width = round(page.width + MARGIN, 1)
    size = {"viewBox": f"0 0 {width} {round(height, 1)}", "width": str(width), "height": str(round(height, 1))}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img", "aria-label": said})
    SubElement(root, "title").text = said
    SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": PAPER})
    root.append(page.root)
    return tostring(root, encoding="unicode")
