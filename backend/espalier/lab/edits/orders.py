"""What the process that makes an edit is told, once, and what it says, line by line."""

from pathlib import Path

from pydantic import BaseModel

from espalier.lab.edits.design import EditDesign
from espalier.lab.edits.documents import EditResults
from espalier.lab.edits.plan import Work


class Order(BaseModel):
    """Everything that an edit is made of. The folder is where the edit is made, under the name that it will have."""

    run: str
    design: EditDesign
    texts: list[str]
    labelled: list[tuple[str, str]]
    matching: int
    kept: int
    work: Work
    folder: Path
    catalog: Path
    direct: tuple[str, ...]
    edits: Path
    bytes: int


class Said(BaseModel):
    """How much is done; at the end what came out, or why nothing did. What `passes` is tried again."""

    done: int = 0
    results: EditResults | None = None
    problem: str | None = None
    passes: bool = False
