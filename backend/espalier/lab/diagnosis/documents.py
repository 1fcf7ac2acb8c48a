"""What a diagnosis shows, as documents."""

from pydantic import BaseModel, Field

from espalier.diagnostics.documents import Depth, Interacting, Linearity, OverfittingTest
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.documents import RunDocument
from espalier.lab.interactions.context_free import ContextFree
from espalier.lab.interactions.fit import FitLine


class DiagnosisDocument(RunDocument):
    """A run that diagnoses models."""

    training_texts: int = Field(description="Texts beside the others, for the test of overfitting.")
    design: DiagnosisDesign


class DiagnosisList(BaseModel):
    diagnoses: list[DiagnosisDocument]


class HeavyText(BaseModel):
    """A text with a word of contrast, and the absolute score of the smallest phrase that has more than the word."""

    word: str
    text: str
    score: float


class ModelFindings(BaseModel):
    """What was found out about one model. None, and an empty list, is what was not asked for, or not found yet."""

    model: str
    texts: int = Field(description="Texts that were diagnosed.")
    problems: dict[str, int] = Field(description="Why texts are left out, and how many.")
    linearity: Linearity | None
    depths: list[Depth]
    contrast: Interacting | None
    heaviest: list[HeavyText] = Field(description="For each word of contrast the texts in which it weighs most.")
    overfitting: OverfittingTest | None
    fit: FitLine | None
    context_free: list[ContextFree]


class Quantity(BaseModel):
    """A number that a text has, and the method that it is from."""

    name: str
    title: str
    method: str


class DiagnosisResults(BaseModel):
    """Everything is computed from rows."""

    diagnosis: str
    texts: int
    training_texts: int
    complete: bool
    seed: int
    models: list[ModelFindings]
    warnings: list[str]
    quantities: list[Quantity] = Field(description="What can be looked at text by text: see `points` and `rows`.")
    paragraph: str = Field(description="For a paper.")
