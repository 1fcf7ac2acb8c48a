"""MAHE's Figure 3a, drawn from what was measured."""

from espalier.lab.interactions.base_models import Base
from espalier.lab.interactions.synthetic_fit import FittedFunction, SyntheticFit
from espalier.pictures.svg.functions import Dot, Panel, svg_of_functions
from espalier.statistics.documents import MeanInterval

TITLES: dict[Base, str] = {
    "function": "The function itself",
    "trees": "Boosted trees",
    "mlp": "Multilayer perceptron",
    "lstm": "LSTM",
}


def figure_3a(found: SyntheticFit) -> str:
    """A panel for each kind of model that was asked."""
    panels = [
        Panel(title, [(each.function, _dots(each)) for each in found.fitted if each.base == base])
        for base, title in TITLES.items()
    ]
    said = (
        f"Squared error of the interaction through its variance (1: none is said); {found.trials} x {found.points} "
        "points, 95 % bootstrap intervals"
    )
    return svg_of_functions([panel for panel in panels if panel.rows], said)


def _dots(fitted: FittedFunction) -> list[Dot]:
    ways = (("MAHE", fitted.mahe), ("products of inputs", fitted.products), ("the model itself", fitted.known))
    return [dot for way, interval in ways if (dot := _dot(way, interval)) is not None]


def _dot(way: str, interval: MeanInterval) -> Dot | None:
    return None if interval.mean is None else Dot(way, interval.mean, interval.low, interval.high)
