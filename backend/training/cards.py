"""What commands write onto a model's card: one table at the end of what was measured."""

from collections.abc import Sequence
from pathlib import Path

SECTION = "## Measured\n"


def put_in_table(card: Path, rows: Sequence[Sequence[str]]) -> None:
    """Put a table at the end of the section of what was measured, in the place of the one that was written before,
    which is known by the first word of its heading."""
    written = card.read_text(encoding="utf-8")
    before, found, rest = written.partition(SECTION)
    if not found:
        raise ValueError(f"no place on a card: got {card} without {SECTION.strip()!r}")
    section, heading, after = rest.partition("\n## ")
    mark = f"| {rows[0][0].partition(' ')[0]} "
    kept = [block.strip("\n") for block in section.split("\n\n") if not block.lstrip("\n").startswith(mark)]
    blocks = [*(block for block in kept if block), _markdown(rows)]
    ending = f"\n\n## {after}" if heading else "\n"
    card.write_text(f"{before}{found}\n" + "\n\n".join(blocks) + ending, encoding="utf-8")


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    ruled = "|" + "|".join(["---", *["---:"] * (len(rows[0]) - 1)]) + "|"
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], ruled, *lines[1:]])
