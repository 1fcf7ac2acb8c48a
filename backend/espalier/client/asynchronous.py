"""The client for asynchronous programs: as Client, with `await`."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self

import httpx

from espalier.client import wire
from espalier.client.documents import BatchLine, Event, JobDocument, Prediction
from espalier.client.problems import ServiceProblem, Unreachable
from espalier.client.wire import OnProgress
from espalier.explain.explanation import Explanation


class AsyncClient:
    """One connection pool to one service. Close it, or use it in an `async with` block."""

    def __init__(
        self, address: str = wire.DEFAULT_ADDRESS, key: str | None = None, *, patience: float = wire.PATIENCE
    ) -> None:
        self.address = address
        self.patience = patience
        self._http = httpx.AsyncClient(base_url=address, headers=wire.headers(key), timeout=wire.TIMEOUT)

    async def explain(self, text: str, *, progress: OnProgress | None = None, **options: Any) -> Explanation[Any]:
        """Explain one prediction and wait for it. Options are the fields of ExplanationRequest: model, method, …"""
        job = await self.submit(text, **options)
        return await job.wait(progress)

    async def submit(
        self, text: str, *, lease: int | None = None, wait: float | None = None, **options: Any
    ) -> "AsyncJob":
        """Ask for an explanation without waiting for it (or at most `wait` seconds).

        With a `lease`, the job is cancelled once nobody has listened to it for that many seconds.
        """
        answer = await self._send("POST", "/v1/explanations", **wire.submission(text, lease, wait, options))
        return AsyncJob(self, JobDocument.model_validate(answer.json()))

    async def job(self, id: str) -> "AsyncJob":
        """A job that was submitted before, perhaps by another program."""
        answer = await self._send("GET", f"/v1/explanations/{id}")
        return AsyncJob(self, JobDocument.model_validate(answer.json()))

    async def explain_many(self, texts: Iterable[str], **options: Any) -> AsyncIterator[BatchLine]:
        """Explain up to 1,000 texts in the same way, in order. Each line is an explanation, or says why there is none.

        Options are fields of ExplanationRequest that do not speak of one text: model, method, parameters, seed, …
        """
        asked = (await self._send("POST", "/v1/batches", **wire.batch(texts, options))).json()
        read = 0
        async with aclosing(self._lines(asked["results"], lambda: {"params": {"after": read}})) as lines:
            while read < asked["total"]:
                if line := await anext(lines):
                    read += 1
                    yield BatchLine.model_validate_json(line)

    async def predict(
        self, text: str, model: str | None = None, pair: str | None = None, outcomes: Sequence[str] = ()
    ) -> Prediction:
        """What a model says of a text; the first of the server's catalog when none is named. Of a language model
        `outcomes` are next words to look at."""
        asked = {"model": model, "text": text, "pair": pair, "outcomes": list(outcomes) or None}
        body = {key: value for key, value in asked.items() if value is not None}
        return Prediction.model_validate((await self._send("POST", "/v1/predictions", json=body)).json())

    async def stand_ins(self, text: str, absent: Sequence[int], **options: Any) -> dict[str, Any]:
        """The texts that a model reads when players are absent, what stands in marked. Options are the fields of
        ExplanationRequest that speak of model, players and reference."""
        body = {"text": text, "absent": list(absent), **options}
        found: dict[str, Any] = (await self._send("POST", "/v1/stand-ins", json=body)).json()
        return found

    async def catalog(self) -> dict[str, Any]:
        """Models, methods and limits."""
        listed: dict[str, Any] = (await self._send("GET", "/v1/catalog")).json()
        return listed

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _send(self, verb: str, path: str, **content: Any) -> httpx.Response:
        deadline = time.monotonic() + self.patience
        while True:
            try:
                return wire.checked(await self._reach(verb, path, **content))
            except ServiceProblem as problem:
                pause = wire.pause_after(problem)
                if pause is None or time.monotonic() + pause > deadline:
                    raise
                await asyncio.sleep(pause)

    async def _reach(self, verb: str, path: str, **content: Any) -> httpx.Response:
        try:
            return await self._http.request(verb, path, **content)
        except httpx.TransportError as error:
            raise Unreachable(self.address, str(error) or type(error).__name__) from error

    async def _events(self, id: str) -> AsyncIterator[Event]:
        """All events of a job up to `finished`."""
        reader = wire.EventReader()
        async with aclosing(self._lines(f"/v1/explanations/{id}/events", reader.resume)) as lines:
            async for line in lines:
                if (event := reader.read(line)) is not None:
                    yield event
                    if event.name == "finished":
                        return

    async def _lines(self, path: str, resume: Callable[[], dict[str, Any]]) -> AsyncGenerator[str]:
        """Lines of a stream without end, across lost connections and restarts of the service; `resume` says how to ask
        for what is missing. Whoever has read enough closes it."""
        deadline = time.monotonic() + self.patience
        while True:
            try:
                async with self._http.stream("GET", path, **resume()) as response:
                    if response.is_error:
                        await response.aread()
                    async for line in wire.checked(response).aiter_lines():
                        deadline = time.monotonic() + self.patience
                        yield line
                problem: ServiceProblem = Unreachable(self.address, "a stream that ended early")
            except httpx.TransportError as error:
                problem = Unreachable(self.address, str(error) or type(error).__name__)
            except ServiceProblem as refused:
                problem = refused
            pause = wire.pause_after(problem)
            if pause is None or time.monotonic() + pause > deadline:
                raise problem
            await asyncio.sleep(pause)


class AsyncJob:
    """An explanation on its way. `document` is what the service last said of it."""

    def __init__(self, client: AsyncClient, document: JobDocument) -> None:
        self._client = client
        self.document = document

    @property
    def id(self) -> str:
        return self.document.id

    async def stream(self) -> AsyncIterator[Event]:
        """Everything that happens until the job has ended: status, prepared, progress, partial, finished."""
        async for event in self._client._events(self.id):
            self.document = event.job or self.document
            yield event

    async def wait(self, progress: OnProgress | None = None) -> Explanation[Any]:
        """The explanation, once it is there. A job that failed raises its problem."""
        if not self.document.done:
            async for event in self.stream():
                wire.tell(event, progress)
        return self.document.result()

    async def cancel(self) -> None:
        """Stop it. Cancelling a job that has ended changes nothing."""
        answer = await self._client._send("DELETE", f"/v1/explanations/{self.id}")
        self.document = JobDocument.model_validate(answer.json())
