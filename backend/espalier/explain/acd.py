"""Agglomerative contextual decomposition: phrases grow by what changes their score most (ACD; Singh et al., 2019)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field

from espalier.explain.contextual_decomposition import Phrase, Relevances
from espalier.explain.ladder import LadderResult, Level, Span, top_phrase
from espalier.explain.plan import BoolArray, GameShape, Partial, Plan
from espalier.explain.reading import Scored
from espalier.explain.registry import Method, Parameters, register


class AcdParameters(Parameters):
    percentile: Annotated[
        float,
        Field(
            ge=0,
            le=100,
            description="Of the words still outside, those at or above this percentile of importance join at once: "
            "a lower one makes fewer, coarser levels, 100 lets in one word at a time.",
        ),
    ] = 90
    longest_phrase: Annotated[int, Field(ge=1, le=400, description="How many words the top phrase may have.")] = 5


class AcdResult(LadderResult):
    """From the words up to the whole text: phrases grow by the words that change their score most. The contribution of
    a span is its CD score, the part of the logit that it made. Several phrases can grow in one level, so no level has a
    step."""

    method: Literal["acd"] = "acd"
    base: float = Field(description="The classifier's bias: what no word made")

    def _full(self, spans: Sequence[Scored]) -> float | None:
        """A span's score is the part of the logit that it made; the bias is the rest."""
        made = super()._full(spans)
        return None if made is None else self.base + made


def acd(game: GameShape, parameters: AcdParameters) -> Plan[AcdResult]:
    """Let words in by importance, the top percentile of those outside at a time (Algorithm 1).

    A word is as important as its CD score is large, in either direction; once it borders on a phrase, as much as it
    would change that phrase's score. Words that are in and next to each other are one phrase. Every new partition of
    the text is a level and a partial result; the last one is the whole text.
    """
    relevances = Relevances(game)
    inside = np.zeros(game.size, dtype=bool)
    words = partition(inside)
    yield from relevances.learn(words)
    importance = np.abs([relevances[word] for word in words])
    levels = [level(words, relevances)]
    yield Partial(result(levels, relevances, parameters))
    while not inside.all():
        inside |= ~inside & (importance >= np.percentile(importance[~inside], parameters.percentile))
        phrases = partition(inside)
        grown = growths(phrases, inside)
        yield from relevances.learn([*phrases, *(growth.phrase for growth in grown)])
        changes: dict[int, float] = {}
        for growth in grown:
            change = abs(relevances[growth.phrase] - relevances[growth.before])
            # A word between two phrases would join them both: what it changes more counts.
            changes[growth.word] = max(change, changes.get(growth.word, 0.0))
        importance[list(changes)] = list(changes.values())
        if len(phrases) < len(levels[-1].spans):
            levels.append(level(phrases, relevances))
            yield Partial(result(levels, relevances, parameters))
    return result(levels, relevances, parameters)


class Growth(NamedTuple):
    """A phrase, and what it is with one word more."""

    word: int
    before: Phrase
    phrase: Phrase


def partition(inside: BoolArray) -> list[Phrase]:
    """The text in phrases: words that are inside and next to each other are one, every other word is its own."""
    apart = np.flatnonzero(~(inside[1:] & inside[:-1])) + 1
    return list(pairwise([0, *apart.tolist(), len(inside)]))


def growths(phrases: Sequence[Phrase], inside: BoolArray) -> list[Growth]:
    """Every phrase that is inside, with the word to its left and with the word to its right."""
    found: list[Growth] = []
    for start, end in phrases:
        if inside[start] and start > 0:
            found.append(Growth(start - 1, (start, end), (start - 1, end)))
        if inside[start] and end < len(inside):
            found.append(Growth(end, (start, end), (start, end + 1)))
    return found


def level(phrases: Sequence[Phrase], relevances: Relevances) -> Level:
    return Level(
        spans=[Span(start=start, end=end, contribution=relevances[start, end]) for start, end in phrases], step=None
    )


def result(levels: Sequence[Level], relevances: Relevances, parameters: AcdParameters) -> AcdResult:
    """What is known so far."""
    spans = [span for each in levels for span in each.spans]
    return AcdResult(
        exact=True,
        levels=list(levels),
        base=relevances.bias,
        top_phrase=top_phrase(spans, parameters.longest_phrase),
    )


register(
    Method(
        name="acd",
        title="ACD",
        shows="How phrases grow in an LSTM, word by word, from what matters most up to the whole text",
        parameters=AcdParameters,
        result=AcdResult,
        plan=acd,
        view="ladder",
        scale="logit",
        inspects=("decompose",),
    )
)
