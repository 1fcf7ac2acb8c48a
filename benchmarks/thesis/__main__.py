"""`python -m benchmarks.thesis [--passages 200]`: half an hour on two quiet cores; goes on where it was stopped."""

import os
from functools import partial
from typing import Annotated

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer
from rich.console import Console

from benchmarks import pages, report
from benchmarks.sections import Section
from benchmarks.thesis import page
from benchmarks.thesis.measured import Explained, Run
from benchmarks.thesis.passages import CONTEXT, passages
from benchmarks.thesis.time_left import TimeLeft
from espalier.commands.first_use import wait_until_ready
from espalier.models.catalog import catalog

FULL = 200
RUNS = (
    Run("word-lstm-lm", 1024, 0.5),
    Run("word-lstm-lm", 192, 0.2),
    Run("word-lstm-lm", 192, 6.0, "conditional", most=40),
    Run("smollm2", 192, 7.0),
)


def main(
    count: Annotated[int, typer.Option("--passages", help="Of 35 words each; the page is written from 200.")] = FULL,
) -> None:
    """Explain next words of many passages and say which of the thesis' findings held."""
    console, aside, when = Console(), Console(stderr=True), pages.Run()
    texts = passages(count)
    for run in RUNS:
        wait_until_ready(catalog().source(run.model))
    missing = {run: run.missing(texts) for run in RUNS}
    left = TimeLeft(sum(run.seconds * number for run, number in missing.items()), aside)
    aside.print(f"{sum(missing.values())} explanations to make: about {left.minutes:.0f} minutes on two quiet cores")
    found: dict[Run, list[Explained]] = {}
    for run in RUNS:
        of = f"{run.name}, {len(run.texts(texts))} passages"
        found[run] = run.measure(texts, partial(left.advance, run.seconds, of))
    report.show(console, Section("The thesis, tested again", f"{count} passages", [page.rows(found)], []))
    for line in page.verdicts(found):
        console.print(line, highlight=False)
    if count >= FULL:
        page.write(found, count, CONTEXT, when)
        console.print(f"Written: {page.PAGE}")


if __name__ == "__main__":
    typer.run(main)
