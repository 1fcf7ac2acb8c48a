"""The finding of a ladder: the phrase that speaks most by itself (HEDGE, ACD)."""

from dataclasses import dataclass
from typing import Any

from espalier.explain.acd import AcdResult
from espalier.explain.explanation import Explanation
from espalier.explain.ladder import LadderResult, Span
from espalier.findings.wording import Numbers, phrase, printable, quoted
from espalier.shared import APPEARANCE

ZERO_IS_A_TIE: frozenset[str] = frozenset(APPEARANCE["scales"]["zero_is_a_tie"])


def neutral(explanation: Explanation[Any]) -> float:
    """The contribution that says nothing: a tie on scales where zero is one, else the output with no word present.

    A CD score (ACD) is a part of the logit, not an output: no part is zero.
    """
    result: LadderResult = explanation.result
    return 0.0 if explanation.scale in ZERO_IS_A_TIE or isinstance(result, AcdResult) else result.base


@dataclass(frozen=True, slots=True)
class Speech:
    """What spans of a ladder say for the class: their contributions, from the neutral one on."""

    neutral: float
    largest: float
    numbers: Numbers

    @classmethod
    def of(cls, explanation: Explanation[Any]) -> "Speech":
        nothing = neutral(explanation)
        says = [span.contribution - nothing for level in explanation.result.levels for span in level.spans]
        return cls(nothing, max(map(abs, says), default=0.0), Numbers.like(says))

    def says(self, span: Span) -> float:
        return span.contribution - self.neutral

    def number(self, span: Span) -> str:
        return self.numbers.signed(self.says(span))


def sentence(explanation: Explanation[Any]) -> str:
    result: LadderResult = explanation.result
    target, speech = printable(explanation.target_class), Speech.of(explanation)
    spans = [span for level in result.levels for span in level.spans]
    whole = max(spans, key=lambda span: span.end - span.start)
    top = result.top_phrase or whole
    said = quoted(phrase(explanation, top.start, top.end))
    if top == whole:
        return f"No part of {said} speaks more for {target} than the whole: {speech.number(whole)}."
    if speech.says(top) <= 0:
        return (
            f"Nothing speaks for {target} on its own; {said} comes closest with {speech.number(top)}, "
            f"and the whole text has {speech.number(whole)}."
        )
    return f"{said} alone speaks most for {target}: {speech.number(top)}; the whole text has {speech.number(whole)}."
