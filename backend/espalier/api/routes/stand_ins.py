"""What a reference puts in the place of absent words, to be looked at."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from espalier.api.dependencies import EngineDep, InTurn
from espalier.api.problems import Unavailable
from espalier.api.words import WordDocument
from espalier.explain.request import BackgroundText, ExplanationRequest
from espalier.fields import Name, Several
from espalier.games.players import PlayerKind
from espalier.games.references import USUAL_REFERENCE, Fill, ReferenceName
from espalier.models.catalog import default_model

router = APIRouter(tags=["references"], responses=Unavailable.RESPONSES)

MOST_ABSENT = 1_000


class StandInsRequest(BaseModel):
    """A text on a model, a reference, and the players that are absent. The other fields are those of an explanation."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(examples=["The cast is uniformly excellent and relaxed."])
    pair: str | None = None
    model: Name = Field(default_factory=default_model, examples=["sst2-minilm"])
    reference: ReferenceName = Field(default=USUAL_REFERENCE, examples=[USUAL_REFERENCE])
    absent: Several[int] = Field(
        description="Players that are absent, counted from 0.", max_length=MOST_ABSENT, examples=[[1, 5, 6]]
    )
    background: Several[BackgroundText] | None = Field(default=None, max_length=200)
    fill: Fill | None = None
    draws: int | None = Field(default=None, ge=1, le=64)
    filler: Name | None = None
    players: PlayerKind = "words"
    spans: Several[tuple[int, int]] = Field(default=(), max_length=1_000)
    seed: int = Field(default=0, ge=0, lt=2**32)


class StandInWord(WordDocument):
    """A word, or what stands in for it, in the characters of the written text; empty where nothing is seen."""

    stands_in: bool


class StandInText(BaseModel):
    text: str = Field(description="What the explained model reads, in words.")
    marked: str = Field(
        description="The same with what stands in between brackets.",
        examples=["The [interior] is uniformly excellent [throughout] [.]."],
    )
    words: list[StandInWord] = Field(description="One for each word of the text that was given.")


class StandInsDocument(BaseModel):
    model: str
    revision: str
    reference: ReferenceName
    players: list[WordDocument] = Field(description="Who can be absent: the words that each covers, start up to end.")
    absent: list[int]
    texts: list[StandInText] = Field(description="One for each draw; values are averaged over them.")


@router.post("/stand-ins", dependencies=[InTurn])
async def show_stand_ins(request: StandInsRequest, engine: EngineDep) -> StandInsDocument:
    """The texts that a model reads in the place of this one when some words are absent."""
    asked = ExplanationRequest(method="leave-one-out", **request.model_dump(exclude={"absent"}))
    return StandInsDocument.model_validate(await engine.stand_ins(asked, request.absent))
