"""What routes ask for. All of it is at hand: a function that is not `async` would be called on another thread."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Query, Request

from espalier.access import Caller
from espalier.engine.protocol import Engine
from espalier.engine.turns import Turns
from espalier.lab.service import Lab
from espalier.models.describe import Shelf
from espalier.studies.service import Studies


async def _engine(request: Request) -> Engine:
    engine: Engine = request.app.state.engine
    return engine


async def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


async def _studies(request: Request) -> Studies:
    studies: Studies = request.app.state.studies
    return studies


async def _lab(request: Request) -> Lab:
    lab: Lab = request.app.state.lab
    return lab


async def _caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


async def _client(request: Request) -> str:
    """Who asks, for fairness and quotas: the key's name where keys are used, else the address."""
    caller: Caller = request.state.caller
    return caller.client


EngineDep = Annotated[Engine, Depends(_engine)]
ShelfDep = Annotated[Shelf, Depends(_shelf)]
StudiesDep = Annotated[Studies, Depends(_studies)]
LabDep = Annotated[Lab, Depends(_lab)]


async def _turn(request: Request) -> AsyncIterator[None]:
    """The caller's turn to ask a small question, from now until the answer is made."""
    turns: Turns = request.app.state.turns
    async with turns.turn(request.state.caller.client):
        yield


# It ends with the answer, not when the client has taken it: a slow one would hold its turn.
InTurn = Depends(_turn, scope="function")


async def _dataset_turn(request: Request) -> AsyncIterator[None]:
    """The caller's turn to have a whole dataset read, or all rows of a run."""
    turns: Turns = request.app.state.dataset_turns
    async with turns.turn(request.state.caller.client):
        yield


DatasetInTurn = Depends(_dataset_turn, scope="function")
CallerDep = Annotated[Caller, Depends(_caller)]
ClientDep = Annotated[str, Depends(_client)]

# Of a run's sentences: one number of each of them, or a page of them with all numbers.
MeasureQuery = Annotated[str, Query(max_length=1_000, description="One of the run's.")]
AfterQuery = Annotated[int, Query(ge=0, le=10**9, description="The first text.")]
TextsQuery = Annotated[int, Query(ge=1, le=200)]
