"""`python -m benchmarks.truth [--quick]`: every method against a brute force on the shipped transformer, ten prompts.

A few minutes on two quiet cores; the table is written into docs/benchmarks.md.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import torch
import typer
from rich.console import Console
from rich.progress import track

from benchmarks import pages, report
from benchmarks.sections import Rows, Section, Target, count
from benchmarks.truth.compared import METHODS, TOLERANCE, Question, expected, explain, explainer_of, largest, numbers
from benchmarks.truth.shipped import QUESTIONS, shipped, truth_of
from espalier.text import read

MOVES = "asiv-published"

EXPLANATION = (
    "Every method that asks only for outputs explains the next word of ten prompts on the shipped transformer, with "
    "beginnings shared and rows batched as always; and again with every value from plain transformers, which know "
    "nothing of that: absent words masked where they stand, all 2^n coalitions of a prompt in one table. A number "
    "is the largest absolute difference between any two numbers of the results, in log-odds. Of MAHE the ranking of "
    "groups is taken over: networks are trained on the values for it, and groups that are nearly tied are ordered "
    "by rounding. ASIV as published writes words in other words' places, and on some of those texts single "
    "precision itself is off: where a method differs by more than the tolerance, the number behind the stroke is "
    "how far plain transformers in single precision are from those in double."
)


def main(
    quick: Annotated[bool, typer.Option(help="The two shortest prompts; writes nothing.")] = False,
) -> None:
    """Compare all methods on all prompts, say the largest difference of each, and write it down."""
    run, questions = pages.Run(), QUESTIONS[:2] if quick else QUESTIONS
    found = [differences(each) for each in track(questions, "prompts", console=Console(stderr=True))]
    section = described(questions, found)
    report.show(Console(), section)
    if not quick:
        report.write(section, run)
    raise typer.Exit(0 if all(target.met for target in section.targets) else 1)


def differences(question: Question) -> dict[str, tuple[float, float | None]]:
    """By method: how far it is from plain transformers, and where that is too far, how far those are from themselves in
    double precision."""
    truth, explainer = truth_of(question), explainer_of(shipped())
    precise = cache(lambda: truth_of(question, torch.float64))
    apart: dict[str, tuple[float, float | None]] = {}
    for name in METHODS:
        found = explain(explainer, question, name, truth.size)
        plainly = numbers(expected(found, question, truth))
        own = largest(numbers(found), plainly)
        unsure = largest(plainly, numbers(expected(found, question, precise()))) if own > TOLERANCE else None
        apart[name] = own, unsure
    explainer.close()
    return apart


def described(questions: Sequence[Question], found: Sequence[dict[str, tuple[float, float | None]]]) -> Section:
    prompts = [
        (
            f"{place}. “{question.text}” → “{question.outcome.strip()}”"
            + (f" rather than “{question.against.strip()}”" if question.against else ""),
            count(2 ** len(read(question.text).words)),
            f"{max(own for own, _ in each.values()):.1e}",
        )
        for place, (question, each) in enumerate(zip(questions, found, strict=True), 1)
    ]
    methods = [
        (name, *(f"{each[name][0]:.1e}" + (f" / {each[name][1]:.1e}" if each[name][1] else "") for each in found))
        for name in METHODS
    ]
    return Section(
        "Next words against a brute force",
        EXPLANATION,
        [
            Rows("By prompt", ("", "coalitions", "largest difference"), prompts),
            Rows("By method", ("", *(str(place + 1) for place in range(len(questions)))), methods),
        ],
        [_target(f"{len(METHODS) - 1} methods", [name for name in METHODS if name != MOVES], found), *_moved(found)],
    )


def _target(who: str, names: Sequence[str], found: Sequence[dict[str, tuple[float, float | None]]]) -> Target:
    worst = max(each[name][0] for each in found for name in names)
    claim = f"{who} on next words: as a brute force with plain transformers, {len(found)} prompts of 5 to 11 words"
    return Target(claim, f"≤ {TOLERANCE:.0e}", f"{worst:.1e}", worst <= TOLERANCE)


def _moved(found: Sequence[dict[str, tuple[float, float | None]]]) -> list[Target]:
    """Where single precision itself is further off than that, nobody can do better by more than luck."""
    target = _target(MOVES, [MOVES], found)
    plainly = max((each[MOVES][1] or 0.0 for each in found), default=0.0)
    if target.met or not plainly:
        return [target]
    return [replace(target, got=f"{target.got} (single precision: {plainly:.1e})")]


if __name__ == "__main__":
    typer.run(main)
