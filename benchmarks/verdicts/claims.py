"""What a paper says, as one comparison of two sides."""

from dataclasses import dataclass
from typing import Literal

MODELS = {"LSTM": "sst2-lstm", "CNN": "sst2-cnn", "BERT": "sst2-minilm"}
"""A paper's model and the shipped one that stands for it. MiniLM is a small BERT: the claim is about the kind."""

Test = Literal["paired", "unpaired", "half", "constant", "own"]
"""How two sides are compared: the same texts under two conditions (sign flips); different texts (permutations); yes or
no against one half (exact binomial); means against a constant, where nothing says that they lie symmetrically around it
(bootstrap); or by what the part that measured it says (`Outcome`)."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two that are compared: a method on a model, with a reference where it is not the usual one."""

    method: str
    model: str
    published: float | None
    """None where a paper has a picture only."""
    reference: str | None = None

    @property
    def line(self) -> str:
        """What its column is called."""
        return self.method if self.reference is None else f"{self.method} ({self.reference})"


@dataclass(frozen=True, slots=True)
class Claim:
    """`first` is said to be better than `second`: higher, or lower where lower is better. `percent` is the share of
    words for measures with curves. `better` is the measure's own direction when left out."""

    paper: str
    says: str
    measure: str
    first: Side
    second: Side
    percent: int | None = 20
    better: Literal["higher", "lower"] | None = None
    test: Test = "paired"

    @property
    def family(self) -> str:
        """The paper without the table: its claims are corrected for together, and stand together."""
        return self.paper.split(",")[0]
