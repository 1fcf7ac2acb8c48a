"""A finished explanation: what a method found, and everything needed to trust it, draw it and make it again."""

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, SerializeAsAny

from espalier.explain.registry import MethodResult
from espalier.games.players import PlayerKind
from espalier.games.references import ReferenceName
from espalier.games.scales import Scale

ResultT = TypeVar("ResultT", bound=MethodResult)


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


class Evaluations(Record):
    """Coalitions asked for, different ones among them, and those known before this run began."""

    asked: int
    distinct: int
    reused: int


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

    @property
    def target_class(self) -> str:
        return self.classes[self.target]

    def _repr_svg_(self) -> str | None:
        """The picture a notebook shows; none for results of a method that has no picture."""
        from espalier.pictures.svg import svg  # pictures read explanations, so they cannot be imported above
        from espalier.problems import NotSupported

        try:
            return svg(self)
        except NotSupported:
            return None
