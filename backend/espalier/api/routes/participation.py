"""An annotator's session. Its token opens nothing but these calls."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request

from espalier.api.dependencies import StudiesDep
from espalier.studies.desk import Desk
from espalier.studies.providers import Visitor
from espalier.studies.records.people import UnknownToken
from espalier.studies.session import Answer, Answered, Finish, Join, Joined, SessionDocument

router = APIRouter(tags=["participation"])


def _desk(studies: StudiesDep) -> Desk:
    return studies.desk


def _token(
    authorization: Annotated[str | None, Header(description="Bearer, and the token.")] = None,
) -> str:
    kind, _, token = (authorization or "").partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise UnknownToken
    return token.strip()


DeskDep = Annotated[Desk, Depends(_desk)]
TokenDep = Annotated[str, Depends(_token)]


# Not `async`, here and below: the store is waited for in a thread, and the server goes on answering.
@router.post("/sessions")
def come_in(join: Join, desk: DeskDep, request: Request) -> Joined:
    """Take part in a study, or go on where one stopped. The same person never gets a second session."""
    address = request.client.host if request.client else "unknown"
    return desk.join(join, Visitor(address, request.url.hostname or ""))


@router.get("/session")
def show_session(desk: DeskDep, token: TokenDep) -> SessionDocument:
    """Where the person stands: all that the page needs."""
    return desk.session(token)


@router.post("/session/stages")
def finish_stage(finish: Finish, desk: DeskDep, token: TokenDep) -> SessionDocument:
    """Consent is given, or the instructions are read."""
    return desk.finish(token, finish.stage)


@router.post("/session/answers")
def answer_task(answer: Answer, desk: DeskDep, token: TokenDep) -> Answered:
    """Keep an answer. The first one to a task counts; repeating it changes nothing."""
    return desk.answer(token, answer)


@router.post("/session/completion")
def complete_session(desk: DeskDep, token: TokenDep) -> SessionDocument:
    """What ends the participation at the provider, once all tasks are answered."""
    return desk.complete(token)
