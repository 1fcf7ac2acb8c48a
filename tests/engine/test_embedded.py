"""The engine with worker processes that do as they are told: dying, hanging, growing."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from espalier.engine.embedded import process
from espalier.engine.embedded.engine import EmbeddedEngine, Limits
from espalier.engine.protocol import Job, WorkerUnavailable
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.settings import settings
from espalier.store import open_store
from espalier.store.jobs import Jobs

SCRIPT = Path(__file__).with_name("scripted_worker.py")
PATIENCE = 60


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "PROGRAM", [sys.executable, str(SCRIPT)])
    monkeypatch.setenv("HALF_SAID", str(tmp_path / "half-said"))


def make(folder: Path, devices: tuple[str, ...] = ("cpu",), limits: Limits | None = None) -> EmbeddedEngine:
    store = open_store(f"sqlite:///{folder}/engine.sqlite")
    return EmbeddedEngine(Jobs(store), Shelf(Catalog(settings().catalog)), devices, limits)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[EmbeddedEngine]:
    made = make(tmp_path)
    await made.start()
    await until(lambda: made.workers[0].state == "ready")
    yield made
    await made.stop(0)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def ask(engine: EmbeddedEngine, text: str, client: str = "me", lease: float | None = None) -> Job:
    request = ExplanationRequest(text=text, model="sst2-bow", method="leave-one-out")
    return await engine.submit(request, client=client, lease=lease)


async def end(engine: EmbeddedEngine, job: Job) -> Job:
    ended = await engine.wait(job.id, PATIENCE)
    assert ended.is_finished
    return ended


async def test_a_job_is_done_and_its_document_kept_as_the_worker_wrote_it(engine: EmbeddedEngine) -> None:
    ended = await end(engine, await ask(engine, "a film"))
    assert ended.status == "succeeded"
    assert json.loads(ended.explanation or "")["text"] == "a film"


async def test_a_job_that_ends_its_workers_fails_and_takes_no_other_with_it(engine: EmbeddedEngine) -> None:
    killer = await ask(engine, "die")
    others = [await ask(engine, f"film {number}", client=f"c{number}") for number in range(5)]
    failed = await end(engine, killer)
    assert failed.status == "failed"
    assert failed.problem is not None
    assert failed.problem["type"] == "urn:espalier:problem:worker-lost"
    assert {(await end(engine, other)).status for other in others} == {"succeeded"}
    assert engine.workers[0].restarts >= 3


async def test_a_job_whose_worker_is_killed_by_hand_is_not_blamed(engine: EmbeddedEngine) -> None:
    job = await ask(engine, "wait")
    for killed in range(5):
        await until(lambda: job.id in engine.workers[0].running)
        os.kill(engine.workers[0].pid or 0, signal.SIGKILL)
        await until(lambda killed=killed: engine.workers[0].restarts == killed + 1)
    await until(lambda: job.id in engine.workers[0].running)
    assert not engine._live[job.id].is_suspect
    assert (await engine.cancel(job.id)).status == "cancelled"


async def test_a_worker_that_dies_while_it_speaks_is_not_believed(engine: EmbeddedEngine) -> None:
    ended = await end(engine, await ask(engine, "half"))
    assert json.loads(ended.explanation or "")["text"] == "half"
    assert engine.workers[0].restarts == 1


async def test_a_question_to_a_worker_that_dies_is_answered_with_try_again(engine: EmbeddedEngine) -> None:
    with pytest.raises(WorkerUnavailable):
        await engine.parse("die")
    await until(lambda: engine.workers[0].state == "ready")
    assert await engine.parse("live")


async def test_a_running_job_is_cancelled_at_once_and_its_place_is_free_again(engine: EmbeddedEngine) -> None:
    job = await ask(engine, "wait")
    await until(lambda: engine.workers[0].running)
    assert (await engine.cancel(job.id)).status == "cancelled"
    await until(lambda: not engine.workers[0].running)


async def test_an_interactive_job_nobody_listens_to_is_cancelled_and_others_are_not(engine: EmbeddedEngine) -> None:
    left = await ask(engine, "wait interactive", lease=0.01)
    patient = await ask(engine, "wait for me")
    await until(lambda: left.id not in engine._live)
    assert (await engine.job(left.id)).status == "cancelled"
    assert (await engine.job(patient.id)).status == "running"


async def test_an_interactive_job_goes_on_as_long_as_somebody_listens(engine: EmbeddedEngine) -> None:
    job = await ask(engine, "wait, I listen", lease=0.01)
    events = engine.events(job.id)
    assert (await anext(events)).name == "status"
    for _ in range(3):
        # Longer than the lease; housekeeping looks once a second.
        assert (await engine.wait(job.id, 0.5)).status in ("queued", "running")
    await events.aclose()  # type: ignore[attr-defined]
    await until(lambda: job.id not in engine._live)


async def test_what_is_unfinished_when_the_engine_stops_goes_on_at_the_next_start(tmp_path: Path) -> None:
    first = make(tmp_path)
    await first.start()
    waiting = await ask(first, "wait for the next start")
    fresh = await ask(first, "film")
    await first.stop(0)
    again = make(tmp_path)
    await again.start()
    assert (await end(again, fresh)).status == "succeeded"
    assert (await again.job(waiting.id)).status in ("queued", "running")
    last = max([event.id async for event in _some(again, waiting.id)])
    assert last > 0
    await again.cancel(waiting.id)
    await again.stop(0)


async def _some(engine: EmbeddedEngine, identity: str) -> AsyncIterator[object]:
    events = engine.events(identity)
    yield await anext(events)
    await events.aclose()  # type: ignore[attr-defined]


async def test_two_workers_share_what_there_is(tmp_path: Path) -> None:
    engine = make(tmp_path, ("cpu", "cpu"))
    await engine.start()
    await until(lambda: all(worker.state == "ready" for worker in engine.workers))
    held = [await ask(engine, f"wait {number}") for number in range(6)]
    await until(lambda: all(len(worker.running) == 3 for worker in engine.workers))
    for job in held:
        await engine.cancel(job.id)
    await engine.stop(0)


async def test_a_worker_that_has_grown_is_replaced_when_it_has_nothing_to_do(tmp_path: Path) -> None:
    engine = make(tmp_path, limits=Limits(memory=1))
    await engine.start()
    job = await ask(engine, "wait")
    await until(lambda: engine.workers[0].is_leaving and engine.workers[0].running)
    process_id = engine.workers[0].pid
    assert process_id is not None
    os.kill(process_id, 0)
    await engine.cancel(job.id)
    await until(lambda: engine.workers[0].restarts > 0)
    await engine.stop(0)
