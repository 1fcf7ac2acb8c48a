"""The studies of a running server: the desk, the office, what is being prepared and who is rehearsing."""

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import httpx

from espalier.access import Caller
from espalier.engine.protocol import Engine
from espalier.problems import Problem
from espalier.store import Store
from espalier.studies.desk import Desk
from espalier.studies.documents import StudyDocument
from espalier.studies.office import Office
from espalier.studies.preparation import Preparations
from espalier.studies.reception import Reception
from espalier.studies.records.owner import WrongStatus
from espalier.studies.rehearsal import Rehearsal, rehearse

_log = logging.getLogger(__name__)

Given = ParamSpec("Given")
Found = TypeVar("Found")


class Studies:
    """Lives as long as the server: `begin` when it starts, `end` when it stops."""

    def __init__(self, store: Store, engine: Engine, app: object, reception: Reception) -> None:
        self.desk = Desk(store, reception)
        self._proofs = reception.proofs
        self.preparations = Preparations(store, engine)
        self._store = store
        self._app = app
        self._rehearsals: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        await self.preparations.resume()

    async def end(self) -> None:
        for task in self._rehearsals:
            task.cancel()
        await asyncio.gather(*self._rehearsals, return_exceptions=True)
        await self.preparations.stop()

    def office(self, base: str, caller: Caller) -> Office:
        return Office(self._store, base, caller, self._proofs)

    async def aside(self, work: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
        """Wait for the store in a thread."""
        return await asyncio.to_thread(work, *given, **named)

    async def rehearse(self, study: StudyDocument, wanted: Rehearsal) -> None:
        """Begin a rehearsal in this process: its people come through the routes, as everybody does."""
        if study.status in ("preparing", "failed"):
            raise WrongStatus(f"nothing can be rehearsed yet: got status {study.status}, possible is after preparing")
        key = study.links.rehearsal.partition("rehearsal=")[2]
        task = asyncio.create_task(self._rehearse(study.id, key, wanted))
        self._rehearsals.add(task)
        task.add_done_callback(self._rehearsals.discard)

    async def _rehearse(self, study: str, key: str, wanted: Rehearsal) -> None:
        transport = httpx.ASGITransport(app=self._app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client:
            try:
                await rehearse(client, study, key, wanted)
            except Problem as problem:
                # Not the message: it may name the study, which may have been deleted just then.
                _log.warning("a rehearsal ended early: %s", problem.code)
