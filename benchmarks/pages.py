"""Pages of the documentation that are measured section by section.

A run writes its own sections and leaves the others as they are, so every section says from which run it is. The page
itself is what is kept: whoever has the repository has all sections.
"""

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.sections import Row, Rows, Section

DOCS = Path(__file__).parent.parent / "docs"
TARGETS: Row = ("target", "wanted", "got", "met")

_MEASURED = ("backend", "benchmarks", "frontend/src")
_HEADING = re.compile(r"^(?=## )", re.MULTILINE)


def _revision() -> str:
    """What was measured, and whether it had been changed since."""
    said = [
        subprocess.run(["git", *command], cwd=DOCS.parent, capture_output=True, text=True, check=False).stdout.strip()
        for command in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "--", *_MEASURED))
    ]
    return (said[0] or "unknown") + (" with changes" if said[1] else "")


@dataclass(frozen=True, slots=True)
class Run:
    """When something was measured, on what, and beside what: taken down as it begins."""

    date: str = field(default_factory=lambda: datetime.now(UTC).date().isoformat())
    revision: str = field(default_factory=_revision)
    load: float = field(default_factory=lambda: os.getloadavg()[0])

    def __str__(self) -> str:
        return (
            f"*Measured on {self.date} at revision {self.revision}: {platform.machine()}, {os.cpu_count()} cores, "
            f"Python {platform.python_version()}, load {self.load:.1f} when it began.*"
        )


def write(page: Path, opening: str, section: Section, run: Run) -> None:
    """Put a section in the place of the one of its title, or at the end; all targets stand together at the top."""
    written = page.read_text(encoding="utf-8") if page.is_file() else ""
    sections = {_title(each): each.rstrip() for each in _HEADING.split(written)[1:]}
    sections[section.title] = _body(section, run).rstrip()
    targets = [row for each in sections.values() for row in _targets(each)]
    summary = [markdown(Rows("", TARGETS, targets)).rstrip()] if targets else []
    parts = [opening.rstrip(), *summary, *sections.values()]
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def put_in(page: Path, name: str, tables: Sequence[Rows], run: Run) -> None:
    """Put tables into a page that people write, in the place that its comments mark as `name`."""
    start, end = f"<!-- measured: {name} -->", "<!-- measured -->"
    written = page.read_text(encoding="utf-8")
    before, found, rest = written.partition(start)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"{page.name} has no place for what was measured: got {name!r}, needed are {start} and {end}")
    body = "\n".join([str(run) + "\n", *map(markdown, tables)])
    page.write_text(f"{before}{start}\n\n{body}\n{end}{after}", encoding="utf-8")


def markdown(rows: Rows) -> str:
    """A table, its title above it."""
    lines = [f"### {rows.title}\n"] if rows.title else []
    lines.append("| " + " | ".join(rows.columns) + " |")
    lines.append("|" + "|".join("---:" if place else "---" for place in range(len(rows.columns))) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in rows.rows]
    return "\n".join(lines) + "\n"


def _title(section: str) -> str:
    return section.partition("\n")[0].removeprefix("## ").strip()


def _body(section: Section, run: Run) -> str:
    targets = [(target.claim, target.wanted, target.got, "yes" if target.met else "no") for target in section.targets]
    tables = [*([Rows("", TARGETS, targets)] if targets else []), *section.tables]
    return "\n".join([f"## {section.title}\n\n{run}\n\n{section.explanation}\n", *map(markdown, tables)])


def _targets(section: str) -> list[Row]:
    """The rows of a section's own table of targets."""
    _, found, rest = section.partition("| " + " | ".join(TARGETS) + " |\n")
    lines = rest.partition("\n\n")[0].splitlines()[1:] if found else []
    return [tuple(line.removeprefix("| ").removesuffix(" |").split(" | ")) for line in lines]
