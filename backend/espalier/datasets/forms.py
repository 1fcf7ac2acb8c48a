"""How texts are given: what an owner of a study, or of a run, fills in."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from espalier.fields import Name, Several, Text

MAX_DATASET = 20_000

LARGEST_FILE = 100_000_000
"""Characters, and bytes on this machine. A request's body is smaller by far."""

FileName = Annotated[str, Field(max_length=255)]
"""As long as file systems let it be."""


class Form(BaseModel):
    """A part of a design. Unknown fields are refused, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Row(Form):
    """One text of a dataset and, where it is known, the class a careful reader gives it."""

    text: Text
    label: Name | None = None


class Samples(Form):
    """The project's own sentences."""

    kind: Literal["samples"] = "samples"
    task: Name = Field(default="sentiment", description="Which sentences: sentiment, emotion or topic.")


class Rows(Form):
    """Texts given directly."""

    kind: Literal["rows"] = "rows"
    rows: Several[Row] = Field(min_length=1, max_length=MAX_DATASET)


class File(Form):
    """The contents of a file with a header line (TSV, CSV) or one object a line (JSONL)."""

    kind: Literal["file"] = "file"
    name: FileName = Field(description="Its ending says the format.", examples=["reviews.tsv"])
    content: str = Field(max_length=LARGEST_FILE)
    text_column: Name | None = Field(default=None, description="`text` or `sentence` when left out.")
    label_column: Name | None = Field(default=None, description="`label` or `class` when left out and there is one.")


class Kept(Form):
    """Texts that were given once and are the study's own now: see its items."""

    kind: Literal["kept"] = "kept"
    name: FileName
    rows: int


Dataset = Annotated[Samples | Rows | File | Kept, Field(discriminator="kind")]
