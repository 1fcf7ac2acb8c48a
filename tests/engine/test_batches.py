"""Batches on an engine that answers at once, and on one that is busy, restarts or is stopped."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from tests.store.postgres import Postgres

from espalier.engine.admission import Busy
from espalier.engine.batches import AT_ONCE, BatchLimits, BatchRunner, Line, UnknownBatch
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job, KeyReused
from espalier.problems import TooLong
from espalier.store import Store, StoreUnavailable, open_store
from espalier.store.base import now
from espalier.store.batches import Batch, Batches, BatchRow, BatchTextRow


def passing_fault() -> StoreUnavailable:
    fault = StoreUnavailable("the database is locked")
    fault.retry_after = 0
    return fault


class Answering:
    """The part of an engine that batches use: it explains a text by shouting it, when it is allowed to."""

    def __init__(self) -> None:
        self.allowed = asyncio.Event()
        self.allowed.set()
        self.jobs: dict[str, Job] = {}
        self.explained: list[str] = []
        self.cancelled: list[str] = []
        self.busy = 0
        self.unreachable = 0
        self.most_at_once = 0

    async def submit(
        self,
        request: ExplanationRequest,
        *,
        client: str,
        lease: float | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        assert idempotency_key is not None
        if self.busy:
            self.busy -= 1
            raise Busy("too much to do", retry_after=0)
        if len(request.text) > 50:
            raise TooLong("too many words")
        if idempotency_key not in self.jobs:
            self.jobs[idempotency_key] = Job(idempotency_key, "queued", request, now(), client)
        waiting = sum(not job.is_finished for job in self.jobs.values())
        self.most_at_once = max(self.most_at_once, waiting)
        return self.jobs[idempotency_key]

    async def wait(self, identity: str, seconds: float) -> Job:
        await self.allowed.wait()
        if self.unreachable:
            self.unreachable -= 1
            raise passing_fault()
        job = self.jobs[identity]
        if not job.is_finished:
            self.explained.append(job.request.text)
            shouted = json.dumps(job.request.text.upper())
            self.jobs[identity] = replace(job, status="succeeded", explanation=shouted)
        return self.jobs[identity]

    async def cancel(self, identity: str) -> Job:
        self.cancelled.append(identity)
        return self.jobs[identity]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path}/batches.sqlite")


@pytest.fixture
def engine() -> Answering:
    return Answering()


@pytest.fixture
async def runner(engine: Answering, store: Store) -> AsyncIterator[BatchRunner]:
    runner = BatchRunner(engine, Batches(store))  # type: ignore[arg-type]
    yield runner
    await runner.stop()


TEXTS = tuple(f"text {number}" for number in range(30))


async def read(runner: BatchRunner, identity: str, after: int = 0) -> list[Line]:
    return [line async for line in runner.lines(identity, after)]


async def finished(runner: BatchRunner, identity: str) -> None:
    async with asyncio.timeout(10):
        while (await runner.get(identity)).status == "running":
            await asyncio.sleep(0.005)


async def test_every_text_is_explained_once_and_read_in_order(runner: BatchRunner, engine: Answering) -> None:
    batch = await runner.add(TEXTS, {}, "Ada", None)
    lines = await read(runner, batch.id)
    assert [line.explanation for line in lines] == [json.dumps(text.upper()) for text in TEXTS]
    await finished(runner, batch.id)
    assert sorted(engine.explained) == sorted(TEXTS)
    ended = await runner.get(batch.id)
    assert (ended.status, ended.done, ended.failed) == ("finished", 30, 0)


async def test_a_batch_goes_on_without_a_reader(runner: BatchRunner, engine: Answering) -> None:
    batch = await runner.add(TEXTS, {}, "Ada", None)
    await finished(runner, batch.id)
    assert len(engine.explained) == 30


async def test_only_a_few_texts_are_with_the_engine_at_a_time(runner: BatchRunner, engine: Answering) -> None:
    batch = await runner.add(TEXTS, {}, "Ada", None)
    await finished(runner, batch.id)
    assert engine.most_at_once <= AT_ONCE


async def test_reading_is_taken_up_where_it_broke(runner: BatchRunner) -> None:
    batch = await runner.add(TEXTS, {}, "Ada", None)
    assert [line.index for line in await read(runner, batch.id, after=28)] == [28, 29]
    assert await read(runner, batch.id, after=30) == []


async def test_after_a_restart_a_batch_goes_on_and_repeats_nothing(engine: Answering, store: Store) -> None:
    engine.allowed.clear()
    before = BatchRunner(engine, Batches(store))  # type: ignore[arg-type]
    batch = await before.add(TEXTS, {}, "Ada", None)
    while len(engine.jobs) < AT_ONCE:
        await asyncio.sleep(0.005)
    await before.stop()
    assert engine.cancelled == []  # the server stops, the batch does not
    engine.allowed.set()
    after = BatchRunner(engine, Batches(store))  # type: ignore[arg-type]
    await after.start()
    await finished(after, batch.id)
    assert sorted(engine.explained) == sorted(TEXTS)


async def test_a_text_that_cannot_be_explained_has_its_problem_in_its_line(runner: BatchRunner) -> None:
    batch = await runner.add(("short", "long " * 50, "short again"), {}, "Ada", None)
    lines = await read(runner, batch.id)
    assert [line.problem and line.problem["type"] for line in lines] == [None, "urn:espalier:problem:too-long", None]
    await finished(runner, batch.id)
    assert (await runner.get(batch.id)).failed == 1


async def test_a_busy_service_makes_a_batch_wait_not_fail(runner: BatchRunner, engine: Answering) -> None:
    engine.busy = 5
    batch = await runner.add(TEXTS[:2], {}, "Ada", None)
    assert all(line.explanation for line in await read(runner, batch.id))


class FaultyBatches(Batches):
    """A store that cannot be written now and then."""

    faults = 0

    def progress(self, *given: Any) -> None:
        self._fail()
        super().progress(*given)

    def end(self, *given: Any) -> None:
        self._fail()
        super().end(*given)

    def _fail(self) -> None:
        self.faults += 1
        if self.faults % 2:
            raise passing_fault()


async def test_a_passing_fault_of_the_database_does_not_stop_a_batch(engine: Answering, store: Store) -> None:
    engine.unreachable = 3
    runner = BatchRunner(engine, FaultyBatches(store))  # type: ignore[arg-type]
    batch = await runner.add(TEXTS, {}, "Ada", None)
    await finished(runner, batch.id)
    ended = await runner.get(batch.id)
    await runner.stop()
    assert (ended.status, ended.done, ended.failed) == ("finished", 30, 0)
    assert sorted(engine.explained) == sorted(TEXTS)


async def test_a_cancelled_batch_stops_its_jobs_and_says_so_in_its_lines(
    runner: BatchRunner, engine: Answering
) -> None:
    engine.allowed.clear()
    batch = await runner.add(TEXTS, {}, "Ada", None)
    while len(engine.jobs) < AT_ONCE:
        await asyncio.sleep(0.005)
    assert (await runner.cancel(batch.id)).status == "cancelled"
    assert len(engine.cancelled) == AT_ONCE
    problems = [line.problem for line in await read(runner, batch.id)]
    assert {problem["type"] for problem in problems if problem} == {"urn:espalier:problem:cancelled"}
    assert len(problems) == 30


class CountingBatches(Batches):
    """Counts what is written of how far batches are."""

    written = 0

    def progress(self, identity: str, done: int, failed: int) -> None:
        self.written += 1
        super().progress(identity, done, failed)


async def test_how_far_a_batch_is_is_not_written_for_every_text(
    engine: Answering, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("espalier.engine.batches.PROGRESS_SECONDS", 60.0)
    batches = CountingBatches(store)
    runner = BatchRunner(engine, batches)  # type: ignore[arg-type]
    batch = await runner.add(TEXTS, {}, "Ada", None)
    await finished(runner, batch.id)
    assert (await runner.get(batch.id)).done == len(TEXTS)
    assert batches.written == 1
    await runner.stop()


async def test_how_far_a_batch_is_can_be_read_while_it_runs(
    runner: BatchRunner, engine: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("espalier.engine.batches.PROGRESS_SECONDS", 0.01)
    engine.allowed.clear()
    batch = await runner.add(("x" * 60, *TEXTS), {}, "Ada", None)  # the first is refused at once, the others wait
    async with asyncio.timeout(10):
        while not (await runner.get(batch.id)).done:
            await asyncio.sleep(0.005)


class SlowlyWritten(Batches):
    """Writes the first progress only when told to."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.writing, self.go_on = threading.Event(), threading.Event()

    def progress(self, identity: str, done: int, failed: int) -> None:
        self.writing.set()
        assert self.go_on.wait(60)
        super().progress(identity, done, failed)


