"""The engine with worker processes that do as they are told: dying, hanging, growing."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from tests.engine.scripted import Scripted, ask, end, make, until

from espalier.engine.crews.embedded import crew
from espalier.engine.crews.embedded import worker as worker_module
from espalier.engine.crews.protocol import WorkerUnavailable
from espalier.engine.endless import endless
from espalier.engine.ledger import own_jobs
from espalier.limits import Limits
from espalier.store.jobs import JobRow


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Scripted]:
    made = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await made.start()
    await until(lambda: made.workers[0].state == "ready")
    yield made
    await made.stop(0)


@pytest.mark.slow
async def test_a_job_whose_worker_is_killed_by_hand_is_not_blamed(engine: Scripted) -> None:
    job = await ask(engine, "wait")
    for killed in range(5):
        await until(lambda: job.id in engine.workers[0].running)
        os.kill(engine.workers[0].pid or 0, signal.SIGKILL)
        await until(lambda killed=killed: engine.workers[0].restarts == killed + 1)
    await until(lambda: job.id in engine.workers[0].running)
    assert not engine.crew.duties[job.id].is_suspect
    assert (await engine.cancel(job.id)).status == "cancelled"


async def test_a_running_job_is_cancelled_at_once_and_its_place_is_free_again(engine: Scripted) -> None:
    job = await ask(engine, "wait")
    await until(lambda: engine.workers[0].running)
    assert (await engine.cancel(job.id)).status == "cancelled"
    await until(lambda: not engine.workers[0].running)


async def test_an_interactive_job_goes_on_as_long_as_somebody_listens(engine: Scripted) -> None:
    job = await ask(engine, "wait, I listen", lease=0.01)
    events = engine.events(job.id)
    assert (await anext(events)).name == "status"
    for _ in range(3):
        # Longer than the lease; housekeeping looks once a second.
        assert (await engine.wait(job.id, 0.5)).status in ("queued", "running")
    await events.aclose()
    await until(lambda: job.id not in engine.live)


async def test_what_is_unfinished_when_the_engine_stops_goes_on_at_the_next_start(tmp_path: Path) -> None:
    first = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await first.start()
    waiting = await ask(first, "wait for the next start")
    fresh = await ask(first, "film")
    await first.stop(0)
    again = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await again.start()
    assert (await end(again, fresh)).status == "succeeded"
    assert (await again.job(waiting.id)).status in ("queued", "running")
    last = max([event.id async for event in _some(again, waiting.id)])
    assert last > 0
    await again.cancel(waiting.id)
    await again.stop(0)


async def _some(engine: Scripted, identity: str) -> AsyncIterator[object]:
    events = engine.events(identity)
    yield await anext(events)
    await events.aclose()


async def test_a_second_server_on_the_same_file_leaves_the_first_ones_jobs_alone(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/jobs.sqlite"
    first, second = make(address), make(address)
    await first.start()
    job = await ask(first, "wait")
    await until(lambda: first.workers[0].running)
    await second.start()
    assert job.id not in second.live
    await second.stop(0)
    assert first.workers[0].running == {job.id}
    await first.stop(0)


async def test_two_workers_share_what_there_is(tmp_path: Path) -> None:
    engine = make(f"sqlite:///{tmp_path}/engine.sqlite", ("cpu", "cpu"))
    await engine.start()
    await until(lambda: all(worker.state == "ready" for worker in engine.workers))
    held = [await ask(engine, f"wait {number}") for number in range(6)]
    await until(lambda: all(len(worker.running) == 3 for worker in engine.workers))
    for job in held:
        await engine.cancel(job.id)
    await engine.stop(0)


@pytest.mark.slow
async def test_a_worker_that_has_grown_is_replaced_when_it_has_nothing_to_do(tmp_path: Path) -> None:
    engine = make(f"sqlite:///{tmp_path}/engine.sqlite", limits=Limits(memory=1))
    await engine.start()
    job = await ask(engine, "wait")
    await until(lambda: engine.workers[0].is_leaving and engine.workers[0].running)
    process_id = engine.workers[0].pid
    assert process_id is not None
    os.kill(process_id, 0)
    await engine.cancel(job.id)
    await until(lambda: engine.workers[0].restarts > 0)
    await engine.stop(0)


async def test_a_client_with_many_requests_to_check_does_not_stand_before_one_with_one(
    engine: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answered = asyncio.Event()

    async def slowly(question: Any) -> Any:
        asked.append(question.request.text)
        await answered.wait()
        raise WorkerUnavailable("nobody can tell")

    monkeypatch.setattr(engine.crew, "ask", slowly)
    greedy = [asyncio.create_task(ask(engine, f"wait greedy {number}", client="a")) for number in range(20)]
    await until(lambda: len(asked) == 2)
    modest = asyncio.create_task(ask(engine, "wait modest", client="b"))
    await until(lambda: engine.pressure("b").client_jobs == 1)
    answered.set()
    await asyncio.gather(*greedy, modest)
    assert asked.index("wait modest") <= 3


async def test_a_job_waits_for_a_model_that_is_made_ready_and_says_how_far_it_is(engine: Scripted) -> None:
    job = await ask(engine, "unmade")
    told = [json.loads(event.data or "{}") async for event in engine.events(job.id) if event.name == "status"]
    assert {"status": "queued", "making": {"done": 3, "count": 10}} in told
    assert (await engine.job(job.id)).status == "succeeded"


async def test_a_job_that_waits_for_its_model_can_be_cancelled(
    engine: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "POSTPONED_SECONDS", 3600)
    job = await ask(engine, "unmade")
    await until(lambda: any("making" in (e.data or "") for e in engine.live[job.id].news(0)))
    assert not engine.workers[0].running
    assert (await engine.cancel(job.id)).status == "cancelled"


async def test_a_keeper_survives_what_happens_in_one_turn() -> None:
    turns = []

    async def turn() -> None:
        turns.append(len(turns))
        if len(turns) == 1:
            raise RuntimeError("once")

    loop = asyncio.create_task(endless("testing", turn, 0.001))
    await until(lambda: len(turns) > 3)
    loop.cancel()


async def test_a_worker_that_cannot_be_started_is_tried_again(
    engine: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([OSError("no more processes")])
    started = worker_module.launch

    def launch(*given: Any) -> Any:
        for failure in failures:
            raise failure
        return started(*given)

    monkeypatch.setattr(worker_module, "launch", launch)
    os.kill(engine.workers[0].pid or 0, signal.SIGKILL)
    assert (await end(engine, await ask(engine, "film"))).status == "succeeded"
    assert next(failures, None) is None


async def test_a_stored_request_that_is_no_longer_valid_stops_nobody(tmp_path: Path) -> None:
    first = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await first.start()
    old, fresh = await ask(first, "wait, old"), await ask(first, "wait, fresh")
    await first.stop(0)
    with first._jobs.store.write() as session:
        session.execute(update(JobRow).where(JobRow.id == old.id).values(request='{"text":"old","colour":"red"}'))
    again = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await again.start()
    ended = await end(again, old)
    assert ended.status == "failed"
    assert "another version" in (ended.problem or {})["detail"]
    assert fresh.id in again.live
    await again.stop(0)


async def test_the_beginning_of_a_short_job_is_not_written_down_by_itself_but_known_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make(f"sqlite:///{tmp_path}/engine.sqlite")
    begun: list[str] = []
    written = engine._jobs.begin
    monkeypatch.setattr(engine._jobs, "begin", lambda job, events: (begun.append(job), written(job, events)))
    monkeypatch.setattr(own_jobs, "SHORT_SECONDS", 30)
    await engine.start()
    done = await end(engine, await ask(engine, "film"))
    kept = engine._jobs.get(done.id)
    await engine.stop(0)
    assert begun == []
    assert kept is not None
    assert kept.started is not None
    assert kept.finished is not None
    assert kept.created <= kept.started <= kept.finished
