"""Studies that are prepared by one of two servers on one PostgreSQL, and by the other when that one has gone."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.store.postgres import Postgres

from espalier.compact_json import compact
from espalier.datasets.forms import Row, Rows
from espalier.explain.request import ExplanationRequest
from espalier.findings.document import document
from espalier.jobs import Job
from espalier.library import shared_explainer
from espalier.store import Store, open_store
from espalier.store.base import now
from espalier.studies import preparation
from espalier.studies.design import StudyDesign
from espalier.studies.office import Office
from espalier.studies.preparation import Preparations
from espalier.studies.records import owner

DESIGN = StudyDesign(
    title="T",
    protocol="coherence",
    models=("sst2-bow",),
    methods=("leave-one-out", "hedge"),
    items=4,
    attention_checks=0,
    dataset=Rows(rows=tuple(Row(text=f"A {word} film , but the music is not .") for word in ("fine", "dull") * 4)),
)


class Here:
    """The part of an engine that preparing needs: explains in this process, when it is allowed to."""

    def __init__(self) -> None:
        self.allowed = asyncio.Event()
        self.jobs: dict[str, Job] = {}

    async def submit(self, request: ExplanationRequest, *, client: str) -> Job:
        job = Job(uuid.uuid4().hex, "queued", request, now(), client)
        self.jobs[job.id] = job
        return job

    async def wait(self, identity: str, seconds: float) -> Job:
        await self.allowed.wait()
        job = self.jobs[identity]
        explanation = await asyncio.to_thread(shared_explainer().explain, job.request)
        return replace(job, status="succeeded", explanation=compact(document(explanation)))

    async def cancel(self, identity: str) -> Job:
        return self.jobs[identity]


Pair = tuple[Preparations, Preparations]


@pytest.fixture
def engines() -> tuple[Here, Here]:
    return Here(), Here()


@pytest.fixture
def stores(postgres: Postgres) -> tuple[Store, Store]:
    address = postgres.database()
    return open_store(address), Store.at(address)


@pytest.fixture
async def pair(
    stores: tuple[Store, Store], engines: tuple[Here, Here], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Pair]:
    monkeypatch.setattr(preparation, "CLAIM_SECONDS", 1.0)
    made = Preparations(stores[0], engines[0]), Preparations(stores[1], engines[1])  # type: ignore[arg-type]
    yield made
    for each, store in zip(made, stores, strict=True):
        await each.stop()
        store.close()


def status(store: Store, study: str) -> str:
    with store.read() as session:
        return owner.find(session, study).status


async def prepared(store: Store, study: str) -> int:
    """How many items it has when it is ready."""
    async with asyncio.timeout(60):
        while status(store, study) == "preparing":
            await asyncio.sleep(0.02)
    assert status(store, study) != "failed"
    with store.read() as session:
        return len(owner.items(session, study))


async def test_a_study_is_prepared_by_one_server_alone(
    pair: Pair, engines: tuple[Here, Here], stores: tuple[Store, Store]
) -> None:
    study = Office(stores[0]).create(DESIGN, ("negative", "positive")).id
    pair[0].start(study)
    async with asyncio.timeout(60):
        while not engines[0].jobs:
            await asyncio.sleep(0.005)
    await pair[1].resume()
    pair[1].start(study)
    await asyncio.gather(*pair[1]._running.values())
    assert engines[1].jobs == {}
    engines[0].allowed.set()
    assert await prepared(stores[1], study) == 4


async def test_a_study_whose_server_has_gone_is_prepared_by_the_other(
    pair: Pair, engines: tuple[Here, Here], stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Office(stores[0]).create(DESIGN, ("negative", "positive")).id
    pair[0].start(study)
    async with asyncio.timeout(60):
        while not engines[0].jobs:
            await asyncio.sleep(0.005)
    monkeypatch.setattr(pair[0]._claims, "release", lambda name: None)  # it has gone, without a word
    await pair[0].stop()
    engines[1].allowed.set()
    await pair[1].resume()
    assert await prepared(stores[1], study) == 4
    assert engines[1].jobs
