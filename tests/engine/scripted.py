"""A ledger and a crew whose worker processes do as they are told: dying, hanging, growing."""

import asyncio
from collections.abc import Callable

from espalier.engine.admission import Admission
from espalier.engine.crews.embedded.crew import EmbeddedCrew
from espalier.engine.ledger.ledger import Ledger, Terms
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.limits import Limits
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.settings import settings
from espalier.store import open_store

PATIENCE = 120
"""Seconds to wait for anything, on however busy a machine."""


class Scripted(Ledger):
    """A ledger with its crew at hand."""

    crew: EmbeddedCrew

    @property
    def workers(self) -> list:  # type: ignore[type-arg]
        return self.crew.workers


def make(
    address: str,
    devices: tuple[str, ...] = ("cpu",),
    limits: Limits | None = None,
    terms: Terms | None = None,
    admit: Admission | None = None,
) -> Scripted:
    shelf = Shelf(Catalog(settings().catalog))
    crew = EmbeddedCrew(shelf.catalog.path, devices, limits)
    made = Scripted(open_store(address), shelf, crew, terms, admit)
    made.crew = crew
    return made


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def ask(engine: Ledger, text: str, client: str = "me", lease: float | None = None) -> Job:
    request = ExplanationRequest(text=text, model="sst2-bow", method="leave-one-out")
    return await engine.submit(request, client=client, lease=lease)


async def end(engine: Ledger, job: Job) -> Job:
    ended = await engine.wait(job.id, PATIENCE)
    assert ended.is_finished
    return ended
