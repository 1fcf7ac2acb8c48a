"""A job's events as a server-sent stream."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, ClassVar

from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event

from espalier.api.documents import EVENTS, job_json
from espalier.engine.protocol import Engine
from espalier.jobs import Event

KEEP_ALIVE_SECONDS = 15.0


class EventStream(StreamingResponse):
    """Never stored on the way, and passed on line by line by proxies that would otherwise collect it."""

    media_type = "text/event-stream"

    DESCRIPTION: ClassVar[dict[str, Any]] = {
        "description": "Events; the data of each is JSON: "
        + ", ".join(f"`{name}` a {model.__name__}" for name, model in EVENTS.items()),
        "content": {
            "text/event-stream": {
                "schema": {"anyOf": [{"$ref": f"#/components/schemas/{m.__name__}"} for m in EVENTS.values()]}
            }
        },
    }

    def __init__(self, content: AsyncIterator[bytes], status_code: int = 200) -> None:
        super().__init__(content, status_code, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


async def stream(engine: Engine, identity: str, after: int, stopping: asyncio.Event) -> AsyncIterator[bytes]:
    """Events as they come, a comment while none comes, and an end when the job or the server ends."""
    events = engine.events(identity, after)
    stop: asyncio.Future[Any] = asyncio.ensure_future(stopping.wait())
    coming: asyncio.Future[Any] | None = None
    try:
        while not stopping.is_set():
            coming = coming or asyncio.ensure_future(anext(events))
            await asyncio.wait({coming, stop}, timeout=KEEP_ALIVE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                yield KEEPALIVE_COMMENT
                continue
            try:
                event: Event = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            data = event.data if event.data is not None else job_json(await engine.job(identity))
            yield format_sse_event(event=event.name, data_str=data, id=str(event.id))
    finally:
        stop.cancel()
        if coming is not None:
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming  # a generator that still runs cannot be closed
        await events.aclose()
