"""What a model says of a text: its class, or the word that comes next, or how surprising its words are."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from espalier.api.dependencies import EngineDep, InTurn
from espalier.api.problems import Unavailable
from espalier.api.words import WordDocument
from espalier.explain.explanation import RoundingRecord
from espalier.fields import LEFT_OUT, Name, Several
from espalier.models.catalog import default_model

router = APIRouter(tags=["predictions"], responses=Unavailable.RESPONSES)


MOST_WORDS = 64


class PredictionRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: Name = Field(
        default_factory=default_model,
        description="A name from the catalog; its first one when left out.",
        examples=["sst2-minilm"],
    )
    text: str = Field(examples=["The music is lovely, but the film is not."])
    pair: str | None = Field(default=None, description="The second text, for models that compare two.")
    outcomes: Several[Name] = Field(
        default=(),
        max_length=MOST_WORDS,
        description="For language models: next words to look at, exactly as they go on, mostly with a leading space.",
        examples=[[]],
    )
    count: int | None = Field(
        default=None,
        ge=0,
        le=MOST_WORDS,
        description="For language models: how many of the likeliest next words to look at; 8 unless words are given.",
    )


class ClassProbability(BaseModel):
    name: str
    probability: float = Field(ge=0, le=1)


class BeginningDocument(BaseModel):
    """What a language model is likeliest to go on with, where a word that was asked for begins so."""

    text: str = Field(description="The token.")
    probability: float = Field(ge=0, le=1)
    word: str = Field(description="The word that begins with it.")


class PredictionDocument(BaseModel):
    model: str
    revision: str = Field(description="Hash of the model's files: the same revision gives the same numbers.")
    label: str = Field(description="The most probable class, or next word.")
    classes: list[ClassProbability] = Field(
        description="All classes, in the model's order. Of a language model the likeliest next words, then those that "
        "were asked for, and last all others together."
    )
    words: list[WordDocument]
    tokens: int = Field(description="How many of the model's tokens the text takes, special ones included.")
    pieces: list[list[str]] | None = Field(
        default=None, description="Of a language model: the tokens of each word, in the order of `classes`."
    )
    beginning: BeginningDocument | None = Field(
        default=None,
        description="Of a language model: its likeliest token, where that is not among `classes` because a word that "
        "was asked for begins with it. `label` is then the likeliest of the others, not what the model would say.",
    )
    rounding: RoundingRecord | None = Field(
        default=None,
        exclude_if=lambda found: found is None,
        json_schema_extra={LEFT_OUT: True},
        description="Of a model in half precision: how far its probabilities may be from those in single precision.",
    )


@router.post("/predictions", dependencies=[InTurn])
async def make_prediction(request: PredictionRequest, engine: EngineDep) -> PredictionDocument:
    """Probabilities of all classes, or of next words. A text beyond the model's length is refused, never cut."""
    found = await engine.predict(request.model, request.text, request.pair, request.outcomes, request.count)
    return PredictionDocument.model_validate(found)


class SurpriseRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: Name = Field(description="A language model of the catalog.", examples=["smollm2"])
    text: str = Field(examples=["The capital of France is Munich."])
    count: int = Field(default=5, ge=0, le=MOST_WORDS, description="How many likely words are said for each place.")


class SurpriseWord(WordDocument):
    bits: float = Field(description="How surprising the word was after the words before it; 0 was certain.")
    pieces: list[str] = Field(description="The tokens it was read as.")
    candidates: list[ClassProbability] = Field(description="What was likely to come in its place, the likeliest first.")


class SurpriseDocument(BaseModel):
    model: str
    revision: str = Field(description="Hash of the model's files: the same revision gives the same numbers.")
    words: list[SurpriseWord]
    bits: float = Field(description="Of the whole text.")


@router.post("/surprise", dependencies=[InTurn])
async def measure_surprise(request: SurpriseRequest, engine: EngineDep) -> SurpriseDocument:
    """How surprising each word of a running text is to a language model, and what it expected instead."""
    return SurpriseDocument.model_validate(await engine.surprise(request.model, request.text, request.count))
