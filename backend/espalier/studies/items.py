"""What can be shown to people of one text: kept with the study, so that it can be shown again exactly."""

from pydantic import BaseModel, ConfigDict

from espalier.studies.session import WordShown


class Feature(BaseModel):
    """Words that an explanation scores as one; positive: they speak for the explained class."""

    model_config = ConfigDict(frozen=True)

    words: tuple[int, ...]
    score: float


class Shows(BaseModel):
    """What one condition shows of a text."""

    model_config = ConfigDict(frozen=True)

    model: str
    method: str
    classes: tuple[str, ...]
    prediction: str
    probability: float
    top: Feature
    groups: tuple[Feature, ...]


class ItemContent(BaseModel):
    """A text, its conditions in the order of the design, and for checks and practice the right answer.

    `expected`: for coherence one answer a condition; for preference the number of the better condition, as text.
    `fixed_order`: the text speaks of a letter, so the conditions must be displayed as they are.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    label: str | None = None
    words: tuple[WordShown, ...]
    shows: tuple[Shows, ...]
    expected: tuple[str, ...] = ()
    why: str = ""
    fixed_order: bool = False
