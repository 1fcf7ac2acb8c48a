"""What an annotator's browser is told: nothing about methods, models, the prediction, other people or results."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from espalier.studies.design import Protocol

Stage = Literal[
    "preview", "name", "consent", "instructions", "practice", "tasks", "finished", "full", "paused", "closed"
]


class Shown(BaseModel):
    model_config = ConfigDict(frozen=True)


class WordShown(Shown):
    """A word and its place in the text's characters."""

    text: str
    start: int
    end: int


class Line(Shown):
    """Coherence: one explanation, by its letter."""

    letter: str
    phrase: str = Field(description="The words shown, as they stand in the text; … where some between are left out.")
    words: tuple[int, ...] = Field(description="Indices of these words.")


class Group(Shown):
    """Words that are highlighted together, and how strongly."""

    words: tuple[int, ...]
    weight: float = Field(ge=-1, le=1, description="Negative: towards the first of `poles`; positive: the second.")


class Highlighted(Shown):
    """Preference: one explanation, by its letter. Every word is in at most one group."""

    letter: str
    groups: tuple[Group, ...]


class Option(Shown):
    """A possible answer. The first is key 1, the second key 2, and so on."""

    value: str
    label: str


class TaskDocument(Shown):
    """One screen."""

    id: str
    kind: Literal["practice", "task"]
    number: int = Field(description="From 1, within its kind.")
    of: int
    protocol: Protocol
    text: str
    words: tuple[WordShown, ...]
    options: tuple[Option, ...] = Field(description="Coherence: for each line. Preference: the letters A and B.")
    lines: tuple[Line, ...] = Field(default=(), description="Coherence: each is answered on its own.")
    explanations: tuple[Highlighted, ...] = Field(default=(), description="Preference: one is chosen.")
    poles: tuple[str, str] | None = Field(default=None, description="Preference: what the two colours speak for.")
    prediction: str | None = Field(default=None, description="Preference, and only if the owner lets it be shown.")


class ExampleLine(Shown):
    letter: str
    phrase: str
    answer: str


class Example(Shown):
    """The worked example under the instructions."""

    text: str
    lines: tuple[ExampleLine, ...]
    why: str


class StudyShown(Shown):
    id: str
    title: str
    protocol: Protocol
    consent: str
    instructions: str = Field(description="Paragraphs separated by empty lines.")
    thanks: str
    example: Example | None
    options: tuple[Option, ...]
    practice: int
    simulated: bool = Field(description="A rehearsal: the answers are marked and kept apart.")


class Progress(Shown):
    done: int
    total: int


class Feedback(Shown):
    """After a practice task."""

    task: str
    correct: bool
    expected: dict[str, str] = Field(description="Letter to answer; for preference the key is `choice`.")
    why: str


class SubmitForm(Shown):
    """MTurk: a form that the browser posts."""

    action: str
    fields: dict[str, str]


class Completion(Shown):
    """What ends the participation at the provider."""

    code: str
    url: str | None = Field(description="Prolific: where to go back to.")
    form: SubmitForm | None


class SessionDocument(Shown):
    """Everything the page needs to draw itself: after a refresh or on another device this is all it takes."""

    stage: Stage
    study: StudyShown
    progress: Progress
    task: TaskDocument | None
    feedback: Feedback | None = None
    completion: Completion | None = None


class Join(BaseModel):
    """Come in. The page sends the query of its address as it is; who recruits is read from it."""

    model_config = ConfigDict(extra="forbid")

    study: str = Field(max_length=100)
    parameters: dict[
        Annotated[str, Field(max_length=100)],
        Annotated[str, Field(max_length=8000)],  # Prolific's token is the longest by far
    ] = Field(default={}, max_length=20)
    name: str | None = Field(
        default=None, min_length=1, max_length=100, description="A name or code, for a plain link."
    )
    resume: bool = Field(default=False, description="A plain link: yes, I am the one who has begun under this name.")


class Joined(BaseModel):
    token: str | None = Field(description="For the header Authorization: Bearer …; none while nothing has begun.")
    session: SessionDocument


class Finish(BaseModel):
    """This stage is done. Saying so twice changes nothing."""

    model_config = ConfigDict(extra="forbid")

    stage: Literal["consent", "instructions"]


class Answer(BaseModel):
    """The answer to one screen."""

    model_config = ConfigDict(extra="forbid")

    task: str = Field(max_length=100)
    answers: dict[Annotated[str, Field(max_length=20)], Annotated[str, Field(max_length=200)]] = Field(
        max_length=100,
        description="Coherence: letter to option. Preference: {choice: A or B}.",
        examples=[{"A": "positive", "B": "n/a"}],
    )
    milliseconds: int = Field(ge=0, le=86_400_000, description="From the first drawing of the task to the answer.")


class Answered(BaseModel):
    """`saved` is false where an answer was there already: the first one counts, and nothing was changed."""

    saved: bool
    session: SessionDocument
