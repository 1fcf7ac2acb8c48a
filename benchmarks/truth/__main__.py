"""`python -m benchmarks.truth [--quick]`: every method against a brute force on the shipped transformer, ten prompts.

A few minutes on two quiet cores; the table is written into docs/benchmarks.md.
"""

import os
from collections.abc import Sequence
from typing import Annotated

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer
from rich.console import Console
from rich.progress import track

from benchmarks import pages, report
from benchmarks.sections import Rows, Section, Target, count
from benchmarks.truth.apart import Apart, differences
from benchmarks.truth.compared import METHODS, TOLERANCE, Question
from benchmarks.truth.shipped import QUESTIONS
from espalier.text import read

EXPLANATION = (
    "Every method that asks only for outputs explains the next word of ten prompts on the shipped transformer, with "
    "beginnings shared and rows batched as always; and again with every value from plain transformers, which know "
    "nothing of that: absent words masked where they stand, all 2^n coalitions of a prompt in one table. A number "
    "is the largest absolute difference between any two numbers of the results, in log-odds. Of MAHE the ranking of "
    "groups is taken over: networks are trained on the values for it, and groups that are nearly tied are ordered "
    "by rounding. ASIV as published writes words in other words' places, and on some of those texts single "
    "precision itself is off. Where a method differs by more than the tolerance, two more numbers follow: how far "
    "plain transformers in single precision are from those in double, and how far the method is from the brute force "
    "where both are computed in double precision."
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


def described(questions: Sequence[Question], found: Sequence[dict[str, Apart]]) -> Section:
    prompts = [
        (
            f"{place}. “{question.text}” → “{question.outcome.strip()}”"
            + (f" rather than “{question.against.strip()}”" if question.against else ""),
            count(2 ** len(read(question.text).words)),
            f"{max(apart.own for apart in each.values()):.1e}",
        )
        for place, (question, each) in enumerate(zip(questions, found, strict=True), 1)
    ]
    methods = [(name, *(str(each[name]) for each in found)) for name in METHODS]
    return Section(
        "Next words against a brute force",
        EXPLANATION,
        [
            Rows("By prompt", ("", "coalitions", "largest difference"), prompts),
            Rows("By method", ("", *(str(place + 1) for place in range(len(questions)))), methods),
        ],
        _targets(found),
    )


def _targets(found: Sequence[dict[str, Apart]]) -> list[Target]:
    """All methods as they are used; where single precision itself is further off than is wanted, in double."""
    claim = f"as a brute force with plain transformers, {len(found)} prompts of 5 to 11 words"
    unsure = [name for name in METHODS if any(each[name].double is not None for each in found)]
    sure = [name for name in METHODS if name not in unsure]
    worst = max(each[name].own for each in found for name in sure)
    return [
        Target(f"{len(sure)} methods on next words: {claim}", f"≤ {TOLERANCE:.0e}", f"{worst:.1e}", worst <= TOLERANCE),
        *(
            Target(
                f"{name} on next words, in double precision where single is not enough: {claim}",
                f"≤ {TOLERANCE:.0e}",
                f"{(settled := max(each[name].settled for each in found)):.1e} (in single precision "
                f"{max(each[name].own for each in found):.1e}, in which plain transformers are "
                f"{max(each[name].single or 0.0 for each in found):.1e} from themselves)",
                settled <= TOLERANCE,
            )
            for name in unsure
        ),
    ]


if __name__ == "__main__":
    typer.run(main)
