"""`python -m benchmarks.ladder`: the economical ladder on long sentences, held against the exact one.

How much it asks for, how many of the exact form's cuts it makes, and whether its cuts are as sure as they say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from benchmarks.counted import CountedModel
from benchmarks.long_sentences import long_sentences
from benchmarks.report import show
from benchmarks.sections import Rows, Section, Target, count, percent
from benchmarks.set_functions import Remembered, SetFunction
from espalier.explain.hedge import HedgeParameters, HedgeResult, divisions, hedge
from espalier.explain.ladder import Step
from espalier.explain.neighbourhoods import Edges, Interactions
from espalier.explain.plan import GameShape, Plan
from espalier.explain.toy import Toy
from espalier.models.catalog import catalog

WINDOW = 2
EVALUATIONS_WANTED, CUTS_WANTED = 0.25, 0.97
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class Held:
    """One economical ladder beside the exact one of the same sentence."""

    words: int
    evaluations: int
    exact_evaluations: int
    cuts: float
    """Share of its cuts (a span, and the point that divides it) that the exact ladder has, too."""
    certainties: tuple[float, ...]
    right: tuple[bool, ...]
    """Whether each cut is the weakest of its own level, all being scored in full."""

    @property
    def share(self) -> float:
        return self.evaluations / self.exact_evaluations


def main(
    model: Annotated[str, typer.Option(help="A model of the catalog.")] = "sst2-cnn",
    certainty: Annotated[list[float] | None, typer.Option(help="To ask for; several make a curve.")] = None,
    skip: Annotated[int, typer.Option(help="Leave out the first sentences.")] = 0,
    sentences: Annotated[int, typer.Option(help="How many.")] = 10,
) -> None:
    chosen = certainty or [0.7, 0.8, 0.9, 0.97]
    found: dict[float, list[Held]] = {each: [] for each in chosen}
    counted, console = CountedModel(catalog().load(model)), Console()
    for sentence in long_sentences()[skip : skip + sentences]:
        with SetFunction(counted, sentence, "margin") as function:
            game = Remembered(function)
            exact, evaluations = ladder(game, HedgeParameters(window=WINDOW))
            for each in chosen:
                own, asked = ladder(game, HedgeParameters(window=WINDOW, form="economical", certainty=each))
                one = held(game, exact, own, evaluations, asked)
                found[each].append(one)
                said = f"{one.words} words at {each:g}: {count(asked)} of {count(evaluations)} evaluations"
                console.print(f"{said}, {percent(one.cuts)} of the exact cuts", style="dim", highlight=False)
        counted.forget()
    show(console, section(model, found))


def ladder(game: Remembered, parameters: HedgeParameters) -> tuple[HedgeResult, int]:
    """The result, and how many distinct coalitions it took."""
    toy = Toy(game)
    plan: Plan[HedgeResult] = hedge(shape(game), parameters)
    return toy.run(plan), toy.distinct


def shape(game: Remembered) -> GameShape:
    return GameShape(tuple(map(str, range(game.size))), ("explained",), 0)


def held(game: Remembered, exact: HedgeResult, own: HedgeResult, evaluations: int, asked: int) -> Held:
    cuts = {place(step) for step in steps(exact)}
    partition: Edges = (0, game.size)
    right = []
    for step in steps(own):
        right.append(weakest(game, partition) == step.point)
        partition = tuple(sorted((*partition, step.point)))
    return Held(
        words=game.size,
        evaluations=asked,
        exact_evaluations=evaluations,
        cuts=mean(place(step) in cuts for step in steps(own)),
        certainties=tuple(step.certainty for step in steps(own)),
        right=tuple(right),
    )


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


def section(model: str, found: dict[float, list[Held]]) -> Section:
    curve = [
        (
            f"{certainty:g}",
            percent(pooled(held)),
            percent(max(each.share for each in held)),
            percent(mean(each.cuts for each in held)),
            percent(min(each.cuts for each in held)),
            percent(mean(each for one in held for each in one.certainties)),
            percent(mean(each for one in held for each in one.right)),
        )
        for certainty, held in found.items()
    ]
    met = [
        certainty
        for certainty, held in found.items()
        if pooled(held) <= EVALUATIONS_WANTED and mean(each.cuts for each in held) >= CUTS_WANTED
    ]
    every = [each for held in found.values() for each in held]
    lengths = [each.words for each in every]
    return Section(
        f"Ladders of long sentences, {model}",
        f"{len(every) // len(found)} sentences of {min(lengths)} to {max(lengths)} words, for which the exact form "
        f"asks for {count(min(each.exact_evaluations for each in every))} to "
        f"{count(max(each.exact_evaluations for each in every))} distinct coalitions. A cut is a span and the point "
        "that divides it; it is right if it is the weakest of its level when all are scored in full.",
        [
            Rows("", ("certainty", "evaluations", "most", "exact cuts", "fewest", "said", "right"), curve),
            Rows("Cuts by how sure they say they are", ("sure", "cuts", "said", "right"), calibration(every)),
        ],
        [
            Target(
                "The economical ladder has the exact one's cuts for a part of its evaluations",
                f"{percent(CUTS_WANTED)} for {percent(EVALUATIONS_WANTED)}",
                f"at certainty {met[0]:g}" if met else "at none of these certainties",
                bool(met),
            )
        ],
    )


def pooled(held: Sequence[Held]) -> float:
    """Share of the exact form's evaluations, of all sentences together."""
    return sum(each.evaluations for each in held) / sum(each.exact_evaluations for each in held)


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


if __name__ == "__main__":
    typer.run(main)
