"""A finished explanation: what a method found, and everything needed to trust it, draw it and make it again."""

from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

from espalier.explain.drawn import with_errors
from espalier.explain.reading import Reading
from espalier.explain.registry import MethodResult
from espalier.fields import LEFT_OUT
from espalier.games.nesting import Kind
from espalier.games.players import PlayerKind
from espalier.games.references import Fill, ReferenceName
from espalier.games.scales import Scale

ResultT = TypeVar("ResultT", bound=MethodResult)

FORM = 4
"""Counted up whenever explanations are written in another form: what was stored in an older one is made again."""


class Record(BaseModel):
    model_config = ConfigDict(frozen=True)


class WordRecord(Record):
    """A word and its place in the text's characters."""

    text: str
    start: int
    end: int


class PlayerRecord(Record):
    """A player and the words it covers."""

    text: str
    start: int
    end: int


class PartRecord(Record):
    """A part of a level: its words, what it is, and its value where the level is above the open one."""

    start: int
    end: int
    kind: Kind
    value: float | None = None
    error: float | None = None
    """The standard error of the value; none where it is exact."""


class LevelRecord(Record):
    """Words that are open and the parts they have. The values of the parts add up to the value of what is open: at
    the first level to what the whole text has beyond no words at all."""

    start: int
    end: int
    kind: Kind
    parts: tuple[PartRecord, ...]
    value: float | None = None


class Evaluations(Record):
    """Coalitions asked for, different ones among them, and those known before this run began. `elsewhere` are rows of
    other models that the reference asked for."""

    asked: int
    distinct: int
    reused: int
    elsewhere: int = 0


class DrawErrors(Record):
    """For the spans and the pairs of the reading, in its order; none where it is not known."""

    spans: tuple[float | None, ...]
    pairs: tuple[float | None, ...]


class RoundingRecord(Record):
    """Of a model in half precision: how far its values are from those in single precision, on this scale.

    `error` is stated for the value of every coalition of the same words: several times the largest difference among
    `rows` rows that were tried in both when the model was loaded. `usual` is the difference in their middle.
    """

    precision: str
    error: float
    usual: float
    rows: int


class Seconds(Record):
    """Time spent waiting for the model, and in total."""

    model: float
    total: float


class Explanation(Record, Generic[ResultT]):
    text: str
    pair: str | None
    words: tuple[WordRecord, ...]
    sentences: tuple[tuple[int, int], ...]
    player_kind: PlayerKind
    players: tuple[PlayerRecord, ...]
    model: str
    revision: str
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]
    target: int
    method: str
    parameters: dict[str, Any]
    scale: Scale
    reference: ReferenceName
    seed: int
    result: SerializeAsAny[ResultT]
    evaluations: Evaluations
    seconds: Seconds
    against: int | None = None
    """The outcome that the target is held against: values are then the log-odds between the two."""
    levels: tuple[LevelRecord, ...] | None = None
    """Where players are nested: the way from the whole text to what is open, whose parts are the players."""
    draws: int = 1
    """Texts that the reference made for each coalition; values are means over them."""
    fill: Fill | None = None
    """How the reference filled in absent words, if it did."""
    filler: str | None = None
    """The masked language model that filled them in."""
    unread: tuple[str, ...] = ()
    """Words of the text that it cannot read: it fills in the others as if these were unknown."""
    expected_words: int | None = Field(
        default=None, exclude_if=lambda found: found is None, json_schema_extra={LEFT_OUT: True}
    )
    """How many of the words of letters are among the hundred likeliest of this model at their own place: few, where it
    was made for another language. Left out where nothing is filled in."""
    idle: tuple[int, ...] = ()
    """Players that made no difference, to the last bit, in any two evaluated coalitions with and without them. With all
    coalitions evaluated, words that the model never uses, as far as the reference can tell."""
    draw_errors: DrawErrors | None = None
    """Standard errors that come from the draws, as the reading has them."""
    pieces: tuple[tuple[str, ...], ...] | None = None
    """The tokens that each next word was read as; the probability of a word of several is their product."""
    rounding: RoundingRecord | None = Field(
        default=None, exclude_if=lambda found: found is None, json_schema_extra={LEFT_OUT: True}
    )
    """Of a model in half precision. What was found in single precision is written without it."""

    @property
    def target_class(self) -> str:
        return self.classes[self.target]

    def read(self) -> Reading:
        """What the result says, with the errors that come from the reference's draws: what everybody reads that does
        not draw the method's own picture."""
        found, errors = self.result.reading(), self.draw_errors
        return found if errors is None else with_errors(found, errors.spans, errors.pairs)

    draw: ClassVar[Callable[[Any], str] | None] = None
    """Makes the picture a notebook shows. Set by who knows pictures: see `espalier.notebook`."""

    def _repr_svg_(self) -> str | None:
        draw = type(self).draw
        return None if draw is None else draw(self)
