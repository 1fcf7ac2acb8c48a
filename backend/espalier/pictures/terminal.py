"""An explanation in the terminal: the finding in words, the picture, the colours, and where the numbers come from."""

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

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
from espalier.pictures.arrows import draw_arrows
from espalier.pictures.bars import draw_bars
from espalier.pictures.colour import ColourScale
from espalier.pictures.islands import draw_islands
from espalier.pictures.ladder import draw_ladder
from espalier.pictures.levels import draw_levels
from espalier.pictures.tree import draw_tree

PICTURES: dict[type, Callable[[Explanation[Any]], RenderableType]] = {
    ArchipelagoResult: draw_islands,
    AsivResult: draw_arrows,
    PublishedResult: draw_arrows,
    LSTreeResult: draw_tree,
    LadderResult: draw_ladder,
    MaheResult: draw_levels,
}
"""Methods with pictures of their own. Every other result is drawn from its reading."""


def draw(explanation: Explanation[Any]) -> RenderableType:
    """Something rich can print: `Console().print(draw(explanation))`."""
    result = explanation.result
    picture = next((drawn for kind, drawn in PICTURES.items() if isinstance(result, kind)), draw_bars)
    return Group(
        Text(finding(explanation) or "", style="bold"),
        Text(subject(explanation), style="dim"),
        Text(),
        picture(explanation),
        Text(),
        legend(explanation),
        Text(provenance(explanation), style="dim"),
    )


def legend(explanation: Explanation[Any]) -> Text:
    target = printable(explanation.target_class)
    scale = ColourScale(5)
    colours = [(" ", scale.style(step)) for step in range(-5, 6)]
    return Text.assemble((f"against {target} − ", "dim"), *colours, (f" + for {target}", "dim"))
