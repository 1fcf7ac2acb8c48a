"""Whoever waits can be stopped at any moment, the one in which the answer comes included. (`asyncio.wait_for` of Python
3.11 forgets a cancellation that comes just then: a server that was told to stop waited for ever.)"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.engine.scripted import make

from espalier.engine.batches import BatchRunner
from espalier.engine.crews.protocol import WorkerUnavailable
from espalier.engine.ledger.elsewhere import Bell
from espalier.engine.ledger.live import LiveJob
from espalier.engine.messages import Parse
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.store.base import now
from espalier.store.batches import Batches
from espalier.store.database import StoreUnavailable

MOMENTS = range(12)
"""Turns of the event loop before the cancellation: more than any of these waits takes."""


async def stopped_at(moment: int, waiting: Callable[[], Awaitable[object]], answer: Callable[[], None]) -> None:
    """Begin to wait, have the answer come, and cancel so many turns after: what was not over must end cancelled."""
    task = asyncio.ensure_future(waiting())
    for _ in range(3):
        await asyncio.sleep(0)
    answer()
    for _ in range(moment):
        await asyncio.sleep(0)
    if task.cancel():
        async with asyncio.timeout(10):
            with pytest.raises(asyncio.CancelledError):
                await task
    else:
        task.exception()


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_question_to_a_worker(tmp_path: Path, moment: int) -> None:
    ledger = make(f"sqlite:///{tmp_path}/e.db")

    async def ask() -> None:
        with pytest.raises(WorkerUnavailable):  # at once: none was started
            await ledger.crew.ask(Parse("A film."))
        await asyncio.sleep(60)

    task = asyncio.ensure_future(ask())
    for _ in range(moment):
        await asyncio.sleep(0)
    task.cancel()
    async with asyncio.timeout(10):
        await asyncio.wait([task])
    assert task.cancelled()


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_wait_for_a_job(tmp_path: Path, moment: int) -> None:
    ledger = make(f"sqlite:///{tmp_path}/e.db")
    request = ExplanationRequest(text="A film.", model="sst2-bow", method="leave-one-out")
    live = LiveJob(Job("1" * 32, "queued", request, now(), "me"))
    ledger.live[live.job.id] = live
    await stopped_at(moment, lambda: ledger.wait(live.job.id, 60), live.ended.set)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_wait_for_news_of_another_server(tmp_path: Path, moment: int) -> None:
    ledger = make(f"sqlite:///{tmp_path}/e.db")
    bell = Bell(ledger._jobs, lambda _: None)
    await stopped_at(moment, lambda: bell.wait("job", 60), lambda: bell.ring("job"))


@pytest.mark.parametrize("moment", range(0, 60, 4))
async def test_a_batch_on_a_server_that_stops(tmp_path: Path, moment: int) -> None:
    ledger = make(f"sqlite:///{tmp_path}/e.db")  # not started: no worker is ready
    batches = BatchRunner(ledger, Batches(ledger._jobs.store))
    await batches.add(("A film.", "Another one."), {"model": "sst2-bow", "method": "hedge"}, "me", None)
    for _ in range(moment):
        await asyncio.sleep(0.001)
    async with asyncio.timeout(30):
        await batches.stop()
    ledger._threads.close()


async def test_a_text_that_is_stopped_while_the_store_is_away_is_not_a_failed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = make(f"sqlite:///{tmp_path}/e.db")
    batches = BatchRunner(ledger, Batches(ledger._jobs.store))
    batch = await batches.add(("A film.",), {"model": "sst2-bow", "method": "hedge"}, "me", None)
    async with asyncio.timeout(30):
        while not ledger.live:
            await asyncio.sleep(0.01)

    def away(identity: str) -> None:
        raise StoreUnavailable("the database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(batches._batches, "get", away)
        async with asyncio.timeout(30):
            await batches.stop()
    assert (await batches.get(batch.id)).failed == 0
    for task in [*ledger._seeing.values()]:
        task.cancel()
    ledger._threads.close()
