"""For whoever keeps the server running."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from espalier.api import problems
from espalier.api.dependencies import EngineDep, ShelfDep

router = APIRouter(prefix="/health", tags=["health"])


class Health(BaseModel):
    status: Literal["alive", "ready"]
    problems: list[str] = Field(
        default=[], description="Models that cannot be loaded: the catalog says why. The others are served."
    )


@router.get("/live")
async def live() -> Health:
    """The process answers."""
    return Health(status="alive")


@router.get("/ready", responses={503: problems.RESPONSES["4XX"] | {"description": "Still loading"}})
async def ready(engine: EngineDep, shelf: ShelfDep) -> Health:
    """A worker has the parser and the first model of the catalog loaded, and the store can be asked. A model that
    cannot be loaded is named, and keeps nobody from the others."""
    if not (await engine.status()).ready:
        raise problems.NotReady("the first model and the parser are not loaded: wait, or see the server's log")
    return Health(status="ready", problems=[f"{name} cannot be loaded" for name in shelf.problems])
