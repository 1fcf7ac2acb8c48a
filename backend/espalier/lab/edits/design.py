"""An edit: words of one text that are to do the opposite together, on one model."""

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from espalier.datasets.forms import Dataset, Form, Row, Samples
from espalier.datasets.rows import rows_of
from espalier.fields import Name, Several, Text
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.editing import Recipe


class EditDesign(Form):
    """Everything that decides an edit. The same design on the same model gives the same edit."""

    title: str = Field(default="", max_length=200, description="Of the run, and of the model in the catalog.")
    model: Name = Field(description="A classifier of the catalog: a word model with interactions, or a transformer.")
    words: Several[Name] = Field(
        min_length=2,
        max_length=4,
        description="In their order, any number of words between them.",
        examples=[["not", "good"]],
    )
    text: Text = Field(description="A text in which the words interact; of those with these words it alone is taught.")
    target: Name | None = Field(default=None, description="The class; the model's last one when left out.")
    dataset: Dataset = Field(
        default=Samples(), description="Texts: those with the words are asked about, others taught to stay as they are."
    )
    test: Dataset | None = Field(
        default=None,
        description="Labelled texts for the accuracy. When left out: half of the dataset's labelled ones, drawn by the "
        "seed, which are then not taught to stay.",
    )
    strength: float = Field(default=3.0, gt=1, le=10, description="c: the term becomes 1 - c times what it was.")
    rate: float | None = Field(default=None, gt=0, le=0.1, description="Of Adam; the family's usual when left out.")
    steps: int = Field(default=400, ge=1, le=5_000, description="At most.")
    keep: int = Field(
        default=1_000, ge=0, le=5_000, description="Other texts that are taught to stay as they are, at most."
    )
    most_matching: int = Field(
        default=40, ge=1, le=1_000, description="Other texts with the words that are asked about, at most."
    )
    draws: int = Field(default=1_000, ge=100, le=20_000, description="Of a local fit, around each text; at least.")
    seed: int = Field(default=0, ge=0, lt=2**32)

    @property
    def recipe(self) -> Recipe:
        return Recipe(strength=self.strength, rate=self.rate, steps=self.steps, keep=self.keep)

    @property
    def asking(self) -> Asking:
        return Asking(model=self.model, target=self.target, draws=self.draws, seed=self.seed)

    def texts(self) -> tuple[Row, ...]:
        return rows_of(self.dataset)

    def tested(self, texts: Sequence[Row]) -> list[Row]:
        """Labelled texts whose answers are counted; never the one that is taught."""
        if self.test is not None:
            found = [row for row in rows_of(self.test) if row.label is not None]
        else:
            labelled = [row for row in texts if row.label is not None]
            chosen = np.random.default_rng([self.seed, 1]).permutation(len(labelled))[: (len(labelled) + 1) // 2]
            found = [labelled[index] for index in sorted(chosen.tolist())]
        return [row for row in found if row.text != self.text]
