"""Numbers with their uncertainty, as documents. Importing them loads no statistics library."""

from pydantic import BaseModel, Field


class Share(BaseModel):
    """A share with its 95% Wilson interval; nothing where there is nothing to count."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None


class Binomial(BaseModel):
    """Is it more than half? Each p says its test."""

    exact_one_sided: float | None
    exact_two_sided: float | None
    normal_one_sided: float | None = Field(description="Normal approximation without continuity correction.")


class Agreement(BaseModel):
    units: int
    ratings: int
    alpha: float | None = Field(description="Krippendorff's alpha, nominal; none where it is not defined.")
    fleiss: float | None = Field(description="Fleiss' kappa; none unless all units have equally many ratings.")


class MeanInterval(BaseModel):
    """A mean over sentences with its 95% bootstrap interval; nothing where nothing, or too little, was measured."""

    mean: float | None
    low: float | None
    high: float | None
    n: int


class RatioInterval(BaseModel):
    """A ratio of two means with its 95% bootstrap interval over sentences; no interval from fewer than five."""

    ratio: float | None
    low: float | None
    high: float | None
    sentences: int = Field(description="With something to count above the line.")
    count: int = Field(description="How often there was something, in all sentences.")


class Correlation(BaseModel):
    """Spearman's rho with its 95% bootstrap interval over groups of items; nothing from fewer than ten groups, or where
    one of the two scores is everywhere the same."""

    rho: float | None
    low: float | None
    high: float | None
    p: float | None = Field(description="Two-sided, by setting groups beside each other at random.")
    items: int
    groups: int
