"""Simulated people who take part through the API, as browsers do, so that an owner can rehearse a study end to end."""

import asyncio
from collections.abc import Callable
from random import Random

import httpx
from pydantic import BaseModel, ConfigDict, Field

from espalier.problems import Problem
from espalier.studies.session import Answered, Joined, SessionDocument, TaskDocument
from espalier.studies.simulated import respond

AT_ONCE = 8
PATIENCE = 5
"""Tries of a request that the server is too busy for, or does not answer while it restarts."""


class RehearsalRefused(Problem):
    code = "rehearsal-refused"
    status = 409


class Rehearsal(BaseModel):
    """How many simulated people come, and how often they err."""

    model_config = ConfigDict(extra="forbid")

    people: int = Field(default=10, ge=1, le=1000)
    error_rate: float = Field(default=0.1, ge=0, le=1)
    seed: int = Field(default=0, ge=0, description="The same seed is the same people: they have taken part already.")


class RehearsalStarted(BaseModel):
    people: int


async def rehearse(
    client: httpx.AsyncClient,
    study: str,
    key: str,
    wanted: Rehearsal,
    on_finished: Callable[[], None] | None = None,
) -> int:
    """Let them all take part, some at a time; tells how many answered anything."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> bool:
        async with gate:
            answered = await take_part(client, study, key, wanted, number)
            if on_finished is not None:
                on_finished()
            return answered > 0

    return sum(await asyncio.gather(*(one(number) for number in range(1, wanted.people + 1))))


async def take_part(client: httpx.AsyncClient, study: str, key: str, wanted: Rehearsal, number: int) -> int:
    """One simulated person, from the door to the thanks; tells how many tasks it answered."""
    random = Random(f"{wanted.seed} {number}")
    parameters = {"rehearsal": key, "name": f"simulated {wanted.seed}-{number}"}
    joined = Joined.model_validate(await _post(client, "/v1/sessions", {"study": study, "parameters": parameters}))
    if joined.token is None:
        return 0
    headers = {"Authorization": f"Bearer {joined.token}"}
    session, answered = joined.session, 0
    while session.stage in ("consent", "instructions", "practice", "tasks"):
        if session.stage in ("consent", "instructions"):
            document = await _post(client, "/v1/session/stages", {"stage": session.stage}, headers)
            session = SessionDocument.model_validate(document)
            continue
        if session.task is None:
            break
        body = {
            "task": session.task.id,
            "answers": respond(session.task, random, wanted.error_rate),
            "milliseconds": reading_time(session.task, random),
        }
        answered += session.task.kind == "task"
        session = Answered.model_validate(await _post(client, "/v1/session/answers", body, headers)).session
    return answered


def reading_time(task: TaskDocument, random: Random) -> int:
    """About as long as a person takes: a third of a second a word, and two seconds for each decision."""
    return int(random.gammavariate(8, (len(task.words) * 300 + max(1, len(task.lines)) * 2000) / 8)) + 1000


async def _post(
    client: httpx.AsyncClient, path: str, body: dict[str, object], headers: dict[str, str] | None = None
) -> object:
    """Every call may be repeated without harm, so what gets no answer is sent again."""
    for attempt in range(PATIENCE):
        try:
            answer = await client.post(path, json=body, headers=headers)
        except httpx.TransportError:
            if attempt == PATIENCE - 1:
                raise
        else:
            if answer.is_success:
                found: object = answer.json()
                return found
            if answer.status_code not in (429, 503):
                raise RehearsalRefused(f"a simulated person was refused: {answer.json().get('detail', answer.text)}")
        await asyncio.sleep(0.5 * (attempt + 1))
    raise RehearsalRefused("the server stayed too busy for a rehearsal: possible is to try again later")
