"""Sections as tables in the terminal and in a page of the documentation."""

from rich.console import Console
from rich.table import Table as RichTable

from benchmarks import pages
from benchmarks.sections import Section, Target

PAGE = pages.DOCS / "benchmarks.md"

OPENING = """# Benchmarks

Made by `make bench` (`python -m benchmarks`, with the names of some parts to measure only those) and `make waits` (many
texts, ladders, a busy machine): each section is from a run of its own and says from which. Seconds are by the clock on
the wall, on a machine that does nothing else; compare them within one section only. What carries over are the ratios
and the evaluations.

The model is the shipped `sst2-minilm` unless said otherwise, and the sentences are the project's own samples. Other
libraries are installed for the benchmark only.
"""


def show(console: Console, section: Section) -> None:
    """One section in the terminal."""
    console.rule(section.title)
    console.print(section.explanation, style="dim", highlight=False)
    for rows in section.tables:
        table = RichTable(title=rows.title or None, title_justify="left")
        for place, column in enumerate(rows.columns):
            table.add_column(column, justify="right" if place else "left", no_wrap=place > 0)
        for row in rows.rows:
            table.add_row(*row)
        console.print(table)
    for target in section.targets:
        console.print(f"[{'green' if target.met else 'red'}]{_verdict(target)}[/]: {target.claim}", highlight=False)


def write(section: Section, run: pages.Run) -> None:
    """One section in the page, the others as they are."""
    pages.write(PAGE, OPENING, section, run)


def _verdict(target: Target) -> str:
    return f"{'met' if target.met else 'missed'} (wanted {target.wanted}, got {target.got})"
