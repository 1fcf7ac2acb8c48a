"""The cuts of an economical ladder against all cuts scored in full: which are right, and what became of the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.sections import count, percent
from benchmarks.set_functions import Remembered
from espalier.explain.hedge import HedgeResult, divisions
from espalier.explain.ladder import Step
from espalier.explain.neighbourhoods import Edges, Interactions
from espalier.explain.plan import GameShape
from espalier.explain.toy import Toy

WINDOW = 2
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
THIRDS = ("first third of the levels", "second third", "last third")


@dataclass(frozen=True, slots=True)
class Made:
    """A ladder, the distinct coalitions it took, and its seconds, the model's included."""

    result: HedgeResult
    evaluations: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Wrong:
    """A cut that is not the weakest of its level."""

    level: int
    """Spans there were before it."""
    same_span: bool
    """Whether the weakest cut divides the same span."""
    lost: int
    """Cuts from here to the next wrong one that the exact ladder does not have, this one included."""


@dataclass(frozen=True, slots=True)
class Held:
    """One economical ladder beside the exact one of the same sentence."""

    words: int
    evaluations: int
    exact_evaluations: int
    seconds: float
    exact_seconds: float
    cuts: float
    """Share of its cuts (a span, and the point that divides it) that the exact ladder has, too."""
    certainties: tuple[float, ...]
    right: tuple[bool, ...]
    """Whether each cut is the weakest of its own level, all being scored in full."""
    wrong: tuple[Wrong, ...]

    @property
    def share(self) -> float:
        return self.evaluations / self.exact_evaluations


def pooled(held: Sequence[Held]) -> float:
    """Share of the exact form's evaluations, of all sentences together."""
    return sum(each.evaluations for each in held) / sum(each.exact_evaluations for each in held)


def said(held: Sequence[Held]) -> float:
    """How sure all their cuts are."""
    return mean(each for one in held for each in one.certainties)


def right(held: Sequence[Held]) -> float:
    return mean(each for one in held for each in one.right)


def shape(game: Remembered) -> GameShape:
    return GameShape(tuple(map(str, range(game.size))), ("explained",), 0)


def held(game: Remembered, exact: Made, own: Made) -> Held:
    cuts = {place(step) for step in steps(exact.result)}
    made = steps(own.result)
    partition: Edges = (0, game.size)
    best = []
    for step in made:
        best.append(weakest(game, partition))
        partition = tuple(sorted((*partition, step.point)))
    right = [point == step.point for point, step in zip(best, made, strict=True)]
    return Held(
        words=game.size,
        evaluations=own.evaluations,
        exact_evaluations=exact.evaluations,
        seconds=own.seconds,
        exact_seconds=exact.seconds,
        cuts=mean(place(step) in cuts for step in made),
        certainties=tuple(step.certainty for step in made),
        right=tuple(right),
        wrong=tuple(went_wrong(made, best, right, [place(step) in cuts for step in made])),
    )


def went_wrong(made: Sequence[Step], best: Sequence[int], right: Sequence[bool], shared: Sequence[bool]) -> list[Wrong]:
    """Why: whether only the point in the span was mistaken or the span, and what it led to."""
    places = [number for number, fine in enumerate(right) if not fine]
    ends = [*places[1:], len(made)]
    return [
        Wrong(
            level=number + 1,
            same_span=made[number].start < best[number] < made[number].end,
            lost=sum(not each for each in shared[number:end]),
        )
        for number, end in zip(places, ends, strict=False)
    ]


def weakest(game: Remembered, partition: Edges) -> int:
    """Where the exact form would cut this partition."""
    interactions = Interactions(shape(game), "paper", [0])

    def plan() -> Any:
        candidates = divisions(partition, WINDOW)
        scores = yield from interactions.scores(candidates, len(partition))
        return candidates[interactions.leftmost_lowest(scores)].point

    return int(Toy(game).run(plan()))


def steps(result: HedgeResult) -> list[Step]:
    return [level.step for level in result.levels if level.step is not None]


def place(step: Step) -> tuple[int, int, int]:
    return step.start, step.point, step.end


def calibration(every: Sequence[Held]) -> list[tuple[str, ...]]:
    said = np.array([each for one in every for each in one.certainties])
    right = np.array([each for one in every for each in one.right])
    rows = []
    for low, high in zip(BINS, (*BINS[1:], 2.0), strict=True):
        inside = (said >= low) & (said < high)
        if inside.any():
            name = "exact" if low == 1 else f"{percent(low)} to {percent(high)}"
            shares = percent(float(said[inside].mean())), percent(float(right[inside].mean()))
            rows.append((name, count(int(inside.sum())), *shares))
    return rows


def whereabouts(every: Sequence[Held]) -> list[tuple[str, ...]]:
    """Wrong cuts by how far down they are: an early one leads all later ones elsewhere."""

    def third(level: int, one: Held) -> int:
        return min(2, 3 * (level - 1) // len(one.right))

    rows = []
    for number, name in enumerate(THIRDS):
        cuts = sum(third(level, one) == number for one in every for level in range(1, len(one.right) + 1))
        wrong = [each for one in every for each in one.wrong if third(each.level, one) == number]
        same = sum(each.same_span for each in wrong)
        rows.append((name, count(cuts), count(len(wrong)), count(same), count(sum(each.lost for each in wrong))))
    return rows