async def test_texts_that_end_while_progress_is_written_are_counted(
    engine: Answering, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("espalier.engine.batches.PROGRESS_SECONDS", 0.01)
    engine.allowed.clear()
    batches = SlowlyWritten(store)
    runner = BatchRunner(engine, batches)  # type: ignore[arg-type]
    texts = ("x" * 60, *TEXTS)  # the first is refused at once, the others wait
    batch = await runner.add(texts, {}, "Ada", None)
    assert await asyncio.to_thread(batches.writing.wait, 60)
    engine.allowed.set()
    async with asyncio.timeout(60):
        while not (tally := runner._tallies[batch.id]).over.is_set():
            await asyncio.sleep(0.005)
    assert tally.done == len(texts)
    batches.go_on.set()
    await finished(runner, batch.id)
    assert (await runner.get(batch.id)).done == len(texts)
    await runner.stop()


async def test_a_cancelled_batch_says_how_far_it_was(runner: BatchRunner, engine: Answering) -> None:
    engine.allowed.clear()
    batch = await runner.add(("x" * 60, *TEXTS), {}, "Ada", None)  # the first is refused at once, the others wait
    while len(engine.jobs) < AT_ONCE:
        await asyncio.sleep(0.005)
    cancelled = await runner.cancel(batch.id)
    assert (cancelled.done, cancelled.failed) == (1, 1)


async def test_the_same_key_gives_the_same_batch_and_another_body_is_refused(runner: BatchRunner) -> None:
    first = await runner.add(TEXTS, {"seed": 1}, "Ada", "once")
    again = await runner.add(TEXTS, {"seed": 1}, "Ada", "once")
    other = await runner.add(TEXTS, {"seed": 1}, "Bob", "once")
    assert first.id == again.id != other.id
    with pytest.raises(KeyReused):
        await runner.add(TEXTS, {"seed": 2}, "Ada", "once")


async def test_a_batch_that_is_not_there_is_said(runner: BatchRunner) -> None:
    with pytest.raises(UnknownBatch, match="nobody"):
        await read(runner, "nobody")


async def test_a_client_has_so_many_batches_and_no_more_however_fast_it_asks(engine: Answering, store: Store) -> None:
    engine.allowed.clear()
    runner = BatchRunner(engine, Batches(store), BatchLimits(unfinished=3))  # type: ignore[arg-type]
    asked = [runner.add(TEXTS, {}, "Ada", None) for _ in range(8)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(answer, Batch) for answer in answers) == 3
    assert {type(answer) for answer in answers} == {Batch, Busy}
    assert (await runner.add(TEXTS, {}, "Bob", None)).status == "running"
    await runner.stop()


async def test_a_client_has_so_many_bytes_in_batches_and_no_more(engine: Answering, store: Store) -> None:
    runner = BatchRunner(engine, Batches(store), BatchLimits(bytes=50))  # type: ignore[arg-type]
    first = await runner.add(("é" * 30,), {}, "Ada", None)
    await finished(runner, first.id)
    with pytest.raises(Busy, match="60 bytes"):
        await runner.add(("x",), {}, "Ada", None)
    await runner.stop()


async def test_old_batches_are_forgotten_with_their_texts(runner: BatchRunner, store: Store) -> None:
    old = await runner.add(TEXTS, {}, "Ada", None)
    await finished(runner, old.id)
    batches = Batches(store)
    assert batches.forget(now() + timedelta(seconds=1)) == 1
    assert batches.get(old.id) is None
    with store.read() as session:
        assert session.scalars(select(BatchTextRow)).first() is None


async def test_a_batch_of_an_earlier_version_goes_on(engine: Answering, store: Store) -> None:
    values = {"id": "old", "status": "running", "client": "Ada", "settings": "{}", "texts": json.dumps(TEXTS)}
    with store.write() as session:
        session.execute(insert(BatchRow).values(values | {"total": 30, "done": 0, "failed": 0, "created": now()}))
    runner = BatchRunner(engine, Batches(store))  # type: ignore[arg-type]
    await runner.start()
    await finished(runner, "old")
    assert sorted(engine.explained) == sorted(TEXTS)
    await runner.stop()


async def test_a_batch_is_kept_going_by_one_server_and_taken_by_another_when_it_has_gone(postgres: Postgres) -> None:
    opened = [open_store(postgres.database())]
    opened.append(Store.at(opened[0].engine.url.render_as_string(hide_password=False)))
    engines = Answering(), Answering()
    one, other = (
        BatchRunner(engine, Batches(each), claim_seconds=1.0)  # type: ignore[arg-type]
        for engine, each in zip(engines, opened, strict=True)
    )
    engines[0].allowed.clear()
    await one.start()
    await other.start()
    batch = await one.add(TEXTS, {}, "Ada", None)
    while len(engines[0].jobs) < AT_ONCE:
        await asyncio.sleep(0.005)
    await other._keep()
    assert engines[1].jobs == {}, "one server is enough"
    for task in [one._keeping, *one._tasks.values()]:
        task.cancel()  # type: ignore[union-attr]  # it has gone, without a word
    await finished(other, batch.id)
    assert sorted(engines[1].explained) == sorted(TEXTS)
    await other.stop()


async def test_limits_on_batches_hold_for_two_servers_together(postgres: Postgres) -> None:
    address = postgres.database()
    stores = open_store(address), Store.at(address)
    engines = Answering(), Answering()
    runners = []
    for engine, each in zip(engines, stores, strict=True):
        engine.allowed.clear()
        runners.append(BatchRunner(engine, Batches(each), BatchLimits(unfinished=3)))  # type: ignore[arg-type]
    asked = [runner.add(TEXTS, {}, "Ada", None) for _ in range(8) for runner in runners]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(answer, Batch) for answer in answers) == 3
    assert {type(answer) for answer in answers} == {Batch, Busy}
    assert (await runners[1].add(TEXTS, {}, "Bob", None)).status == "running"
    for runner, each in zip(runners, stores, strict=True):
        await runner.stop()
        each.close()
