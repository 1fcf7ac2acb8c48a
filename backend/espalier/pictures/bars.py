"""One bar for each word in the terminal, from the value of the empty text to that of the whole one."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from espalier.explain.explanation import Explanation
from espalier.explain.reading import Reading, SpanScore
from espalier.findings.reading import adds_up, called
from espalier.findings.wording import Numbers, names, shortened
from espalier.pictures.colour import ColourScale, side_style

LONGEST_NAME = 32
NARROWEST_BAR, WIDEST_BAR = 10, 60
MOST_BARS = 60
"""A longer text shows the bars of this many strongest words; its heat map shows all."""

MOST_PAIRS = 20
NOTHING = "This method says nothing of words, phrases or pairs: its numbers are in the JSON."


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


def word_bars(explanation: Explanation[Any], reading: Reading) -> list[Bar]:
    """The bars of words, in reading order: each where the one before ended if they add up, else all from zero."""
    words = reading.words
    named = [called(explanation, word) for word in words]
    if reading.base is None or reading.full is None or not adds_up(reading):
        return [Bar.from_zero(name, word.score, word.whole_error) for name, word in zip(named, words, strict=True)]
    edges = pairwise(accumulate((word.score for word in words), initial=reading.base))
    return [
        Bar.total(f"no {explanation.player_kind}", reading.base),
        *(
            Bar(name, start, end, word.score, word.whole_error)
            for name, (start, end), word in zip(named, edges, words, strict=True)
        ),
        Bar.total("whole text", reading.full),
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
    """From the lowest to the highest place a bar or its whisker touches, zero among them if a bar begins there."""

    lowest: float
    highest: float

    @classmethod
    def under(cls, bars: Sequence[Bar], errors: float = 0.0) -> "Axis":
        """With room for whiskers of so many standard errors to either side."""
        reaches = [errors * (bar.error or 0.0) for bar in bars]
        ends = [(bar.end - reach, bar.end + reach) for bar, reach in zip(bars, reaches, strict=True)]
        places = [place for bar, around in zip(bars, ends, strict=True) for place in (bar.start, *around)]
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


def heat_map(explanation: Explanation[Any], words: Sequence[SpanScore]) -> Text:
    """The text itself, each word on the colour of its value."""
    scale = ColourScale.over(word.score for word in words)
    text = Text()
    for word in words:
        text.append(called(explanation, word), style=scale.style(word.score)).append(" ")
    return text


def draw_bars(explanation: Explanation[Any]) -> RenderableType:
    """Any result that has a reading: its words, phrases that are scored as wholes, and its strongest pairs."""
    reading = explanation.read()
    parts: list[RenderableType] = []
    if words := reading.words:
        bars = word_bars(explanation, reading)
        parts += [heat_map(explanation, words), Text()]
        if len(words) > MOST_BARS:
            bars = strongest(bars, MOST_BARS)
            parts.append(Text(f"the {MOST_BARS} strongest of {len(words)} {explanation.player_kind}", style="dim"))
        parts.append(BarDrawing(bars))
        if note := apart(explanation, reading):
            parts.append(Text(note, style="dim"))
    for more in (phrase_bars(explanation, reading), pair_bars(explanation, reading)):
        if more:
            parts += [*([Text()] if parts else []), BarDrawing(more)]
    return Group(*(parts or [Text(NOTHING, style="dim")]))


def apart(explanation: Explanation[Any], reading: Reading) -> str | None:
    """The two ends, where they are known and the values do not lead from one to the other."""
    if reading.base is None or reading.full is None or adds_up(reading):
        return None
    numbers = Numbers.like(word.score for word in reading.words)
    ends = f"no {explanation.player_kind} {numbers.plain(reading.base)}, whole text {numbers.plain(reading.full)}"
    return f"{ends}; the values need not sum to the difference"


def phrase_bars(explanation: Explanation[Any], reading: Reading) -> list[Bar]:
    """Phrases that are scored as wholes, on an axis of their own."""
    return [Bar.from_zero(called(explanation, part), part.score, part.whole_error) for part in reading.phrases]


def pair_bars(explanation: Explanation[Any], reading: Reading) -> list[Bar]:
    """The strongest pairs, on an axis of their own."""
    ranked = sorted(reading.pairs, key=lambda pair: -abs(pair.score))[:MOST_PAIRS]
    players = names(explanation)
    return [Bar.from_zero(f"{players[p.first]} × {players[p.second]}", p.score, p.whole_error) for p in ranked]
