"""What the diagnostics found, as documents."""

from pydantic import BaseModel, Field

from espalier.scale import Scale
from espalier.statistics.documents import MeanInterval, RatioInterval


class Linearity(BaseModel):
    """Mean correlation over texts, of words and of phrases."""

    words: MeanInterval
    phrases: MeanInterval


class Depth(BaseModel):
    """Of the `top` nodes of each text: 1 is a word."""

    top: int
    depth: MeanInterval
    chance: MeanInterval = Field(description="Of as many nodes drawn at random.")
    difference: MeanInterval
    p: float = Field(description="Two-sided, by flipping signs, that the difference is chance; not corrected.")


class ContrastWord(BaseModel):
    """Scores over the average one of a node: 1 is like any other."""

    word: str
    alone: RatioInterval = Field(description="The word's own node.")
    parent: RatioInterval = Field(description="The smallest phrase that has more than the word.")
    parent_among_phrases: RatioInterval = Field(description="The same over the average score of a phrase.")


class Interacting(BaseModel):
    average: MeanInterval = Field(description="Absolute score of a node, the mean of each text's mean.")
    words: list[ContrastWord]


class Fitted(BaseModel):
    """One side of the test. Loss and accuracy where texts have labels; the test does not use them."""

    variance: MeanInterval = Field(description="Of the absolute scores of a text's nodes.")
    loss: float | None
    accuracy: float | None


class OverfittingTest(BaseModel):
    train: Fitted
    test: Fitted
    difference: float = Field(description="Mean variance of test texts minus that of training texts.")
    p: float = Field(description="One-sided, that test texts have no larger variance: (b + 1)/(m + 1).")
    permutations: int


class ModelDiagnosis(BaseModel):
    model: str
    texts: int = Field(description="Explained; the others are left out, see `left_out`.")
    linearity: Linearity | None = Field(description="None without a linear model.")
    depths: list[Depth]
    contrast: Interacting
    overfitting: OverfittingTest | None = Field(description="None without training texts.")


class LeftOut(BaseModel):
    """A text that one of the models could not be explained on."""

    model: str
    text: str
    reason: str


class Diagnosis(BaseModel):
    """All that section 5 of the LS-Tree paper measures, for each model on the same texts."""

    texts: int
    training_texts: int
    linear: str | None
    scale: Scale
    seed: int
    models: list[ModelDiagnosis]
    left_out: list[LeftOut]
