"""`python -m benchmarks.ladder`: the economical ladder on long sentences, held against the exact one.

How much it asks for and how long it takes, how many of the exact form's cuts it makes, whether its cuts are as sure as
they say, and what became of those that are wrong. All ten sentences are written into docs/benchmarks.md, a section for
each model; `--model sst2-minilm` is the shipped transformer. To see whether it runs:

    python -m benchmarks.ladder --sentences 1 --certainty 0.9
"""

import os
from statistics import mean
from typing import Annotated

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer
from rich.console import Console

from benchmarks import clock, pages, report
from benchmarks.counted import CountedModel
from benchmarks.cuts import WINDOW, Held, Made, calibration, held, pooled, right, said, shape, whereabouts
from benchmarks.long_sentences import long_sentences
from benchmarks.sections import Rows, Section, Target, count, percent, seconds
from benchmarks.set_functions import Remembered, SetFunction
from espalier.engine.threads import one_thread_for_algebra
from espalier.explain import hedge as forms
from espalier.explain.hedge import HedgeParameters, HedgeResult, hedge
from espalier.explain.plan import Plan
from espalier.explain.toy import Toy
from espalier.models.catalog import catalog

EVALUATIONS_WANTED, CUTS_WANTED = 0.25, 0.97
CALIBRATED = 0.05
"""How far what cuts say of themselves may be from how many of them are right, at any certainty: of the five hundred
cuts of ten sentences, chance alone makes it two or three percent, as those of a sentence hang together."""

ENOUGH = 10
"""Sentences of a run that is written down."""


def main(
    model: Annotated[str, typer.Option(help="A model of the catalog.")] = "sst2-cnn",
    certainty: Annotated[list[float] | None, typer.Option(help="To ask for; several make a curve.")] = None,
    skip: Annotated[int, typer.Option(help="Leave out the first sentences.")] = 0,
    sentences: Annotated[int, typer.Option(help="How many.")] = ENOUGH,
) -> None:
    """Measure, say what came out, and write it down."""
    # What the exact form needs is counted, not what it asks for besides where it looks ahead.
    forms.AHEAD = 0
    run, chosen = pages.Run(), certainty or [0.8, 0.9, 0.95, 0.97]
    found: dict[float, list[Held]] = {each: [] for each in chosen}
    counted, console = CountedModel(catalog().load(model)), Console()
    for sentence in long_sentences()[skip : skip + sentences]:
        with SetFunction(counted, sentence, "margin") as function:
            known = Remembered(function)
            exact = ladder(function, known, HedgeParameters(window=WINDOW))
            for each in chosen:
                own = ladder(function, known, HedgeParameters(window=WINDOW, form="economical", certainty=each))
                one = held(known, exact, own)
                found[each].append(one)
                line = f"{one.words} words at {each:g}: {count(one.evaluations)} of {count(one.exact_evaluations)} "
                line += f"evaluations, {seconds(one.seconds)} of {seconds(one.exact_seconds)} s"
                console.print(f"{line}, {percent(one.cuts)} of the exact cuts", style="dim", highlight=False)
        counted.forget()
    measured = section(model, found)
    report.show(console, measured)
    if certainty is None and len(found[chosen[0]]) >= ENOUGH:
        report.write(measured, run)


def ladder(function: SetFunction, known: Remembered, parameters: HedgeParameters) -> Made:
    """From scratch, for its time: every coalition is evaluated once, whatever another ladder has asked for. What it
    finds is left to those who judge it."""
    fresh = Remembered(function)
    toy = Toy(fresh)
    plan: Plan[HedgeResult] = hedge(shape(fresh), parameters)
    began = clock.now()
    with one_thread_for_algebra():  # as the engine runs plans
        result = toy.run(plan)
    took = clock.now() - began
    known.learn(fresh)
    return Made(result, toy.distinct, took)


def section(model: str, found: dict[float, list[Held]]) -> Section:
    curve = [
        (
            f"{certainty:g}",
            percent(pooled(held)),
            percent(max(each.share for each in held)),
            percent(mean(each.cuts for each in held)),
            percent(min(each.cuts for each in held)),
            percent(said(held)),
            percent(right(held)),
            seconds(sum(each.seconds for each in held)),
        )
        for certainty, held in found.items()
    ]
    met = [
        certainty
        for certainty, held in found.items()
        if pooled(held) <= EVALUATIONS_WANTED and mean(each.cuts for each in held) >= CUTS_WANTED
    ]
    every = [each for held in found.values() for each in held]
    exact_seconds = sum(each.exact_seconds for each in next(iter(found.values())))
    off = max(abs(said(held) - right(held)) for held in found.values())
    lengths = [each.words for each in every]
    return Section(
        f"Ladders of long sentences, {model}",
        f"{len(every) // len(found)} sentences of {min(lengths)} to {max(lengths)} words, for which the exact form "
        f"asks for {count(min(each.exact_evaluations for each in every))} to "
        f"{count(max(each.exact_evaluations for each in every))} distinct coalitions. A cut is a span and the point "
        "that divides it; it is right if it is the weakest of its level when all are scored in full. Seconds are of "
        f"all sentences together, the model's included; the exact form takes {seconds(exact_seconds)}.",
        [
            Rows("", ("certainty", "evaluations", "most", "exact cuts", "fewest", "said", "right", "seconds"), curve),
            Rows("Cuts by how sure they say they are", ("sure", "cuts", "said", "right"), calibration(every)),
            Rows(
                "Wrong cuts: where, whether the weakest was in the same span, and cuts from there to the next wrong "
                "one that the exact ladder does not have",
                ("", "cuts", "wrong", "in the same span", "lost"),
                whereabouts(every),
            ),
        ],
        [
            Target(
                f"The economical ladder has the exact one's cuts for a part of its evaluations ({model})",
                f"{percent(CUTS_WANTED)} for {percent(EVALUATIONS_WANTED)}",
                f"at certainty {met[0]:g}" if met else "at none of these certainties",
                bool(met),
            ),
            Target(
                f"What cuts say of themselves is how many are right ({model})",
                f"within {percent(CALIBRATED)}",
                f"{percent(off)} apart at most",
                off <= CALIBRATED,
            ),
        ],
    )


if __name__ == "__main__":
    typer.run(main)
