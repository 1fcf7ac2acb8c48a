"""What a worker answers to questions: one type for each, checked where it arrives. Those that are written like the
service's own documents are what it then says."""

from dataclasses import dataclass
from typing import NotRequired

from typing_extensions import TypedDict


@dataclass(frozen=True, slots=True)
class About:
    """What a loaded model says of itself."""

    revision: str
    classes: tuple[str, ...]
    max_length: int
    family: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A request that can be done, and how many evaluations its method expects, where it can know."""

    about: About
    expected: int | None = None


class Word(TypedDict):
    """A word, or a player and the words it covers."""

    text: str
    start: int
    end: int


class Chance(TypedDict):
    name: str
    probability: float


class Beginning(TypedDict):
    """See `models.outcomes.Beginning`."""

    text: str
    probability: float
    word: str


class Rounded(TypedDict):
    """How far a probability may be from the one in single precision: see `explain.explanation.RoundingRecord`."""

    precision: str
    error: float
    usual: float
    rows: int


class Prediction(TypedDict):
    model: str
    revision: str
    label: str
    classes: list[Chance]
    words: list[Word]
    tokens: int
    pieces: list[list[str]] | None
    beginning: Beginning | None
    rounding: NotRequired[Rounded]


Predictions = list[dict[str, float]]
"""For each text its probabilities, by class or by next word: those of a language model are others for every text."""


class SurprisedWord(Word):
    bits: float
    pieces: list[str]
    candidates: list[Chance]


class Surprised(TypedDict):
    model: str
    revision: str
    words: list[SurprisedWord]
    bits: float


class StandInWord(Word):
    stands_in: bool


class StandInText(TypedDict):
    """See `games.plain_text.PlainText`."""

    text: str
    marked: str
    words: list[StandInWord]


class StandInTexts(TypedDict):
    model: str
    revision: str
    reference: str
    players: list[Word]
    absent: list[int]
    texts: list[StandInText]


class Node(TypedDict):
    start: int
    end: int
    labels: list[str]
    children: list[int]


class Tree(TypedDict):
    words: list[Word]
    nodes: list[Node]
