"""What an owner decides about a study before anybody sees it."""

from typing import Literal

from pydantic import Field, model_validator

from espalier.datasets.forms import Dataset, Form, Samples
from espalier.fields import Name, Prose, Several, Text
from espalier.models.catalog import default_model

Protocol = Literal["coherence", "preference"]
Provider = Literal["plain", "prolific", "mturk"]

NO_GUESS = "n/a"
"""The answer of a person who cannot tell. It is never coherent."""


class Filters(Form):
    """Which texts may become items. Each one that is on is applied; the study says how many texts each removed."""

    minimum_words: int = Field(default=1, ge=1, le=400)
    maximum_words: int = Field(default=60, ge=1, le=400)
    uniform_lengths: bool = Field(default=False, description="As many items of each length as of any other.")
    correctly_classified: bool = Field(default=False, description="Only texts that all models of the study get right.")
    has_interaction: bool = Field(default=False, description="Only where an explanation joins two words or more.")
    polarity_differs: bool = Field(
        default=False,
        description="Preference only: where the joined words speak for another class than the same words one by one.",
    )

    @model_validator(mode="after")
    def _ordered(self) -> "Filters":
        if self.minimum_words > self.maximum_words:
            raise ValueError(f"no length is possible: got {self.minimum_words} to {self.maximum_words} words")
        return self


class Gold(Form):
    """An attention check: a text, what is shown of it, and the answer anybody who reads it gives."""

    text: Text
    phrase: Text = Field(description="The line that is shown, part of the text.")
    answer: Name


class PracticeItem(Form):
    """A task with feedback, before the ones that count."""

    text: Text
    phrases: Several[Text] = Field(min_length=1, max_length=6, description="Lines, each part of the text.")
    answers: Several[Name] = Field(min_length=1, max_length=6)
    why: Prose = Field(description="Shown after the answer.")

    @model_validator(mode="after")
    def _paired(self) -> "PracticeItem":
        if len(self.phrases) != len(self.answers):
            raise ValueError(f"each line needs its answer: got {len(self.phrases)} lines, {len(self.answers)} answers")
        return self


class Texts(Form):
    """What people read. Empty ones become the defaults, which the study document then shows."""

    consent: Prose = ""
    instructions: Prose = ""
    thanks: Prose = ""


class Recruiting(Form):
    """Where people come from."""

    providers: Several[Provider] = Field(default=("plain",), min_length=1, max_length=3)
    completion_code: str | None = Field(
        default=None, max_length=100, description="The code Prolific gave for this study."
    )
    signed: bool = Field(
        default=False,
        description="Let people in by signed links only: Prolific's secured ones, or those made for each person.",
    )
    prolific_study: str | None = Field(
        default=None, max_length=100, description="Prolific's id of the study: signed links of others are refused."
    )


class StudyDesign(Form):
    """A study. Everything that is not given has a value that makes a sound study."""

    title: str = Field(min_length=1, max_length=200)
    protocol: Protocol
    dataset: Dataset = Samples()
    models: Several[Name] = Field(
        default_factory=lambda: (default_model(),),
        min_length=1,
        max_length=6,
        description="The first of the catalog when left out.",
    )
    methods: Several[Name] = Field(
        min_length=1,
        max_length=8,
        description="Coherence: any. Preference: two; the question is whether people prefer the second.",
    )
    filters: Filters = Filters()
    items: int = Field(default=20, ge=1, le=2000, description="How many texts to ask about.")
    votes: int = Field(default=3, ge=1, le=100, description="How many people judge each item (in each condition).")
    items_per_person: int = Field(default=20, ge=1, le=500, description="At most.")
    people: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description="How many people are recruited; the tasks are spread over all of them.",
    )
    screen: Literal["together", "apart"] = Field(
        default="together",
        description="Coherence: all explanations of a text on one screen, as in the paper, or one for each person.",
    )
    show_prediction: bool = Field(
        default=False, description="Preference: name the explained class. Needed where there are more than two classes."
    )
    attention_checks: int = Field(default=1, ge=0, le=10, description="For each person, hidden among the tasks.")
    gold: Several[Gold] = Field(default=(), max_length=50, description="Own attention checks; ours when empty.")
    practice: Several[PracticeItem] | None = Field(
        default=None, max_length=50, description="Ours when left out; [] for none."
    )
    minimum_milliseconds: int = Field(default=1000, ge=0, description="Faster answers are left out of the results.")
    reclaim_minutes: int = Field(
        default=60,
        ge=1,
        le=10_080,
        description="After so long without a sign of life a person's open tasks go to others.",
    )
    texts: Texts = Texts()
    recruiting: Recruiting = Recruiting()
    seed: int | None = Field(
        default=None, ge=0, lt=2**32, description="Fixes everything drawn; recorded when left out."
    )

    @model_validator(mode="after")
    def _sound(self) -> "StudyDesign":
        for name, given in (("models", self.models), ("methods", self.methods)):
            if len(set(given)) != len(given):
                raise ValueError(f"the same of {name} twice: got {', '.join(given)}")
        if self.protocol == "preference" and len(self.methods) != 2:
            raise ValueError(f"a preference needs two methods: got {len(self.methods)}")
        if self.protocol == "preference" and (self.gold or self.practice):
            raise ValueError(
                "own practice and gold items are lines with answers: got preference, possible is coherence"
            )
        if self.protocol == "coherence" and self.screen == "together" and len(self.models) * len(self.methods) > 26:
            raise ValueError(
                f"too many lines for one screen: got {len(self.models) * len(self.methods)}, possible are 26"
            )
        if self.protocol == "coherence" and self.filters.polarity_differs:
            raise ValueError("polarity_differs compares two explanations: got coherence, possible is preference")
        return self
