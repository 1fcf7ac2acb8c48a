"""Parse trees over the words of a text."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from espalier.api.dependencies import WorkroomDep
from espalier.api.words import WordDocument, words_of
from espalier.text import read

router = APIRouter(tags=["trees"])


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


@router.post("/trees")
def make_tree(request: TreeRequest, workroom: WorkroomDep) -> TreeDocument:
    """The constituency tree. Several sentences stand under one root."""
    passage = read(request.text)
    tree = workroom.parser().parse(passage)
    return TreeDocument(
        words=words_of(passage),
        nodes=[
            NodeDocument(start=node.start, end=node.end, labels=list(node.labels), children=list(node.children))
            for node in tree.nodes
        ],
    )
