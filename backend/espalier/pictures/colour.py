"""One diverging scale for all pictures: orange speaks against the class, purple for it, pale says little.

The stops are ColorBrewer's PuOr, which keeps its two sides apart for every common kind of colour blindness. The domain
is symmetric, so that the palest colour is zero, and the text on a colour is black or white, whichever reads better.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rich.color import Color
from rich.style import Style

from espalier.shared import APPEARANCE


class Colour(NamedTuple):
    """Red, green and blue from 0 to 255."""

    red: int
    green: int
    blue: int

    @classmethod
    def of(cls, code: str) -> "Colour":
        """From #rrggbb."""
        return cls(*bytes.fromhex(code.removeprefix("#")))

    @property
    def hex(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    @property
    def luminance(self) -> float:
        """Relative luminance as the Web Content Accessibility Guidelines define it."""
        channels = [channel / 255 for channel in self]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(self, other: "Colour") -> float:
        """From 1, the same, to 21, black on white."""
        darker, lighter = sorted((self.luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)

    @property
    def ink(self) -> "Colour":
        """The colour to write in on this one."""
        return max(BLACK, WHITE, key=self.contrast)


BLACK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)

STOPS = tuple(Colour.of(code) for code in APPEARANCE["colour"]["stops"]["light"])
AGAINST, FOR = (Colour.of(APPEARANCE["colour"]["sides"]["any"][side]) for side in ("against", "towards"))
"""For bars and lines, whose length or width says how much: dark enough on white, light enough on black."""

NEXT_TO_ZERO = 0.04
"""Share of the limit up to which a block in the terminal stays without a colour."""


@dataclass(frozen=True, slots=True)
class ColourScale:
    """Colours from -limit to +limit; what lies beyond has the colour of the end."""

    limit: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "ColourScale":
        """The smallest symmetric domain that holds all values."""
        return cls(max((abs(value) for value in values), default=0.0))

    def fill(self, value: float) -> Colour:
        share = max(-1.0, min(1.0, value / self.limit)) if self.limit > 0 else 0.0
        place = (share + 1) / 2 * (len(STOPS) - 1)
        before = min(int(place), len(STOPS) - 2)
        part = place - before
        return Colour(*(int(a + (b - a) * part + 0.5) for a, b in zip(STOPS[before], STOPS[before + 1], strict=True)))

    def style(self, value: float) -> Style:
        """Background and text of a block in the terminal; none next to zero, where a dark window would make the palest
        colour the loudest."""
        if abs(value) <= NEXT_TO_ZERO * self.limit:
            return Style()
        fill = self.fill(value)
        return Style(color=_terminal(fill.ink), bgcolor=_terminal(fill))


def side(value: float) -> Colour:
    """The colour of a bar or line, by sign alone."""
    return FOR if value >= 0 else AGAINST


def side_style(value: float) -> Style:
    return Style(color=_terminal(side(value)))


def _terminal(colour: Colour) -> Color:
    return Color.from_rgb(*colour)
