"""`python -m benchmarks.thesis [--passages 200]`: 20 minutes on two quiet cores; it goes on where it was stopped."""

import os
from typing import Annotated

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks import report
from benchmarks.sections import Section
from benchmarks.thesis import page
from benchmarks.thesis.measured import Explained, Run
from benchmarks.thesis.passages import CONTEXT, passages
from espalier.commands.first_use import wait_until_ready
from espalier.models.catalog import catalog

FULL = 200
RUNS = (Run("word-lstm-lm", 1024), Run("word-lstm-lm", 192), Run("smollm2", 192))


def main(
    count: Annotated[int, typer.Option("--passages", help="Of 35 words each; the page is written from 200.")] = FULL,
) -> None:
    """Explain next words of many passages and say which of the thesis' findings held."""
    console = Console()
    texts = passages(count)
    found: dict[Run, list[Explained]] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        for run in RUNS:
            wait_until_ready(catalog().source(run.model))
            task = bar.add_task(f"{run.model}, {run.budget} coalitions", total=count)
            found[run] = run.measure(texts, lambda task=task: bar.advance(task))  # type: ignore[misc]
    report.show(console, Section("The thesis, tested again", f"{count} passages", [page.rows(found)], []))
    for line in page.verdicts(found):
        console.print(line, highlight=False)
    if count >= FULL:
        page.write(found, count, CONTEXT)
        console.print(f"Written: {page.PAGE}")


if __name__ == "__main__":
    typer.run(main)
