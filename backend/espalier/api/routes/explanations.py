"""Explanations as jobs: ask, look, listen, cancel."""

import re
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from espalier.access import Caller
from espalier.api.dependencies import CallerDep, ClientDep, EngineDep
from espalier.api.documents import JobDocument, job_json
from espalier.api.events import EventStream, stream
from espalier.api.problems import RESPONSES, Unavailable
from espalier.engine.protocol import Engine
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job, UnknownJob

router = APIRouter(tags=["explanations"], responses=Unavailable.RESPONSES)

LONGEST_WAIT = 60.0
"""Seconds; a client that wants to wait longer listens to the events."""

Lease = Annotated[
    float | None,
    Query(
        ge=5,
        le=3600,
        description="For interactive use: seconds without anybody listening to the events after which it is cancelled.",
    ),
]
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        description="The same key with the same request gives the same job again, however often it is sent.",
    ),
]
Prefer = Annotated[
    str | None,
    Header(description="`wait=N`: answer when the job has finished, or after N seconds (at most 60)."),
]

CREATED: dict[int | str, dict[str, object]] = {
    202: {
        "model": JobDocument,
        "description": "Accepted; the events tell how it goes",
        "headers": {
            "Location": {"description": "Where the job is from now on.", "schema": {"type": "string"}},
        },
    }
}


@router.post("/explanations", response_model=JobDocument, responses=CREATED, response_description="Finished already")
async def ask_for_explanation(
    request: ExplanationRequest,
    engine: EngineDep,
    client: ClientDep,
    lease: Lease = None,
    idempotency_key: IdempotencyKey = None,
    prefer: Prefer = None,
) -> Response:
    """Ask for an explanation. What was explained before is answered at once (200), everything else becomes a job (202).

    What cannot be done (too long, too many words for the method, no such class) is refused here, before any work.
    """
    job = await engine.submit(request, client=client, lease=lease, idempotency_key=idempotency_key)
    if (seconds := _wait(prefer)) and not job.is_finished:
        job = await engine.wait(job.id, seconds)
    return _answer(job, 200 if job.is_finished else 202, {"Location": f"/v1/explanations/{job.id}"})


@router.get("/explanations/{identity}", response_model=JobDocument)
async def show_explanation(identity: str, engine: EngineDep, caller: CallerDep) -> Response:
    """The job as it stands, with the explanation once it has succeeded."""
    return _answer(await _own(engine, caller, identity))


@router.delete("/explanations/{identity}", response_model=JobDocument)
async def cancel_explanation(identity: str, engine: EngineDep, caller: CallerDep) -> Response:
    """Cancel. The model stops within one batch; a job that has finished stays as it is."""
    await _own(engine, caller, identity)
    return _answer(await engine.cancel(identity))


@router.get(
    "/explanations/{identity}/events",
    response_class=EventStream,
    responses={200: EventStream.DESCRIPTION, "4XX": RESPONSES["4XX"]},
)
async def listen_to_explanation(
    identity: str,
    engine: EngineDep,
    caller: CallerDep,
    request: Request,
    last_event_id: Annotated[str | None, Header(description="Go on after this event.")] = None,
) -> Response:
    """Server-sent events: `status`, `prepared`, `progress`, `partial` and at last `finished`, whatever the end was.

    Ids rise within a job. A stream that broke is resumed with `Last-Event-ID`, as browsers do by themselves; progress
    and partial results that were overtaken meanwhile are not repeated.
    """
    await _own(engine, caller, identity)
    after = int(last_event_id) if last_event_id and re.fullmatch("[0-9]{1,18}", last_event_id) else 0
    return EventStream(stream(engine, identity, after, request.app.state.stopping))


async def _own(engine: Engine, caller: Caller, identity: str) -> Job:
    """A job that the caller may see. Somebody else's is as unknown as one that never was."""
    job = await engine.job(identity)
    if not caller.sees(job.client):
        raise UnknownJob(identity)
    return job


def _wait(prefer: str | None) -> float:
    found = re.search(r"(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])", prefer or "")
    return min(float(found[1]), LONGEST_WAIT) if found else 0.0


def _answer(job: Job, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    # The explanation is written as it was stored, so that the same request gives the same bytes.
    return Response(job_json(job), status, headers, "application/json")
