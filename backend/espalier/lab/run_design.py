"""What every run of the Lab has, whatever it finds out: texts, models, a seed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import Field, field_validator

from espalier.datasets.forms import Dataset, Form, Kept, Row, Samples
from espalier.datasets.rows import rows_of
from espalier.fields import Name, Several
from espalier.models.describe import Described, Shelf
from espalier.problems import NotSupported, Problem
from espalier.text import read

MOST_MODELS = 8
FEW_TEXTS = 30


def each_once(given: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(each for index, each in enumerate(given) if each not in given[:index])


class RunDesign(Form):
    """Which texts, on which models."""

    title: str = Field(default="", max_length=200)
    dataset: Dataset = Samples()
    models: Several[Name] = Field(min_length=1, max_length=MOST_MODELS)
    most_texts: int | None = Field(
        default=None, ge=1, description="So many texts are drawn of the dataset; all when left out."
    )
    seed: int = Field(default=0, ge=0, lt=2**32)

    _models_once = field_validator("models")(each_once)

    def texts(self) -> tuple[Row, ...]:
        """Those that are measured: all, or as many as are wanted, drawn by the seed and kept in order."""
        return drawn(rows_of(self.dataset), self.most_texts, self.seed)


def drawn(rows: tuple[Row, ...], most: int | None, seed: int) -> tuple[Row, ...]:
    """So many of the rows, in their order; all when there are no more, or no number is given."""
    if most is None or most >= len(rows):
        return rows
    chosen = np.sort(np.random.default_rng(seed).permutation(len(rows))[:most])
    return tuple(rows[index] for index in chosen)


def kept_dataset(dataset: Dataset, rows: int) -> Dataset:
    """What a design keeps of its texts once they are stored with the run."""
    return dataset if isinstance(dataset, Samples) else Kept(name=getattr(dataset, "name", "rows"), rows=rows)


def classifier(name: str, shelf: Shelf) -> Described:
    """A model that says classes; others are refused."""
    model = shelf.get(name)
    if model.says != "classes":
        possible = [each.entry.name for each in shelf.described() if each.says == "classes"]
        raise NotSupported(
            f"the Lab measures explanations of classifiers: got {name}, possible are {', '.join(possible)}"
        )
    return model


@dataclass(frozen=True, slots=True)
class Lengths:
    """Length in words to number of texts, and how many texts cannot be read."""

    words: dict[int, int]
    unreadable: int

    @staticmethod
    def of(texts: Sequence[Row]) -> "Lengths":
        words: Counter[int] = Counter()
        unreadable = 0
        for row in texts:
            try:
                words[len(read(row.text).words)] += 1
            except Problem:
                unreadable += 1
        return Lengths(dict(words), unreadable)

    def above(self, most: int) -> int:
        """Texts with more words than this."""
        return sum(count for size, count in self.words.items() if size > most)

    def warnings(self, texts: int) -> list[str]:
        found = []
        if self.unreadable:
            found.append(f"{self.unreadable} texts cannot be read; their rows will say so")
        if texts < FEW_TEXTS:
            found.append(f"{texts} texts are few: intervals will be wide and most differences undecided")
        return found
