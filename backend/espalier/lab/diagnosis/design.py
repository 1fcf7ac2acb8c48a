"""A diagnosis: a dataset, models, and what is to be found out about them."""

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator

from espalier.datasets.forms import Dataset, Row
from espalier.datasets.rows import rows_of
from espalier.fields import Name, Several
from espalier.lab.diagnosis.interactions import Sought, sought
from espalier.lab.run_design import RunDesign, drawn, each_once
from espalier.scale import Scale

Diagnostic = Literal["linearity", "depth", "contrast", "overfitting", "fit", "context-free"]
DIAGNOSTICS: tuple[Diagnostic, ...] = get_args(Diagnostic)
OF_LS_TREE: frozenset[Diagnostic] = frozenset(("linearity", "depth", "contrast", "overfitting"))

Interaction = Annotated[Several[Name], Field(min_length=2, max_length=4)]

MOST_INTERACTIONS = 8

MOST_CHECKPOINTS = 24
"""Models of a diagnosis: a training of so many epochs is looked at as a whole."""


class DiagnosisDesign(RunDesign):
    """Everything that decides a diagnosis. The same design on the same models gives the same rows."""

    models: Several[Name] = Field(
        min_length=1,
        max_length=MOST_CHECKPOINTS,
        description="Of the catalog. Checkpoints of a training, in their order, are models like any other.",
    )
    diagnostics: Several[Diagnostic] = Field(
        default=("depth", "contrast"),
        min_length=1,
        max_length=len(DIAGNOSTICS),
        description="What is found out: linearity (correlation with the linear model), depth (of top nodes), contrast "
        "(scores of words of contrast), overfitting (spread of scores on training texts and others), fit (error of "
        "local fits by number of interactions), context-free (whether interactions have the same sign everywhere).",
    )
    linear: Name | None = Field(
        default=None, description="The bag of words that models are compared with, for linearity: such as sst2-bow."
    )
    training: Dataset | None = Field(
        default=None,
        description="Texts that the models were trained on, for overfitting; `most_texts` are drawn of them.",
    )
    scale: Scale = Field(default="log_probability", description="What LS-Tree's scores are measured in.")
    interactions: Several[Interaction] = Field(
        default=(),
        max_length=MOST_INTERACTIONS,
        description="For context-free: words in their order, any number of words between them.",
        examples=[[["not", "good"]]],
    )
    most_matching: int = Field(
        default=40, ge=2, le=1_000, description="Texts with an interaction's words that are asked about, at most."
    )
    random_pairs: int = Field(
        default=10, ge=0, le=40, description="Random pairs of words, as frequent, to compare an interaction with."
    )
    draws: int = Field(default=1_000, ge=100, le=20_000, description="Of a local fit, around each text; at least.")

    # Again: the field is another one here.
    _models_once = field_validator("models")(each_once)
    _several_once = field_validator("diagnostics", "interactions")(each_once)

    @property
    def compares_with(self) -> str | None:
        """The linear model, where it is asked for anything."""
        return self.linear if "linearity" in self.diagnostics else None

    @property
    def spreads(self) -> bool:
        """Whether training texts are asked about, too."""
        return "overfitting" in self.diagnostics

    @property
    def scores(self) -> bool:
        """Whether LS-Tree is asked at all."""
        return not OF_LS_TREE.isdisjoint(self.diagnostics)

    @property
    def fits(self) -> bool:
        """Whether something is fitted around texts."""
        return not {"fit", "context-free"}.isdisjoint(self.diagnostics)

    def training_texts(self) -> tuple[Row, ...]:
        """None where nothing is asked about them."""
        if not self.spreads or self.training is None:
            return ()
        return drawn(rows_of(self.training), self.most_texts, self.seed)

    def sought(self, texts: Sequence[Row]) -> list[Sought]:
        """The interactions, and in which of the texts they are asked about."""
        if "context-free" not in self.diagnostics:
            return []
        given = [row.text for row in texts]
        return sought(self.interactions, given, self.most_matching, self.random_pairs, self.seed)
