"""How much a field of a request may hold: names, texts, lists. One place, so that two forms do not differ.

What is no text at all (a NUL, half a character) is refused for whole bodies where they come in (`api/strict_json.py`).
"""

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema

LONGEST_NAME = 200
"""Characters of what is chosen by its name: a model, a class, a column, a file."""

LONGEST_TEXT = 100_000
"""Characters: more than any model here reads. A longer line of a file is mostly a quotation mark that was never
closed."""

LONGEST_PROSE = 20_000
"""Characters that an owner writes for people to read, such as what they consent to: ten pages."""

MOST_PARAMETERS = 50
"""Settings of a method; none has more than a dozen."""

LEFT_OUT = "x-left-out-where-null"
"""Marks a field of an answer, in its JSON schema, that is not written where it has no value. All others always are."""

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Prose = Annotated[str, Field(max_length=LONGEST_PROSE)]


@dataclass(frozen=True, slots=True)
class FirstError:
    """A list is refused with its first wrong item: an error for each of a million would take seconds, and gigabytes.

    pydantic's own `FailFast` cannot be part of a union: it has no hash.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        if schema["type"] != "tuple":
            raise TypeError(f"only a tuple stops at its first error: got {schema['type']}")
        return cast(CoreSchema, {**schema, "fail_fast": True})


Item = TypeVar("Item")
Several = Annotated[tuple[Item, ...], FirstError()]
"""`Several[Name] = Field(max_length=8)`: a list in a request."""
