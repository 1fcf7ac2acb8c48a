"""What a study's owner is told."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from espalier.fields import Several
from espalier.studies.design import Recruiting, StudyDesign, Texts
from espalier.studies.session import StudyShown, TaskDocument

StudyStatus = Literal["preparing", "failed", "ready", "published", "paused", "closed"]


class Preparation(BaseModel):
    """Choosing texts and explaining them."""

    candidates: int = Field(description="Texts in the dataset.")
    examined: int = Field(description="Texts looked at so far.")
    kept: int = Field(description="Texts that have become items.")
    wanted: int
    removed: dict[str, int] = Field(description="Texts left out, by the filter that did it.")
    explanations: int = Field(description="Explanations computed so far.")
    note: str | None = Field(default=None, description="Such as: fewer items than wanted, and why.")
    problem: str | None = Field(default=None, description="Why it failed.")


class Votes(BaseModel):
    """Tasks of real people."""

    needed: int
    answered: int
    reserved: int = Field(description="Held by people who are at it.")


class People(BaseModel):
    arrived: int
    finished: int
    simulated: int


class Links(BaseModel):
    """For recruiting. Provider fills in what stands in double braces or dollar braces."""

    plain: str | None
    prolific: str | None
    mturk: str | None = Field(description="The ExternalURL of an ExternalQuestion.")
    rehearsal: str = Field(description="For rehearsing: answers made through it are marked as simulated.")


class Condition(BaseModel):
    model: str
    method: str


class StudyDocument(BaseModel):
    id: str
    status: StudyStatus
    created: datetime
    published: datetime | None
    closed: datetime | None
    design: StudyDesign = Field(description="As given, without the uploaded texts: see the items.")
    seed: int
    classes: list[str]
    conditions: list[Condition]
    texts: Texts = Field(description="What people read: the owner's words, or the defaults.")
    preparation: Preparation
    votes: Votes
    people: People
    links: Links


class StudyLine(BaseModel):
    """A study in the list."""

    id: str
    title: str
    protocol: str
    status: StudyStatus
    created: datetime
    items: int
    answered: int
    needed: int


class StudyList(BaseModel):
    studies: list[StudyLine]


class ShownFor(BaseModel):
    """What one condition shows of an item."""

    model: str
    method: str
    prediction: str
    probability: float
    phrase: str
    words: list[int]


class ItemDocument(BaseModel):
    """An item as its owner may see it."""

    id: str
    number: int
    kind: Literal["task", "attention", "practice"]
    text: str
    label: str | None
    shown: list[ShownFor]
    votes: int


class ItemList(BaseModel):
    items: list[ItemDocument]


class Preview(BaseModel):
    """Exactly what an annotator gets, without anybody having taken part."""

    study: StudyShown
    practice: list[TaskDocument]
    tasks: list[TaskDocument] = Field(description="Every item once, attention checks last.")


class StudyChange(BaseModel):
    """What may still be changed: recruiting always, texts and title until people see them."""

    title: str | None = Field(default=None, min_length=1, max_length=200)
    texts: Texts | None = None
    recruiting: Recruiting | None = None


class Doubt(BaseModel):
    """Something that happened so many times, and last when."""

    reason: str = Field(examples=["another-session"])
    says: str
    times: int
    last: datetime


class PersonDocument(BaseModel):
    """One participant, by number. The provider's id is only in exports that ask for it."""

    person: int
    simulated: bool
    stage: str
    joined: datetime
    finished: datetime | None
    tasks: int
    answered: int
    attention_failed: int
    attention_checks: int
    median_milliseconds: float | None
    left_out: list[str] = Field(description="Reasons why the answers are not counted; none: they are.")
    doubts: list[Doubt] = Field(default=[], description="What speaks against this being who they say.")


class PersonList(BaseModel):
    people: list[PersonDocument]
    refused: list[Doubt] = Field(default=[], description="Of those who were not let in.")


class LinksWanted(BaseModel):
    """Links for people of whom a name or code is known."""

    model_config = ConfigDict(extra="forbid")

    names: Several[Annotated[str, Field(min_length=1, max_length=100)]] = Field(min_length=1, max_length=1000)
    days: int = Field(default=30, ge=1, le=365, description="How long they let people in.")


class PersonLink(BaseModel):
    name: str
    address: str


class PersonLinks(BaseModel):
    """Each lets in one person, as often as they come."""

    links: list[PersonLink]
    until: datetime


class PersonChange(BaseModel):
    """Leave a person's answers out of the results, or take them in again. Nothing is deleted."""

    excluded: bool
    reason: str = Field(default="", max_length=500)
