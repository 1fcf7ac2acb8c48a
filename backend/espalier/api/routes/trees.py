"""Parse trees over the words of a text."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from espalier.api.dependencies import EngineDep, InTurn
from espalier.api.problems import Unavailable
from espalier.api.words import WordDocument

router = APIRouter(tags=["trees"], responses=Unavailable.RESPONSES)


class TreeRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = Field(examples=["The music is lovely, but the film is not."])


class NodeDocument(BaseModel):
    """Words from `start` up to `end`."""

    start: int
    end: int
    labels: list[str] = Field(description="The chain of labels from top to bottom; empty where the parser gives none.")
    children: list[int] = Field(description="Indices of the children in `nodes`, in reading order; none for a word.")


class TreeDocument(BaseModel):
    words: list[WordDocument]
    nodes: list[NodeDocument] = Field(description="The root first, every parent before its children.")


@router.post("/trees", dependencies=[InTurn])
async def make_tree(request: TreeRequest, engine: EngineDep) -> TreeDocument:
    """The constituency tree. Several sentences stand under one root."""
    return TreeDocument.model_validate(await engine.parse(request.text))
