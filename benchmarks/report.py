"""Sections as tables in the terminal and as a page of the documentation."""

import platform
from collections.abc import Iterable
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table as RichTable

from benchmarks import clock
from benchmarks.sections import Rows, Section, Target

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"

OPENING = """# Benchmarks

Made by `make bench` (`python -m benchmarks`), in one process on one machine ({machine}).
Seconds are {unit}; compare them within one run only.
What carries over are the ratios and the evaluations.

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


def _verdict(target: Target) -> str:
    return f"{'met' if target.met else 'missed'} (wanted {target.wanted}, got {target.got})"


def page(sections: Iterable[Section]) -> str:
    """All sections as Markdown, the targets first."""
    sections = list(sections)
    machine = f"{platform.machine()}, Python {platform.python_version()}, torch {torch.__version__}"
    targets = [target for section in sections for target in section.targets]
    parts = [OPENING.format(machine=machine, unit=clock.unit()), _markdown(_summary(targets))]
    for section in sections:
        parts.append(f"## {section.title}\n\n{section.explanation}\n")
        parts += [_markdown(rows) for rows in section.tables]
    return "\n".join(parts)


def _summary(targets: list[Target]) -> Rows:
    rows = [(target.claim, target.wanted, target.got, "yes" if target.met else "no") for target in targets]
    return Rows("", ("target", "wanted", "got", "met"), rows)


def _markdown(rows: Rows) -> str:
    lines = [f"### {rows.title}\n"] if rows.title else []
    lines.append("| " + " | ".join(rows.columns) + " |")
    lines.append("|" + "|".join("---:" if place else "---" for place in range(len(rows.columns))) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in rows.rows]
    return "\n".join(lines) + "\n"
