"""The one reading of every result: what a method says of words, phrases and pairs, whatever its own form is.

Pictures of a method's own draw its result. Everything else (findings, tables, studies, differences, measures) reads
this, so that a new method needs no more than to offer it.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

LONGEST_PHRASE = 5
"""HEDGE, section 4.4: longer phrases are not friendly to the people who read them."""


class Record(BaseModel):
    model_config = ConfigDict(frozen=True)


DRAW_ERROR: Any = Field(
    default=None,
    description="The standard error that comes from what the reference draws for absent words, apart from `error`; "
    "none where nothing is drawn, or where it is not known.",
)


class SpanScore(Record):
    """Players from `start` up to `end`."""

    start: int
    end: int
    score: float = Field(description="The number that the method gives them, in the scale of the explanation.")
    error: float | None = Field(description="Its standard error; none where it is exact or has no known one.")
    level: int = Field(description="Height in the hierarchy: 0 where nothing is below, else one above the highest.")
    parent: int | None = Field(description="Position in `spans` of the smallest span around this one.")
    draw_error: float | None = DRAW_ERROR

    @property
    def whole_error(self) -> float | None:
        return _whole(self.error, self.draw_error)


class PairScore(Record):
    """Two players, and what they do together beyond what they do apart; of players that play as one, the first."""

    first: int
    second: int
    score: float
    error: float | None = Field(description="Its standard error; none where it is exact or has no known one.")
    draw_error: float | None = DRAW_ERROR

    @property
    def whole_error(self) -> float | None:
        return _whole(self.error, self.draw_error)


class GroupScore(Record):
    """Players scored as one. They need not stand together."""

    players: tuple[int, ...]
    score: float
    error: float | None = None


class Reading(Record):
    """What a result says, in one form for all methods. Positive scores speak for the explained class."""

    exact: bool = Field(description="Whether the numbers are exact for this game.")
    base: float | None = Field(
        default=None, description="The model's value with all players absent, where it is known."
    )
    full: float | None = Field(default=None, description="The model's value of the whole text, where it is known.")
    spans: tuple[SpanScore, ...] = Field(
        default=(), description="Words and phrases in reading order, every phrase before what is in it."
    )
    pairs: tuple[PairScore, ...] = Field(
        default=(), description="Each pair once, or once for each direction where a method tells them apart."
    )
    groups: tuple[GroupScore, ...] = Field(
        default=(), description="The text divided: every player once, alone or with those the method joins it to."
    )
    top: GroupScore | None = Field(
        default=None, description="What speaks most for the class, of all that has at most five players."
    )
    ranking: tuple[int, ...] = Field(
        default=(), description="The players, from the one that speaks most for the class to the one that does least."
    )

    @property
    def has_errors(self) -> bool:
        """Whether any number has a standard error."""
        return any(span.error is not None for span in self.spans) or any(pair.error is not None for pair in self.pairs)

    @property
    def words(self) -> tuple[SpanScore, ...]:
        """Spans with nothing below them: the words, but for players that play as one."""
        return tuple(span for span in self.spans if span.level == 0)

    @property
    def phrases(self) -> tuple[SpanScore, ...]:
        return tuple(span for span in self.spans if span.level > 0)


class Scored(NamedTuple):
    """A span before its place in the hierarchy is known."""

    start: int
    end: int
    score: float
    error: float | None = None


def words_of(scores: Iterable[float], errors: Iterable[float] | None = None) -> list[Scored]:
    """One number for each player."""
    if errors is None:
        return [Scored(player, player + 1, score) for player, score in enumerate(scores)]
    return [
        Scored(player, player + 1, score, error)
        for player, (score, error) in enumerate(zip(scores, errors, strict=True))
    ]


def read(
    spans: Iterable[Scored],
    *,
    exact: bool,
    base: float | None = None,
    full: float | None = None,
    pairs: Iterable[PairScore] = (),
    groups: Sequence[GroupScore] | None = None,
    top: GroupScore | None = None,
    rank_by: Mapping[int, float] | None = None,
) -> Reading:
    """A reading from spans of which any two are apart or one within the other.

    What a method does not say follows from its spans: `top` is the highest-scored short one, `groups` are the words
    with `top` in one piece, and players are ranked by the smallest span that holds them, which for a hierarchy is its
    bottom level (HEDGE's own rule). `rank_by` gives another number to rank each player by.
    """
    placed = nested(spans)
    if top is None:
        top = highest([_group(span) for span in placed])
    if groups is None:
        groups = joined([_group(span) for span in placed if span.level == 0], top)
    scores = rank_by if rank_by is not None else smallest_scores(placed)
    return Reading(
        exact=exact,
        base=base,
        full=full,
        spans=placed,
        pairs=tuple(pairs),
        groups=tuple(groups),
        top=top,
        ranking=tuple(sorted(scores, key=lambda player: (-scores[player], player))),
    )


def nested(spans: Iterable[Scored]) -> tuple[SpanScore, ...]:
    """Each span once, with its place: in reading order, every phrase before what is in it."""
    kept = {(span.start, span.end): span for span in spans}
    ordered = [kept[place] for place in sorted(kept, key=lambda place: (place[0], -place[1]))]
    parents: list[int | None] = []
    around: list[int] = []
    for position, span in enumerate(ordered):
        while around and ordered[around[-1]].end <= span.start:
            around.pop()
        parents.append(around[-1] if around else None)
        around.append(position)
    levels = [0] * len(ordered)
    # What is in a phrase comes after it, so going backwards every level is known before it counts for the one above.
    for position in range(len(ordered) - 1, -1, -1):
        if (parent := parents[position]) is not None:
            levels[parent] = max(levels[parent], levels[position] + 1)
    return tuple(
        SpanScore(start=s.start, end=s.end, score=s.score, error=s.error, level=level, parent=parent)
        for s, level, parent in zip(ordered, levels, parents, strict=True)
    )


def smallest_scores(spans: Iterable[SpanScore]) -> dict[int, float]:
    """For each player the score of the smallest span that holds it: later spans lie within earlier ones."""
    return {player: span.score for span in spans for player in range(span.start, span.end)}


def highest(groups: Sequence[GroupScore], longest: int = LONGEST_PHRASE) -> GroupScore | None:
    """The highest-scored of at most so many players, or of all where none is as short; of equal ones the leftmost,
    then the shortest."""
    short = [group for group in groups if len(group.players) <= longest] or groups
    return min(short, key=lambda group: (-group.score, group.players[0], len(group.players)), default=None)


def joined(words: Sequence[GroupScore], phrase: GroupScore | None) -> list[GroupScore]:
    """The phrase in one piece, and the words outside of it."""
    inside = set(phrase.players) if phrase is not None else set()
    outside = [word for word in words if not inside & set(word.players)]
    return sorted([*outside, *([phrase] if phrase is not None else [])], key=lambda group: group.players[0])


def _whole(error: float | None, drawn: float | None) -> float | None:
    """What the method samples and what the reference draws are independent of each other: their squares add up."""
    return hypot(error, drawn) if error is not None and drawn is not None else error if drawn is None else drawn


def _group(span: SpanScore) -> GroupScore:
    return GroupScore(players=tuple(range(span.start, span.end)), score=span.score, error=span.error)
