"""What both clients share: how requests are written, how answers and events are read, how long to wait. No sockets."""

import json
import uuid
from collections.abc import Callable, Iterable
from typing import Any

import httpx

from espalier.client.documents import Event, Progress
from espalier.client.problems import ServiceProblem, refused
from espalier.explain.request import ExplanationRequest

OnProgress = Callable[[Progress], None]

DEFAULT_ADDRESS = "http://127.0.0.1:8000"

PATIENCE = 60.0
"""Seconds a client goes on trying while the service is busy, restarting or out of reach."""

PAUSE = 0.5
"""Seconds before the next try, where the service did not say."""

TIMEOUT = httpx.Timeout(30.0, read=60.0)
"""Streams say something every 15 seconds, so a minute of silence means that the connection is lost."""


def headers(key: str | None) -> dict[str, str]:
    return {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})


def submission(text: str, lease: int | None, prefer_wait: float | None, options: dict[str, Any]) -> dict[str, Any]:
    """A request for a job, with a key of its own: sent twice, it still makes one job."""
    request = ExplanationRequest(text=text, **options)
    extra = {"Idempotency-Key": str(uuid.uuid4())}
    if prefer_wait is not None:
        extra["Prefer"] = f"wait={prefer_wait:g}"
    return {
        "json": request.model_dump(mode="json", exclude_unset=True),
        "params": {} if lease is None else {"lease": lease},
        "headers": extra,
    }


def batch(texts: Iterable[str], options: dict[str, Any]) -> dict[str, Any]:
    """A request for a batch, with a key of its own as well."""
    return {"json": {"texts": list(texts), **options}, "headers": {"Idempotency-Key": str(uuid.uuid4())}}


def checked(response: httpx.Response) -> httpx.Response:
    if response.is_error:
        raise refused(response)
    return response


def pause_after(problem: ServiceProblem) -> float | None:
    """Seconds after which the same request may succeed; None when it never will."""
    if problem.status in (429, 503) or problem.code == "unreachable":
        return problem.retry_after if problem.retry_after is not None else PAUSE
    return None


class EventReader:
    """Server-sent events from lines. Remembers the last id, so that a broken stream is taken up where it ended."""

    def __init__(self) -> None:
        self.last_id = ""
        self._id = ""
        self._name = ""
        self._data: list[str] = []

    def resume(self) -> dict[str, Any]:
        """How to ask for what has not been read yet. An event that was cut off in the middle will come again."""
        self._restart()
        resumed = {"Last-Event-ID": self.last_id} if self.last_id else {}
        return {"headers": {"Accept": "text/event-stream"} | resumed}

    def _restart(self) -> None:
        self._id, self._name, self._data = self.last_id, "", []

    def read(self, line: str) -> Event | None:
        """The event that this line completes, if it does."""
        line = line.rstrip("\r\n")
        if not line:
            name, data = self._name or "message", "\n".join(self._data)
            self.last_id = self._id  # only now: an event that was cut off must be asked for again
            self._restart()
            return Event(name=name, id=self.last_id, data=json.loads(data)) if data else None
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        elif field == "id":
            self._id = value
        return None  # a line that begins with a colon keeps the connection open and says nothing


def tell(event: Event, listener: OnProgress | None) -> None:
    if listener is not None and event.name == "progress":
        listener(Progress.model_validate(event.data))
