"""What a part of the benchmark gives back: tables, what they mean, and whether a target was met."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

KEPT = Path(__file__).parent.parent / ".cache" / "benchmarks"
"""One part can be measured again without the others: each section's numbers come from one run, its own."""

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


def keep(name: str, section: Section) -> None:
    """For the page that shows all sections."""
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{name}.json").write_text(json.dumps(asdict(section)), encoding="utf-8")


def recall(name: str) -> Section | None:
    """What was kept of the latest run of a part, if it ever ran in full."""
    file = KEPT / f"{name}.json"
    if not file.is_file():
        return None
    kept = json.loads(file.read_text(encoding="utf-8"))
    tables = [Rows(**rows) for rows in kept["tables"]]
    return Section(kept["title"], kept["explanation"], tables, [Target(**target) for target in kept["targets"]])


def count(number: int) -> str:
    return f"{number:,}"


def seconds(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def times(ratio: float) -> str:
    return f"{ratio:,.0f} ×" if ratio >= 10 else f"{ratio:.2f} ×"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 1 else f"{100 * share:.0f} %"
