"""What one text says of a model, in a few numbers: all that means over many texts are computed from.

A scored text has dozens of nodes. Of ten thousand texts only these numbers are kept.
"""

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word of contrast in a text: the absolute score of its own node, and of the smallest node with more than it.

    `alone` is none where several words are no node of their own ("in spite of" mostly is none), `parent` where the text
    is nothing else.
    """

    name: str
    alone: float | None
    parent: float | None


class Sum(NamedTuple):
    """Of absolute scores, and how many they are."""

    scores: float
    number: int


class Spread(BaseModel):
    """How far the scores of a text's nodes lie apart: the variance of their absolute values. `loss` and `right` say how
    well the text's own label was predicted, where it has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    variance: float
    loss: float | None = None
    right: bool | None = None


class TextRow(BaseModel):
    """A text on a model. A correlation is none where there are too few words, or no linear model. `depths` are those of
    the top 1, 2, … nodes, as many as there are up to ten, `chance` is that of any node."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: int
    word_correlation: float | None
    phrase_correlation: float | None
    depths: tuple[float, ...]
    chance: float
    nodes: Sum
    phrases: Sum
    contrast: tuple[Occurrence, ...]
