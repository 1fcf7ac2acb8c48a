"""What an edit shows, as documents."""

from typing import Literal

from pydantic import BaseModel, Field

from espalier.lab.documents import RunDocument
from espalier.lab.edits.design import EditDesign
from espalier.lab.interactions.editing import Accuracy
from espalier.statistics.documents import Share

Doing = Literal["waiting", "beginning", "teaching", "before", "after", "accuracy"]


class EditDocument(RunDocument):
    """A run that edits a model."""

    total: int = Field(description="Work, in evaluations of the model: at most about so many.")
    done: int = Field(description="Of that. A process that was ended begins again.")
    design: EditDesign
    doing: Doing | None = Field(
        description="While it runs: waiting for another edit to end, fitting the edited text, teaching, asking other "
        "texts of the original and of the edited model, counting right answers."
    )
    tested: int = Field(description="Labelled texts beside the others, for the accuracy.")
    model: str | None = Field(description="The edited model as the catalog calls it; null where there is none (yet).")


class EditedModel(BaseModel):
    """A model that was edited here, by a run or by the command."""

    name: str
    of: str
    words: list[str]
    text: str
    target: str
    strength: float | None
    edit: str | None = Field(description="The run that made it, where one did.")


class EditList(BaseModel):
    """Runs, and the models that are there, whoever made them."""

    edits: list[EditDocument]
    models: list[EditedModel]
    refused: str | None = Field(description="Why no model can be edited on this server; null where one can.")


class TurnedText(BaseModel):
    """The term of the words in one other text, with its standard error, before and after."""

    text: str
    before: float
    before_error: float
    after: float
    after_error: float


class EditResults(BaseModel):
    """What an edit did."""

    edit: str
    model: str = Field(description="As the catalog calls the edited model, unless it was undone.")
    of: str
    words: tuple[str, ...]
    text: str
    target: str
    strength: float
    steps: int = Field(description="Of the teaching, those that were kept.")
    kept: int = Field(description="Other texts that were taught to stay as they are.")
    error_before: float = Field(description="Squared error of the taught log-odds on rows that were not taught.")
    error_after: float
    here_before: float = Field(description="The term in the edited text.")
    here_after: float
    matching: int = Field(description="Other texts with these words.")
    held_out: int = Field(description="So many of them could be asked about.")
    before: Share = Field(description="Other texts whose term has the sign that it has in the edited text.")
    after: Share = Field(description="Other texts whose term has the opposite sign in the edited model.")
    turned: Share = Field(description="Of those with the sign before, those with the opposite one after.")
    accuracy: Accuracy | None = Field(description="Of labelled texts, with the points lost; none without such texts.")
    occurrences: list[TurnedText]
    seconds: float = Field(description="What the process took.")
    seed: int
    warnings: list[str]
    paragraph: str = Field(description="For a paper.")
