"""An engine on threads of the calling process, with nothing kept: for trying things out."""

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from espalier.engine.protocol import EngineStatus, Event, Job, UnknownJob
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import Catalog
from espalier.problems import Problem


class InProcessEngine:
    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._jobs: dict[str, Job] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ready = False
        self._lock = threading.Lock()
        self._explainer: Any = None

    def warm(self) -> None:
        from espalier.engine.explainer import Explainer
        from espalier.library import parse
        from espalier.trees.parser import default_parser

        self._explainer = Explainer(self._catalog.load, parse)
        default_parser()
        self._catalog.load(self._catalog.entries()[0].name)
        self._ready = True

    async def submit(
        self,
        request: ExplanationRequest,
        *,
        client: str = "",
        lease: float | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        prepared = await asyncio.to_thread(self._explainer.prepare, request)
        job = Job(uuid.uuid4().hex, "queued", request, datetime.now(UTC), client, lease)
        self._jobs[job.id] = job
        self._tasks[job.id] = asyncio.create_task(self._run(job.id, prepared))
        return job

    async def _run(self, identity: str, prepared: Any) -> None:
        import json

        from espalier.pictures.finding import finding

        self._jobs[identity] = replace(self._jobs[identity], status="running", started=datetime.now(UTC))
        try:
            explanation = await asyncio.to_thread(self._explainer.explain, prepared.request)
            document = explanation.model_dump(mode="json") | {"finding": finding(explanation)}
            ending: dict[str, Any] = {"status": "succeeded", "explanation": json.dumps(document)}
        except Problem as problem:
            ending = {
                "status": "failed",
                "problem": {
                    "type": f"urn:espalier:problem:{problem.code}",
                    "title": problem.code,
                    "status": problem.status,
                    "detail": problem.message,
                },
            }
        self._jobs[identity] = replace(self._jobs[identity], finished=datetime.now(UTC), **ending)

    async def job(self, identity: str) -> Job:
        if identity not in self._jobs:
            raise UnknownJob(identity)
        return self._jobs[identity]

    async def wait(self, identity: str, seconds: float) -> Job:
        await asyncio.wait({self._tasks[identity]}, timeout=seconds)
        return self._jobs[identity]

    async def cancel(self, identity: str) -> Job:
        return await self.job(identity)

    async def events(self, identity: str, after: int = 0) -> AsyncIterator[Event]:
        yield Event(1, "status", f'{{"status":"{self._jobs[identity].status}"}}')
        await asyncio.wait({self._tasks[identity]})
        yield Event(2, "finished")

    async def status(self) -> EngineStatus:
        return EngineStatus(self._ready, 0, 0)

    async def load(self, model: str) -> None:
        await asyncio.to_thread(self._catalog.load, model)

    async def predict(self, model: str, text: str, pair: str | None = None) -> dict[str, Any]:
        from espalier.engine.answers import prediction

        def answered() -> dict[str, Any]:
            with self._lock:
                return prediction(self._catalog.load(model), model, text, pair)

        return await asyncio.to_thread(answered)

    async def parse(self, text: str) -> dict[str, Any]:
        from espalier.engine.answers import tree
        from espalier.trees.parser import default_parser

        return await asyncio.to_thread(lambda: tree(default_parser(), text))
