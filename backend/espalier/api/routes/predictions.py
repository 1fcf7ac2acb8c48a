"""What a model says of a text."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from espalier.api.dependencies import EngineDep
from espalier.api.problems import Unavailable
from espalier.api.words import WordDocument

router = APIRouter(tags=["predictions"], responses=Unavailable.RESPONSES)


class PredictionRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: str = Field(description="A name from the catalog.", examples=["sst2-minilm"])
    text: str = Field(examples=["The music is lovely, but the film is not."])
    pair: str | None = Field(default=None, description="The second text, for models that compare two.")


class ClassProbability(BaseModel):
    name: str
    probability: float = Field(ge=0, le=1)


class PredictionDocument(BaseModel):
    model: str
    revision: str = Field(description="Hash of the model's files: the same revision gives the same numbers.")
    label: str = Field(description="The most probable class.")
    classes: list[ClassProbability] = Field(description="All classes, in the model's order.")
    words: list[WordDocument]
    tokens: int = Field(description="How many of the model's tokens the text takes, special ones included.")


@router.post("/predictions")
async def make_prediction(request: PredictionRequest, engine: EngineDep) -> PredictionDocument:
    """Probabilities of all classes. A text beyond the model's length is refused, never cut."""
    return PredictionDocument.model_validate(await engine.predict(request.model, request.text, request.pair))
