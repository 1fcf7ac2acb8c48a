"""What is served."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from espalier.api.dependencies import WorkroomDep
from espalier.text.passage import MAX_CHARACTERS

router = APIRouter(tags=["catalog"])


class CatalogModel(BaseModel):
    name: str = Field(description="What requests call it.", examples=["sst2-minilm"])
    title: str
    description: str


class Limits(BaseModel):
    characters: int = Field(description="Longest text that is read. A model may take less and says so when asked.")


class CatalogDocument(BaseModel):
    """What requests can name, and how much they can ask for."""

    models: list[CatalogModel] = Field(description="In the order in which they should be offered.")
    limits: Limits


@router.get("/catalog")
async def show_catalog(workroom: WorkroomDep) -> CatalogDocument:
    """Models that can be asked, and limits."""
    return CatalogDocument(
        models=[
            CatalogModel(name=entry.name, title=entry.title, description=entry.description)
            for entry in workroom.catalog.entries()
        ],
        limits=Limits(characters=MAX_CHARACTERS),
    )
