"""What routes ask for."""

from typing import Annotated

from fastapi import Depends, Request

from espalier.engine.protocol import Engine
from espalier.models.describe import Shelf
from espalier.studies.service import Studies


def _engine(request: Request) -> Engine:
    engine: Engine = request.app.state.engine
    return engine


def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


def _studies(request: Request) -> Studies:
    studies: Studies = request.app.state.studies
    return studies


def _client(request: Request) -> str:
    """Who asks, for fairness and quotas: the key's name where keys are used, else the address."""
    known: str | None = getattr(request.state, "client", None)
    return known or f"address:{request.client.host if request.client else 'unknown'}"


EngineDep = Annotated[Engine, Depends(_engine)]
ShelfDep = Annotated[Shelf, Depends(_shelf)]
StudiesDep = Annotated[Studies, Depends(_studies)]
ClientDep = Annotated[str, Depends(_client)]
