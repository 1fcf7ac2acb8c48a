"""A ladder: partitions of the text, level by level, with what each span says on its own (HEDGE, Eq. 5)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from espalier.explain.neighbourhoods import Edges, Interactions, Neighbourhood, Weights
from espalier.explain.reading import Reading, Scored, read
from espalier.explain.registry import MethodResult, Parameters


class LadderParameters(Parameters):
    window: int = Field(
        default=2,
        ge=0,
        le=4,
        description="How many spans on either side take part when two neighbours are scored. "
        "One more looks further around, and needs about three times as many runs of the model.",
    )
    weights: Weights = Field(
        default="paper",
        description="Weights of the contexts: those of the paper (Eq. 4), or those of the authors' published code, "
        "which score spans near the ends of the text on a smaller scale than the others.",
    )
    longest_phrase: int = Field(default=5, ge=1, le=400, description="How many words the top phrase may have.")


class Span(BaseModel):
    """Players from `start` up to `end`."""

    model_config = ConfigDict(frozen=True)

    start: int
    end: int
    contribution: float = Field(description="The model's output for the explained class with only this span present")


class Step(BaseModel):
    """The two spans that meet at `point`, divided or merged there."""

    model_config = ConfigDict(frozen=True)

    start: int
    point: int
    end: int
    interaction: float = Field(description="How strongly the two spans interact: what they say together beyond the sum")
    certainty: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="How surely no other step of this level has a weaker interaction: 1 where all were scored in full",
    )
    standard_error: float = Field(default=0.0, ge=0, description="Of the interaction; 0 where it is exact")

    @classmethod
    def at(cls, pair: Neighbourhood, interaction: float, certainty: float = 1.0, standard_error: float = 0.0) -> "Step":
        return cls(
            start=pair.start,
            point=pair.point,
            end=pair.end,
            interaction=interaction,
            certainty=certainty,
            standard_error=standard_error,
        )

    @property
    def exact(self) -> bool:
        return self.certainty == 1 and self.standard_error == 0


class Level(BaseModel):
    """A partition of the text, and the step that made it from the level before; the first level has none."""

    model_config = ConfigDict(frozen=True)

    spans: list[Span]
    step: Step | None


class LadderResult(MethodResult):
    levels: list[Level] = Field(description="In the order they were made")
    base: float = Field(description="The model's output with no word present")
    top_phrase: Span | None = Field(
        description="The span with the highest contribution among those short enough; None while all are too long"
    )

    def reading(self) -> Reading:
        """Every span that is in a level, once: its contribution is the same in all of them."""
        spans = [Scored(span.start, span.end, span.contribution) for level in self.levels for span in level.spans]
        return read(spans, exact=self.exact, base=self.base, full=self._full(spans))

    def _full(self, spans: Sequence[Scored]) -> float | None:
        """The value of the whole text, once it is a span."""
        size = self.levels[0].spans[-1].end
        return next((span.score for span in spans if span.end - span.start == size), None)


Result = TypeVar("Result", bound=LadderResult)


class Ladder:
    """Grows level by level."""

    def __init__(self, interactions: Interactions, longest_phrase: int) -> None:
        self._interactions = interactions
        self._longest_phrase = longest_phrase
        self._levels: list[Level] = []
        self._spans: dict[tuple[int, int], Span] = {}

    def add(self, partition: Edges, step: Step | None = None) -> None:
        """One level more: this partition, made by this step."""
        self._levels.append(Level(spans=[self._span(start, end) for start, end in pairwise(partition)], step=step))

    def result(self, kind: type[Result], **more: Any) -> Result:
        """What is known so far."""
        return kind(
            exact=all(level.step is None or level.step.exact for level in self._levels),
            levels=self._levels,
            base=self._interactions.value(0, 0),
            top_phrase=top_phrase(list(self._spans.values()), self._longest_phrase),
            **more,
        )

    def _span(self, start: int, end: int) -> Span:
        if (start, end) not in self._spans:
            contribution = self._interactions.value(start, end)
            self._spans[start, end] = Span(start=start, end=end, contribution=contribution)
        return self._spans[start, end]


def top_phrase(spans: Sequence[Span], longest: int) -> Span | None:
    """The span that says most for the explained class; of equal ones the leftmost, then the shortest."""
    short = [span for span in spans if span.end - span.start <= longest]
    return min(short, key=lambda span: (-span.contribution, span.start, span.end), default=None)


def most_players(parameters: LadderParameters) -> int:
    """Keeps a ladder at about a hundred thousand coalitions: their number grows threefold with the window."""
    return {3: 120, 4: 50}.get(parameters.window, 400)


def halvings(players: int) -> list[Edges]:
    """Partitions from the whole text down to the words, as if the longest span were always cut in the middle: how a
    text comes apart, as long as nothing is known of it."""
    partitions: list[Edges] = [(0, players)]
    while len(partitions[-1]) <= players:
        start, end = max(pairwise(partitions[-1]), key=lambda span: span[1] - span[0])
        partitions.append(tuple(sorted((*partitions[-1], (start + end) // 2))))
    return partitions
