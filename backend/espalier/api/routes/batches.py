"""Many texts as one job: ask, look, read the results as they come, cancel."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from espalier.access import Caller
from espalier.api.dependencies import CallerDep, ClientDep, ShelfDep
from espalier.api.documents import ExplanationDocument, compact
from espalier.api.problems import ProblemDocument, Unavailable
from espalier.engine.batches import BatchRunner, Line, UnknownBatch
from espalier.explain.request import MOST_DRAWS, BackgroundText, ExplanationRequest
from espalier.fields import MOST_PARAMETERS, Name, Several
from espalier.games.players import PlayerKind
from espalier.games.references import USUAL_REFERENCE, Fill, ReferenceName
from espalier.games.scales import Scale
from espalier.models.catalog import default_model
from espalier.problems import TooLong
from espalier.store.batches import Batch, BatchStatus

router = APIRouter(prefix="/batches", tags=["batches"], responses=Unavailable.RESPONSES)

MOST_TEXTS = 1000
MOST_SETTINGS = 200_000
KEEP_ALIVE_SECONDS = 15.0


class BatchRequest(BaseModel):
    """Texts, and how to explain all of them: the fields of an explanation request that do not speak of one text."""

    model_config = ConfigDict(extra="forbid")

    texts: Several[str] = Field(min_length=1, max_length=MOST_TEXTS, examples=[["A lovely film.", "A dull film."]])
    model: Name = Field(default_factory=default_model, description="The first of the catalog when left out.")
    method: Name = "ls-tree"
    target: Name | None = None
    outcome: Name | None = None
    against: Name | None = None
    outcomes: Several[Name] = Field(default=(), max_length=64)
    scale: Scale | None = None
    reference: ReferenceName = USUAL_REFERENCE
    background: Several[BackgroundText] | None = Field(default=None, max_length=200)
    fill: Fill | None = None
    draws: int | None = Field(default=None, ge=1, le=MOST_DRAWS)
    filler: Name | None = None
    players: PlayerKind = "words"
    parameters: dict[Name, Any] = Field(default={}, max_length=MOST_PARAMETERS)
    seed: int = Field(default=0, ge=0, lt=2**32)


class BatchDocument(BaseModel):
    """How far a batch is."""

    id: str
    status: BatchStatus
    total: int
    done: int = Field(description="Texts that are explained, or cannot be.")
    failed: int = Field(description="Those among them that cannot be explained; each line says why.")
    created: datetime
    finished: datetime | None
    results: str = Field(description="Where the results are read, as lines of JSON.")


class BatchLine(BaseModel):
    """One line of the results: exactly one of `explanation` and `problem` is there."""

    index: int = Field(description="Which of the texts.")
    text: str
    job: str | None = Field(description="The id of its explanation job.")
    explanation: ExplanationDocument | None
    problem: ProblemDocument | None


def _runner(request: Request) -> BatchRunner:
    runner: BatchRunner = request.app.state.batches
    return runner


RunnerDep = Annotated[BatchRunner, Depends(_runner)]
IdempotencyKey = Annotated[
    str | None,
    Header(min_length=1, max_length=200, description="The same key with the same batch gives the same batch again."),
]


@router.post("", status_code=202)
async def ask_for_batch(
    request: BatchRequest,
    runner: RunnerDep,
    shelf: ShelfDep,
    client: ClientDep,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> BatchDocument:
    """Explain up to 1,000 texts in the same way. What is wrong for all of them is refused here; what is wrong with one
    text is said in its line of the results."""
    shelf.get(request.model)
    settings = request.model_dump(mode="json", exclude={"texts"}, exclude_unset=True)
    if (size := len(compact(settings))) > MOST_SETTINGS:
        raise TooLong(
            f"too much beside the texts, which every one of them is kept with: got {size:,} characters, "
            f"possible are up to {MOST_SETTINGS:,}"
        )
    ExplanationRequest(text="", **settings).settings()
    batch = await runner.add(request.texts, settings, client, idempotency_key)
    response.headers["Location"] = f"/v1/batches/{batch.id}"
    return _document(batch)


@router.get("/{identity}")
async def show_batch(identity: str, runner: RunnerDep, caller: CallerDep) -> BatchDocument:
    """How far it is."""
    return _document(await _own(runner, caller, identity))


@router.delete("/{identity}")
async def cancel_batch(identity: str, runner: RunnerDep, caller: CallerDep) -> BatchDocument:
    """Cancel. What is explained already can still be read."""
    await _own(runner, caller, identity)
    return _document(await runner.cancel(identity))


@router.get(
    "/{identity}/results",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Lines of JSON, each a BatchLine, in the order of the texts",
            "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
        }
    },
)
async def read_batch(
    identity: str,
    runner: RunnerDep,
    caller: CallerDep,
    after: Annotated[int, Query(ge=0, le=MOST_TEXTS, description="How many lines are there already.")] = 0,
) -> Response:
    """Results as they come, in order; the stream ends with the last text. One that broke is taken up with `after`.

    Empty lines mean nothing: they keep the connection open.
    """
    await _own(runner, caller, identity)
    lines = _written(runner.lines(identity, after))
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


async def _own(runner: BatchRunner, caller: Caller, identity: str) -> Batch:
    """A batch that the caller may see. Somebody else's is as unknown as one that never was."""
    batch = await runner.get(identity)
    if not caller.sees(batch.client):
        raise UnknownBatch(identity)
    return batch


async def _written(lines: AsyncIterator[Line]) -> AsyncIterator[str]:
    coming: asyncio.Future[Line] | None = None
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(lines))
            done, _ = await asyncio.wait({coming}, timeout=KEEP_ALIVE_SECONDS)
            if not done:
                yield "\n"
                continue
            try:
                line = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            before = compact({"index": line.index, "text": line.text, "job": line.job})[:-1]
            # The explanation is written as it was stored, so that the same request gives the same bytes.
            yield f'{before},"explanation":{line.explanation or "null"},"problem":{compact(line.problem)}}}\n'
    finally:
        if coming is not None:
            coming.cancel()


def _document(batch: Batch) -> BatchDocument:
    return BatchDocument(
        id=batch.id,
        status=batch.status,
        total=batch.total,
        done=batch.done,
        failed=batch.failed,
        created=batch.created,
        finished=batch.finished,
        results=f"/v1/batches/{batch.id}/results",
    )
