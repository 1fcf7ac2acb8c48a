"""What a study found, as documents. Every number is computed from raw rows by `statistics`."""

from typing import Literal

from pydantic import BaseModel, Field

from espalier.statistics.documents import Agreement, Binomial, Share
from espalier.studies.design import Protocol

Rule = Literal["simulated", "attention", "fast", "extra", "excluded"]


class Coherence(BaseModel):
    """Guesses that equal the model's prediction. N/A is not coherent."""

    model: str | None = Field(description="None: all models together.")
    method: str | None = Field(description="None: all methods together.")
    coherent: Share
    no_guess: int
    items: int
    item_low: float | None = Field(
        description="95% interval of the item bootstrap: people who judge the same text share it."
    )
    item_high: float | None
    median_milliseconds: float | None


class PairedTest(BaseModel):
    """Two conditions on the same items."""

    family: Literal["methods", "models"]
    within: str = Field(description="What both have in common.")
    first: str
    second: str
    items: int
    difference: float | None = Field(description="Share of the first minus share of the second, mean over items.")
    low: float | None = Field(description="95% interval of the item bootstrap.")
    high: float | None
    only_first: int = Field(description="Items whose majority is coherent for the first only.")
    only_second: int
    mcnemar: float | None = Field(description="Exact, two-sided.")
    mcnemar_holm: float | None
    bootstrap: float | None = Field(description="Two-sided p of the item bootstrap.")
    bootstrap_holm: float | None


class Preference(BaseModel):
    """Majorities for the second method."""

    model: str | None
    first: str
    second: str
    majorities: Share = Field(description="Items whose majority prefers the second; ties are not counted.")
    ties: int
    test: Binomial
    votes: Share
    shown_first: Share = Field(description="Votes for whatever stood first: about half, unless position matters.")


class Times(BaseModel):
    """Milliseconds a screen."""

    median: float | None
    lower_quartile: float | None
    upper_quartile: float | None


class Exclusion(BaseModel):
    """A rule, whether it is in force, and what it leaves out."""

    rule: Rule
    applied: bool
    people: int
    answers: int
    says: str


class ItemResult(BaseModel):
    """The votes of one item, for the plots."""

    item: str
    text: str
    model: str | None
    method: str | None
    votes: dict[str, int]
    prediction: str | None
    majority: str | None


class ResultsDocument(BaseModel):
    study: str
    title: str
    protocol: Protocol
    simulated: bool = Field(description="Results of a rehearsal.")
    people: int
    answers: int
    exclusions: list[Exclusion]
    coherence: list[Coherence]
    comparisons: list[PairedTest]
    preference: list[Preference]
    agreement: Agreement
    times: Times
    attention: Share = Field(description="Attention checks passed.")
    items: list[ItemResult]
    paragraph: str = Field(description="For the methods section of a paper.")
    seed: int
