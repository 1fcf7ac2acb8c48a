"""Batches on real engines: `test_batches.py` has one that answers at once, this one has all that there are."""

import asyncio
import json

import pytest
from tests.engine.houses import Build, House, two_servers
from tests.engine.scripted import PATIENCE, until

from espalier.engine.batches import AT_ONCE, BatchRunner
from espalier.engine.ledger.ledger import Ledger
from espalier.store.batches import Batches
from espalier.store.jobs import JobRow

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = tuple(f"text {number}" for number in range(AT_ONCE + 4))
SETTINGS = {"model": "sst2-bow", "method": "leave-one-out"}


def runner(server: Ledger) -> BatchRunner:
    return BatchRunner(server, Batches(server._jobs.store), claim_seconds=1.0)


async def finished(batches: BatchRunner, identity: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await batches.get(identity)).status == "running":
            await asyncio.sleep(0.01)


async def test_every_text_is_explained_and_read_in_order_at_another_server(house: House) -> None:
    front, back = runner(house.front), runner(house.back)
    batch = await front.add(TEXTS, SETTINGS, "me", None)
    lines = [line async for line in back.lines(batch.id)]
    assert [json.loads(line.explanation or "{}")["text"] for line in lines] == list(TEXTS)
    await finished(front, batch.id)
    ended = await back.get(batch.id)
    assert (ended.status, ended.done, ended.failed) == ("finished", len(TEXTS), 0)
    await front.stop()


async def test_a_cancelled_batch_stops_the_jobs_that_workers_have(house: House) -> None:
    batches = runner(house.front)
    batch = await batches.add(("wait 1", "wait 2"), SETTINGS, "me", None)
    await until(lambda: sum(live.job.status == "running" for live in house.front.live.values()) == 2)
    assert (await batches.cancel(batch.id)).status == "cancelled"
    await until(lambda: not house.front.live)
    await batches.stop()


@two_servers
async def test_a_batch_goes_on_at_the_other_server_and_no_text_is_explained_twice(build: Build) -> None:
    house = await build()
    front, back = runner(house.front), runner(house.back)
    await back.start()
    batch = await front.add((*TEXTS, "wait for the other"), SETTINGS, "me", None)
    held = "wait for the other"
    await until(lambda: [each for each in house.front.live.values() if each.job.request.text == held])
    for task in front._tasks.values():  # it has gone, without a word
        task.cancel()
    await until(lambda: batch.id in back._tasks)
    (job,) = (each.job for each in house.front.live.values() if each.job.request.text == held)
    await house.back.cancel(job.id)
    await finished(back, batch.id)
    ended = await back.get(batch.id)
    assert (ended.done, ended.failed) == (len(TEXTS) + 1, 1)
    with house.back._jobs.store.read() as session:
        assert len(session.query(JobRow).all()) == len(TEXTS) + 1
    await back.stop()
