"""The finding of any result: what its reading says of words, or else of pairs."""

from itertools import accumulate
from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.reading import Reading, SpanScore
from espalier.findings.wording import CLEAR, KINDS, ROUNDING, Numbers, names, phrase, printable, quoted
from espalier.shared import APPEARANCE

ADDS_UP: float = APPEARANCE["thresholds"]["adds_up"]
"""Values that miss the prediction by more than this share of the picture do not lead from one end to the other."""


def sentence(explanation: Explanation[Any]) -> str | None:
    reading = explanation.read()
    if reading.words:
        return _of_words(explanation, reading)
    return _of_pairs(explanation, reading) if reading.pairs else None


def adds_up(reading: Reading) -> bool:
    """Whether the words lead from the empty text's value to the whole text's."""
    if reading.base is None or reading.full is None:
        return False
    running = list(accumulate((word.score for word in reading.words), initial=reading.base))
    spread = max(*running, reading.full) - min(*running, reading.full)
    return abs(running[-1] - reading.full) <= ADDS_UP * spread


def called(explanation: Explanation[Any], span: SpanScore) -> str:
    """One player by its name, several as the text has them."""
    if span.end - span.start == 1:
        return names(explanation)[span.start]
    return phrase(explanation, span.start, span.end)


def _of_words(explanation: Explanation[Any], reading: Reading) -> str:
    target, kind, words = printable(explanation.target_class), KINDS[explanation.player_kind], reading.words
    numbers = Numbers.like(word.score for word in words)
    ends = ""
    if reading.base is not None and reading.full is not None:
        ends = f"from {numbers.plain(reading.base)} to {numbers.plain(reading.full)}"

    def named(word: SpanScore) -> str:
        return quoted(called(explanation, word))

    def shown(word: SpanScore) -> str:
        return f"{numbers.signed(word.score)}{numbers.error(word.whole_error)}"

    if len(words) == 1:
        does = f"it takes {target} {ends}" if ends else f"{shown(words[0])} for {target}"
        return f"{named(words[0])} stands alone: {does}."
    known = [abs(end) for end in (reading.base, reading.full) if end is not None]
    rounding = ROUNDING * max(known or [abs(word.score) for word in words])
    order = sorted(words, key=lambda word: word.score)
    clear = [word for word in order if abs(word.score) > max(rounding, CLEAR * (word.whole_error or 0.0))]
    if not clear:
        largest = max(order, key=lambda word: abs(word.score))
        return f"No {kind} clearly speaks for or against {target}; {named(largest)} has {shown(largest)}."
    lowest, highest = clear[0], clear[-1]
    speaks = f"{named(highest)} speaks most for {target} ({shown(highest)})"
    if highest.score < 0:
        said = f"{named(lowest)} speaks most against {target} ({shown(lowest)}), no {kind} clearly for it"
    elif lowest.score > 0:
        said = f"{speaks}, no {kind} clearly against it"
    else:
        said = f"{speaks}, {named(lowest)} most against it ({shown(lowest)})"
    return f"{said}; all {kind}s together go {ends}." if adds_up(reading) else f"{said}."


def _of_pairs(explanation: Explanation[Any], reading: Reading) -> str:
    target, kind = printable(explanation.target_class), KINDS[explanation.player_kind]
    pair = max(reading.pairs, key=lambda pair: abs(pair.score))
    if abs(pair.score) <= CLEAR * (pair.whole_error or 0.0):
        return f"No two {kind}s clearly do anything together for {target} that they do not do apart."
    numbers, players = Numbers.like([pair.score]), names(explanation)
    first, second = quoted(players[pair.first]), quoted(players[pair.second])
    amount = f"{numbers.signed(pair.score)}{numbers.error(pair.whole_error)}"
    return f"{first} and {second} do most together: {amount} for {target} beyond what they do apart."
