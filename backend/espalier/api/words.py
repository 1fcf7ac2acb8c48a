"""Words of a text, as every answer gives them."""

from pydantic import BaseModel, Field

from espalier.text import Passage


class WordDocument(BaseModel):
    """`text` is exactly the text's characters from `start` to `end`, counted in Unicode code points."""

    text: str
    start: int = Field(ge=0)
    end: int = Field(ge=1)


def words_of(passage: Passage) -> list[WordDocument]:
    return [WordDocument(text=word.text, start=word.start, end=word.end) for word in passage.words]
