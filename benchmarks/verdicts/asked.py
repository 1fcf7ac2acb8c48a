"""What the page is about: which texts, how many of them, and where what is measured stays."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.verdicts.interactions import Kept
from espalier.datasets.forms import Dataset, Row, Samples
from espalier.datasets.rows import rows_of
from espalier.datasets.uploads import read_file
from espalier.lab.run_design import drawn
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".cache" / "verdicts"
FOUND = Path(__file__).parent / "found"
"""What parts of the usual run found, a file for each, committed: the page is written from it, and hours of measuring on
one machine are not lost on the next."""

RANKED = 200
"""Texts that rankings are measured on where nobody says how many: a transformer takes half a minute for each."""

UNDER_REFERENCES = 30
"""Those on which ASIV is asked under four references, of which three take many texts for each coalition."""


@dataclass(frozen=True)
class Asked:
    """What the page is about. None is "not there": what needs it is not measured."""

    file: Path | None = None
    train: Path | None = None
    corpus: Path | None = None
    epochs: Path | None = None
    texts: int | None = None
    passages: int = 0
    kept: Path = KEPT
    found: Path | None = None
    """Where what parts found is kept, if not beside the rest."""

    @property
    def evidence(self) -> Path:
        return self.found or self.kept

    @cached_property
    def dataset(self) -> Dataset:
        return Samples(task="sentiment") if self.file is None else read_file(self.file)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All of them, or as many as are wanted: what is cheap is measured on all."""
        return drawn(rows_of(self.dataset), self.texts, 0)

    @cached_property
    def training(self) -> tuple[Row, ...]:
        """As many training texts as there are others, and none of those."""
        if self.train is None:
            return ()
        own = {row.text for row in self.rows}
        return drawn(tuple(row for row in rows_of(read_file(self.train)) if row.text not in own), len(self.rows), 0)

    @cached_property
    def sentences(self) -> list[str]:
        return [row.text for row in rows_of(self.dataset if self.corpus is None else read_file(self.corpus))]

    @property
    def source(self) -> str:
        return "the project's sentiment samples" if self.file is None else self.file.name

    def ranked(self, most: int = RANKED) -> int:
        return most if self.texts is None else min(self.texts, most)

    @property
    def labelled(self) -> list[tuple[str, str]]:
        return [(row.text, row.label) for row in rows_of(self.dataset) if row.label is not None]

    def interactions(self, model: str) -> Kept:
        return Kept(self.kept, revision(model))


def revision(model: str) -> str | None:
    """What stands for its weights, without loading them."""
    return Shelf(catalog()).get(model).revision
