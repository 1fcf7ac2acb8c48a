"""How findings and pictures put numbers and phrases: one form for all, safe to print."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Context, Decimal
from itertools import groupby
from math import floor, isfinite, log10
from typing import Any

from espalier.explain.explanation import Explanation
from espalier.shared import APPEARANCE

_NUMBERS = APPEARANCE["numbers"]
MINUS: str = _NUMBERS["minus"]
ENOUGH = Context(prec=400)
"""Digits of the largest number there is, and more decimals than are ever written."""

LONGEST_QUOTE: int = APPEARANCE["thresholds"]["longest_quote"]
"""Characters of a phrase that a sentence can carry; the middle of a longer one is left out."""

ROUNDING: float = APPEARANCE["thresholds"]["rounding"]
"""Share of a picture's largest number below which another is rounding of single precision, not a finding."""

CLEAR: float = APPEARANCE["thresholds"]["clear"]
"""Standard errors that a number must be away from zero."""

KINDS: dict[str, str] = APPEARANCE["players"]
"""What one player of each kind is called."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers of one picture, all with as many decimals: two, or more where even the largest is small."""

    decimals: int

    @classmethod
    def like(cls, values: Iterable[float]) -> "Numbers":
        largest = max((abs(value) for value in values), default=0.0)
        usual: int = _NUMBERS["decimals"]
        if largest >= _NUMBERS["small_below"] or largest == 0:
            return cls(usual)
        return cls(min(_NUMBERS["most_decimals"], usual - 1 - floor(log10(largest))))

    def signed(self, value: float) -> str:
        """With + or −, and neither for what rounds to zero."""
        return ("+" if value > 0 and not self.is_zero(value) else "") + self.plain(value)

    def plain(self, value: float) -> str:
        return ("" if value >= 0 or self.is_zero(value) else MINUS) + fixed(abs(value), self.decimals)

    def error(self, value: float | None) -> str:
        """A standard error, or nothing where there is none; a small one is not written as none."""
        if value is None:
            return ""
        if value > 0 and self.is_zero(value):
            return f" ± <{fixed(10**-self.decimals, self.decimals)}"
        return f" ± {fixed(value, self.decimals)}"

    def at_most(self, value: float) -> str:
        """A bound, which stays one: rounded up."""
        steps = ENOUGH.scaleb(Decimal(str(value)), self.decimals).to_integral_value(ROUND_CEILING)
        return fixed(float(ENOUGH.scaleb(steps, -self.decimals)), self.decimals)

    def is_zero(self, value: float) -> bool:
        return float(fixed(value, self.decimals)) == 0


def fixed(value: float, decimals: int) -> str:
    """So many decimals; what is exactly in the middle goes away from zero, as in the browser."""
    if not isfinite(value):
        return str(value)
    return str(Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, ENOUGH))


def printable(text: str) -> str:
    """On one line, with control characters made visible: a text under explanation must not steer the terminal. White
    space alone, which a language model may go on with, has a sign as in the page."""
    if text.isspace():
        return "↵" if "\n" in text else "␣"
    return "".join(_visible(character) for character in " ".join(text.split()))


def _visible(character: str) -> str:
    code = ord(character)
    if code < 0x20 or code == 0x7F:
        return chr(0x2421 if code == 0x7F else 0x2400 + code)
    if unicodedata.category(character) in {"Cc", "Cs"} or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    # Controls of writing direction would turn around what is printed after them.
    return "" if 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069 else character


def names(explanation: Explanation[Any]) -> list[str]:
    """What each player is called in pictures."""
    return [printable(player.text) or "·" for player in explanation.players]


def phrase(explanation: Explanation[Any], start: int, end: int) -> str:
    """Players from `start` up to `end`, as the text has them."""
    players = explanation.players[start:end]
    if explanation.pair is not None or explanation.player_kind == "tokens":
        return " ".join(names(explanation)[start:end])
    first, last = explanation.words[players[0].start], explanation.words[players[-1].end - 1]
    return printable(explanation.text[first.start : last.end])


def group(explanation: Explanation[Any], players: Sequence[int]) -> str:
    """Players that need not stand together: "not … entertaining"."""
    parts: list[str] = []
    for _, run in groupby(enumerate(sorted(players)), key=lambda place: place[1] - place[0]):
        together = [player for _, player in run]
        parts.append(phrase(explanation, together[0], together[-1] + 1))
    return " … ".join(parts)


def quoted(text: str) -> str:
    return f"“{shortened(text, LONGEST_QUOTE)}”"


def shortened(text: str, most: int) -> str:
    """At most so many characters: words of the middle are left out, or the end of a single long word."""
    if len(text) <= most:
        return text
    words = text.split()
    for left_out in range(1, len(words) - 1):
        before = (len(words) - left_out + 1) // 2
        kept = [*words[:before], "…", *words[before + left_out :]]
        # A group of words that do not stand together has dots of its own.
        shorter = " ".join(word for word, _ in groupby(kept))
        if len(shorter) <= most:
            return shorter
    return f"{text[: most - 1]}…"


def percent(share: float) -> str:
    """One decimal, and never a certainty that is not there."""
    decimals: int = _NUMBERS["percent_decimals"]
    written, least = fixed(100 * share, decimals), 10**-decimals
    if share < 1 and float(written) >= 100:
        return f">{fixed(100 - least, decimals)}%"
    return f"<{fixed(least, decimals)}%" if share > 0 and float(written) == 0 else f"{written}%"
