"""What routes ask for."""

from typing import Annotated

from fastapi import Depends, Request

from espalier.api.workroom import Workroom


def _workroom(request: Request) -> Workroom:
    workroom: Workroom = request.app.state.workroom
    return workroom


WorkroomDep = Annotated[Workroom, Depends(_workroom)]
