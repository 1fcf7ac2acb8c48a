"""A ladder in the terminal: one row for each level, spans as blocks coloured by what they say alone (HEDGE, ACD)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from espalier.explain.explanation import Explanation
from espalier.explain.ladder import LadderResult, Level, Span
from espalier.findings.ladder import Speech
from espalier.findings.wording import names, percent, phrase
from espalier.pictures.colour import ColourScale

MOST_LEVELS = 40
MOST_RUNNING_LEVELS = 14
"""A ladder of more levels shows as many of its coarsest, where the phrases are, and the finest; fewer where every level
takes several lines."""


def new_spans(before: Level | None, level: Level) -> list[Span]:
    """The spans a level has and the one before it has not, in reading order; of many, the two that say most."""
    known = {(span.start, span.end) for span in before.spans} if before else set()
    new = [span for span in level.spans if (span.start, span.end) not in known]
    strongest = sorted(new, key=lambda span: -abs(span.contribution))[:2]
    return sorted(strongest, key=lambda span: span.start)


def doubt(level: Level) -> str:
    """How sure the step to a level is, where it may be another one."""
    return "" if level.step is None or level.step.certainty == 1 else f"  ({percent(level.step.certainty)} sure)"


def shown_levels(levels: Sequence[Level], most: int) -> list[int]:
    """All levels, or the coarsest and the finest of too many."""
    coarsest_first = sorted(range(len(levels)), key=lambda index: len(levels[index].spans))
    return sorted(coarsest_first if len(levels) <= most else (*coarsest_first[: most - 1], coarsest_first[-1]))


@dataclass(frozen=True, slots=True)
class LadderDrawing:
    """Words stay in their columns where the window is wide enough; else every level is running text."""

    explanation: Explanation[Any]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        result: LadderResult = self.explanation.result
        speech = Speech.of(self.explanation)
        label = len(str(len(result.levels))) + 2
        room = options.max_width - label
        starts = [0, *accumulate(Text(name).cell_len + 1 for name in names(self.explanation))]
        in_columns = starts[-1] <= room
        shown = shown_levels(result.levels, MOST_LEVELS if in_columns else MOST_RUNNING_LEVELS)
        notes = [self._beside(index, speech) for index in shown]
        beside = starts[-1] + max(note.cell_len for note in notes) < room
        table = Table.grid(padding=0)
        table.add_column(width=label)
        table.add_column()
        before = -1
        for index, note in zip(shown, notes, strict=True):
            if index > before + 1:
                table.add_row("", Text(f"… {index - before - 1} levels more …", style="dim"))
            number, spans = Text(str(index), style="dim"), result.levels[index].spans
            if not in_columns:
                line = self._running(spans, speech).append(doubt(result.levels[index]), style="dim")
                table.add_row(number, line)
            elif beside:
                table.add_row(number, self._blocks(spans, speech).append_text(note))
            else:
                table.add_row(number, self._blocks(spans, speech))
                table.add_row("", self._below(index, starts, speech))
                if unsure := doubt(result.levels[index]).strip():
                    table.add_row("", Text(unsure, style="dim"))
            before = index
        yield table

    def _blocks(self, spans: Sequence[Span], speech: Speech) -> Text:
        """Words in their columns; a line between spans, so that they are told apart without colours too."""
        called = names(self.explanation)
        line = Text(no_wrap=True)
        for span in spans:
            words = " ".join(called[span.start : span.end])
            line.append(words, style=_style(speech, span))
            line.append("│" if span.end < len(called) else " ", style="dim")
        return line

    def _running(self, spans: Sequence[Span], speech: Speech) -> Text:
        line = Text()
        for span in spans:
            words = phrase(self.explanation, span.start, span.end)
            line.append(f"{words} {speech.number(span)}", style=_style(speech, span)).append(" ")
        return line

    def _new(self, index: int) -> list[Span]:
        levels = self.explanation.result.levels
        return new_spans(levels[index - 1] if index else None, levels[index])

    def _beside(self, index: int, speech: Speech) -> Text:
        numbers = " ┊ ".join(speech.number(span) for span in self._new(index))
        return Text(numbers + doubt(self.explanation.result.levels[index]), style="dim")

    def _below(self, index: int, starts: Sequence[int], speech: Speech) -> Text:
        """The numbers of new spans under the words they begin with, or as near as the one before leaves room."""
        line = ""
        for span in self._new(index):
            line = f"{line} " if line else ""
            line = line.ljust(starts[span.start]) + speech.number(span)
        return Text(line, style="dim", no_wrap=True)


def _style(speech: Speech, span: Span) -> Style:
    return ColourScale(speech.largest).style(speech.says(span))


def draw_ladder(explanation: Explanation[Any]) -> RenderableType:
    return LadderDrawing(explanation)
