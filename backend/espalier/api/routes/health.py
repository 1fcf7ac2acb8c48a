"""For whoever keeps the server running."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from espalier.api import problems
from espalier.api.dependencies import EngineDep

router = APIRouter(prefix="/health", tags=["health"])


class Health(BaseModel):
    status: Literal["alive", "ready"]


@router.get("/live")
async def live() -> Health:
    """The process answers."""
    return Health(status="alive")


@router.get("/ready", responses={503: problems.RESPONSES["4XX"] | {"description": "Still loading"}})
async def ready(engine: EngineDep) -> Health:
    """A worker has the parser and the first model of the catalog loaded, and the store can be asked."""
    if not (await engine.status()).ready:
        raise problems.NotReady("the first model and the parser are not loaded: wait, or see the server's log")
    return Health(status="ready")
