"""How texts are given: what an owner of a study, or of a run, fills in."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_DATASET = 20_000


class Form(BaseModel):
    """A part of a design. Unknown fields are refused, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Row(Form):
    """One text of a dataset and, where it is known, the class a careful reader gives it."""

    text: str
    label: str | None = None


class Samples(Form):
    """The project's own sentences."""

    kind: Literal["samples"] = "samples"
    task: str = Field(default="sentiment", description="Which sentences: sentiment, emotion or topic.")


class Rows(Form):
    """Texts given directly."""

    kind: Literal["rows"] = "rows"
    rows: tuple[Row, ...] = Field(min_length=1, max_length=MAX_DATASET)


class File(Form):
    """The contents of a file with a header line (TSV, CSV) or one object a line (JSONL)."""

    kind: Literal["file"] = "file"
    name: str = Field(description="Its ending says the format.", examples=["reviews.tsv"])
    content: str
    text_column: str | None = Field(default=None, description="`text` or `sentence` when left out.")
    label_column: str | None = Field(default=None, description="`label` or `class` when left out and there is one.")


class Kept(Form):
    """Texts that were given once and are the study's own now: see its items."""

    kind: Literal["kept"] = "kept"
    name: str
    rows: int


Dataset = Annotated[Samples | Rows | File | Kept, Field(discriminator="kind")]
