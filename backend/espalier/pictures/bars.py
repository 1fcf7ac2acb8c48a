"""One bar for each word in the terminal, from the value of the empty text to that of the whole one."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from espalier.explain.contextual_decomposition import ContextualDecompositionResult
from espalier.explain.explanation import Explanation
from espalier.explain.word_scores import WordScores
from espalier.pictures.colour import ColourScale, side_style
from espalier.pictures.wording import Numbers, names, phrase, shortened

LONGEST_NAME = 32
NARROWEST_BAR, WIDEST_BAR = 10, 60
MOST_BARS = 60
"""A longer text shows the bars of this many strongest words; its heat map shows all."""

ADDS_UP = 0.01
"""Values that miss the prediction by more than this share of the picture are drawn from zero, not end to end."""


class Bar(NamedTuple):
    """From `start` to `end` on the picture's axis. A total has no length: it marks where the bars begin and end."""

    name: str
    start: float
    end: float
    value: float
    error: float | None = None
    is_total: bool = False

    @classmethod
    def from_zero(cls, name: str, value: float, error: float | None = None) -> "Bar":
        return cls(name, 0.0, value, value, error)

    @classmethod
    def total(cls, name: str, value: float) -> "Bar":
        return cls(name, value, value, value, is_total=True)

    def written(self, numbers: Numbers) -> str:
        return numbers.plain(self.value) if self.is_total else numbers.signed(self.value)


def adds_up(result: WordScores) -> bool:
    """Whether the bars lead from the empty text's value to the whole text's."""
    running = list(accumulate(result.values, initial=result.base))
    spread = max(*running, result.full) - min(*running, result.full)
    return abs(running[-1] - result.full) <= ADDS_UP * spread


def errors_of(result: WordScores) -> Sequence[float | None]:
    """None for each value that is exact or has no error."""
    none = [None] * len(result.values)
    return none if result.exact else result.standard_errors or none


def word_bars(explanation: Explanation[Any]) -> list[Bar]:
    """The bars of a result, in reading order: each where the one before ended if they add up, else all from zero."""
    result: WordScores = explanation.result
    called, errors = names(explanation), errors_of(result)
    if not adds_up(result):
        return [Bar.from_zero(*row) for row in zip(called, result.values, errors, strict=True)]
    edges = pairwise(accumulate(result.values, initial=result.base))
    rows = zip(called, edges, result.values, errors, strict=True)
    return [
        Bar.total(f"no {explanation.player_kind}", result.base),
        *(Bar(name, start, end, value, error) for name, (start, end), value, error in rows),
        Bar.total("whole text", result.full),
    ]


def strongest(bars: Sequence[Bar], most: int) -> list[Bar]:
    """The longest bars, all from zero: a chain with gaps would lead nowhere."""
    ranked = sorted((bar for bar in bars if not bar.is_total), key=lambda bar: -abs(bar.value))
    kept = {id(bar) for bar in ranked[:most]}
    return [Bar.from_zero(bar.name, bar.value, bar.error) for bar in bars if id(bar) in kept]


def numbers_of(bars: Sequence[Bar]) -> Numbers:
    return Numbers.like(bar.value for bar in bars if not bar.is_total)


@dataclass(frozen=True, slots=True)
class Axis:
    """From the lowest to the highest place a bar touches, zero among them if a bar begins there."""

    lowest: float
    highest: float

    @classmethod
    def under(cls, bars: Sequence[Bar]) -> "Axis":
        places = [place for bar in bars for place in (bar.start, bar.end)]
        return cls(min(places), max(places))

    def share(self, place: float) -> float:
        """0 at the lowest place, 1 at the highest."""
        return (place - self.lowest) / (self.highest - self.lowest) if self.highest > self.lowest else 0.0


@dataclass(frozen=True, slots=True)
class BarDrawing:
    """Bars on one axis, half a cell exact."""

    bars: Sequence[Bar]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        numbers, axis = numbers_of(self.bars), Axis.under(self.bars)
        labels = [Text(shortened(bar.name, LONGEST_NAME)) for bar in self.bars]
        notes = [(bar.written(numbers), numbers.error(bar.error)) for bar in self.bars]
        room, signs = max(label.cell_len for label in labels), max(len(number) for number, _ in notes)
        used = room + signs + max(len(error) for _, error in notes) + 4
        width = max(NARROWEST_BAR, min(WIDEST_BAR, options.max_width - used))
        for label, bar, (number, error) in zip(labels, self.bars, notes, strict=True):
            label.align("right", room)
            start, end = sorted(round(axis.share(place) * (2 * width - 1)) for place in (bar.start, bar.end))
            style = Style(bold=True) if bar.is_total else side_style(bar.value)
            if not bar.is_total and numbers.is_zero(bar.value):
                style = Style(dim=True)
            line = Text.assemble(label, "  ", no_wrap=True)
            line.append_text(_cells(start, end, width, "▏▕" if bar.is_total else "▌▐", style))
            yield line.append(f"  {number:>{signs}}", style="bold").append(error, style="dim")


def _cells(start: int, end: int, width: int, halves: str, style: Style) -> Text:
    """A bar from one half cell up to another, at least half a cell long."""
    end = max(end, start + 1)
    cells = []
    for cell in range(width):
        left, right = start <= 2 * cell < end, start <= 2 * cell + 1 < end
        cells.append("█" if left and right else halves[0] if left else halves[1] if right else " ")
    return Text("".join(cells), style=style)


def heat_map(explanation: Explanation[Any], values: Sequence[float]) -> Text:
    """The text itself, each player on the colour of its value."""
    scale = ColourScale.over(values)
    text = Text()
    for name, value in zip(names(explanation), values, strict=True):
        text.append(name, style=scale.style(value)).append(" ")
    return text


def draw_bars(explanation: Explanation[Any]) -> RenderableType:
    result: WordScores = explanation.result
    bars = word_bars(explanation)
    parts: list[RenderableType] = [heat_map(explanation, result.values), Text()]
    if len(result.values) > MOST_BARS:
        bars = strongest(bars, MOST_BARS)
        parts.append(Text(f"the {MOST_BARS} strongest of {len(result.values)} {explanation.player_kind}", style="dim"))
    parts.append(BarDrawing(bars))
    if not adds_up(result):
        parts.append(Text(apart(explanation), style="dim"))
    if isinstance(result, ContextualDecompositionResult) and result.phrases:
        parts += [Text(), BarDrawing(phrase_bars(explanation))]
    return Group(*parts)


def apart(explanation: Explanation[Any]) -> str:
    """The two ends, where the values do not lead from one to the other."""
    result: WordScores = explanation.result
    numbers = Numbers.like(result.values)
    ends = f"no {explanation.player_kind} {numbers.plain(result.base)}, whole text {numbers.plain(result.full)}"
    return f"{ends}; the values need not sum to the difference"


def phrase_bars(explanation: Explanation[Any]) -> list[Bar]:
    """The phrases of a contextual decomposition, on an axis of their own."""
    return [
        Bar.from_zero(phrase(explanation, part.start, part.end), part.relevance) for part in explanation.result.phrases
    ]
