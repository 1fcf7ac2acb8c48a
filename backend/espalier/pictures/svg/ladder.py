"""The ladder: words in columns, one row for each level, spans as blocks coloured by what they say alone."""

from itertools import accumulate
from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.ladder import LadderResult
from espalier.findings.ladder import Speech
from espalier.findings.wording import names, phrase
from espalier.pictures.colour import ColourScale
from espalier.pictures.ladder import doubt, new_spans
from espalier.pictures.svg.marks import INK, LINE, QUIET, Drawing, text_width

ROW = 25
BLOCK = 21
LABEL = 28
WORD = 13
SMALL = 11.5


def draw_ladder(explanation: Explanation[Any]) -> Drawing:
    result: LadderResult = explanation.result
    called, speech = names(explanation), Speech.of(explanation)
    scale = ColourScale(speech.largest)
    widths = [text_width(name, WORD) + 12 for name in called]
    edges = [LABEL + edge for edge in (0.0, *accumulate(widths))]
    drawing = Drawing()
    top = result.top_phrase
    for index, level in enumerate(result.levels):
        y = index * ROW
        drawing.text(LABEL - 8, y + BLOCK / 2 + 4, str(index), size=SMALL, fill=QUIET, anchor="end")
        new = new_spans(result.levels[index - 1] if index else None, level)
        for span in level.spans:
            left, right = edges[span.start], edges[span.end] - 3
            words = phrase(explanation, span.start, span.end)
            data = {"level": index, "start": span.start, "end": span.end, "value": span.contribution}
            block = drawing.group("span", data, f"{words}: {speech.number(span)}")
            fill = scale.fill(speech.says(span))
            block.rectangle(left, y, right - left, BLOCK, fill.hex, stroke=LINE)
            if span == top and span in new:
                # A ring around the top phrase where it first stands alone, outside its own dark colour.
                block.rectangle(
                    left - 2.5, y - 2.5, right - left + 5, BLOCK + 5, "none", stroke=INK, line=1.8, radius=6
                )
            for player in range(span.start, span.end):
                middle = (edges[player] + edges[player + 1] - 3) / 2
                block.text(middle, y + BLOCK / 2 + 4.6, called[player], size=WORD, fill=fill.ink.hex, anchor="middle")
        notes = " ┊ ".join(speech.number(span) for span in new) + doubt(level)
        drawing.text(edges[-1] + 8, y + BLOCK / 2 + 4, notes, size=SMALL, fill=QUIET)
    return drawing
