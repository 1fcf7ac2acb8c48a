"""What a part of the benchmark gives back: tables, what they mean, and whether a target was met."""

from dataclasses import dataclass
from pathlib import Path

KEPT = Path(__file__).parent.parent / ".cache" / "benchmarks"
"""What runs leave for the next ones, which go on where they were stopped."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A table. The first column is text, the others are numbers."""

    title: str
    columns: Row
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Target:
    """Something the project sets out to reach, and what came out."""

    claim: str
    wanted: str
    got: str
    met: bool


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the benchmark."""

    title: str
    explanation: str
    tables: list[Rows]
    targets: list[Target]


def count(number: int) -> str:
    return f"{number:,}"


def seconds(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def times(ratio: float) -> str:
    return f"{ratio:,.0f} ×" if ratio >= 10 else f"{ratio:.2f} ×"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 1 else f"{100 * share:.0f} %"
