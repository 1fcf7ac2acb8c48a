"""The engine with worker processes that do as they are told: dying, hanging, growing."""

import asyncio
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
from espalier.engine.endless import endless
from espalier.engine.ledger import own_jobs
from espalier.store.jobs import JobRow


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Scripted]:
    made = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await made.start()
    await until(lambda: made.workers[0].state == "ready")
    yield made
    await made.stop(0)


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
