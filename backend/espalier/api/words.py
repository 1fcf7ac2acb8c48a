"""Words of a text, as every answer gives them."""

from pydantic import BaseModel, Field


class WordDocument(BaseModel):
    """`text` is exactly the text's characters from `start` to `end`, counted in Unicode code points."""

    text: str
    start: int = Field(ge=0)
    end: int = Field(ge=1)
