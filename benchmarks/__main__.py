"""`python -m benchmarks [part …] [--quick] [--processor-time]`.

Each full run by the clock on the wall writes its part of docs/benchmarks.md and leaves the others.
"""

import os
import sys
from collections.abc import Callable
from typing import Annotated

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer
from rich.console import Console

from benchmarks import (
    accuracy,
    asiv_speed,
    clock,
    gpu,
    hedge_speed,
    ls_tree_speed,
    next_word_values,
    next_words,
    overhead,
    pages,
    references_overhead,
    report,
    same_numbers,
    shared_pool,
)
from benchmarks.bench import Bench
from benchmarks.sections import Section

PARTS: dict[str, Callable[[Bench], Section | str]] = {
    "hedge": hedge_speed.measure,
    "asiv": asiv_speed.measure,
    "shapley": accuracy.shapley,
    "interactions": accuracy.interactions,
    "same-numbers": same_numbers.measure,
    "overhead": overhead.measure,
    "overhead-of-filling-in": references_overhead.measure,
    "ls-tree": ls_tree_speed.measure,
    "pool": shared_pool.measure,
    "next-words": next_words.measure,
    "next-word-values": next_word_values.measure,
    "gpu": gpu.measure,
}
"""What each gives back: a section, or a line that says why there is none on this machine."""


def main(
    parts: Annotated[list[str] | None, typer.Argument(help=f"Which parts to run: {', '.join(PARTS)}.")] = None,
    quick: Annotated[bool, typer.Option(help="Shorter sentences, fewer repeats: to see whether it runs.")] = False,
    processor_time: Annotated[
        bool, typer.Option("--processor-time", help="Processor seconds on one thread: for a machine with other work.")
    ] = False,
) -> None:
    """Measure this project against the published procedures and other libraries."""
    for part in parts or []:
        if part not in PARTS:
            print(f"unknown part: got {part!r}, possible are {', '.join(PARTS)}", file=sys.stderr)
            raise typer.Exit(2)
    if processor_time:
        clock.use_processor_time()
    console, bench = Console(), Bench(quick)
    for name in parts or PARTS:
        run = pages.Run()
        with console.status(f"{name} …"):
            section = PARTS[name](bench)
        if isinstance(section, str):
            console.print(section, highlight=False)
            continue
        report.show(console, section)
        if not quick and not processor_time:
            report.write(section, run)
            console.print(f"Written: {section.title} in {report.PAGE}")


typer.run(main)
