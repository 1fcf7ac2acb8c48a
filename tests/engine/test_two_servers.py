"""Two ledgers on one database, each with a crew of its own: any of them answers for every job."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator

import pytest
from tests.engine.scripted import Scripted, ask, end, make, until
from tests.store.postgres import Postgres

from espalier.engine.ledger.ledger import Terms
from espalier.jobs import Event, Job

Pair = tuple[Scripted, Scripted]

TERMS = Terms(claim_seconds=2.0)


@pytest.fixture
async def pair(postgres: Postgres) -> AsyncIterator[Pair]:
    address = postgres.database()
    servers = make(address, terms=TERMS), make(address, terms=TERMS)
    for server in servers:
        await server.start()
    for server in servers:
        await until(lambda server=server: server.workers[0].state == "ready")
    yield servers
    for server in servers:
        await server.stop(0)


async def heard(server: Scripted, job: Job, names: set[str]) -> list[Event]:
    """Events as they come, until all these kinds have been there."""
    found: list[Event] = []
    events = server.events(job.id)
    async with asyncio.timeout(30):
        async for event in events:
            found.append(event)
            if names <= {each.name for each in found}:
                break
    await events.aclose()
    return found


async def test_a_job_is_waited_for_and_read_at_either_server(pair: Pair) -> None:
    one, other = pair
    jobs = [await ask(server, f"film {number}") for number, server in enumerate([one, other] * 3)]
    for job in jobs:
        ended = [await end(server, job) for server in pair]
        assert {each.status for each in ended} == {"succeeded"}
        assert ended[0] == ended[1]


async def test_a_stream_at_the_other_server_tells_all_that_happens(pair: Pair) -> None:
    one, other = pair
    job = await ask(one, "wait")
    events = await heard(other, job, {"status", "prepared", "progress", "partial"})
    assert [each.id for each in events] == sorted({each.id for each in events})
    assert json.loads(next(each.data for each in events if each.name == "prepared") or "")["text"] == "wait"
    listening = asyncio.create_task(heard(other, job, {"finished"}))
    await one.cancel(job.id)
    assert (await listening)[-1].name == "finished"


async def test_a_job_is_cancelled_at_the_wrong_server(pair: Pair) -> None:
    one, other = pair
    job = await ask(one, "wait")
    await until(lambda: one.workers[0].running)
    assert (await other.cancel(job.id)).status == "cancelled"
    await until(lambda: job.id not in one.live and not one.workers[0].running)
    assert (await one.job(job.id)).status == "cancelled"


async def test_who_listens_at_the_other_server_keeps_an_interactive_job_alive(pair: Pair) -> None:
    one, other = pair
    job = await ask(one, "wait", lease=2.0)
    waiting = await other.wait(job.id, 4.0)
    assert waiting.status == "running"
    await until(lambda: job.id not in one.live)  # nobody listens any more
    assert (await other.job(job.id)).status == "cancelled"


async def test_jobs_of_a_server_that_has_gone_are_done_by_the_other_and_streams_go_on(pair: Pair) -> None:
    one, other = pair
    jobs = [await ask(one, f"film {number}") for number in range(5)]
    held = await ask(one, "wait for the other")
    listening = asyncio.create_task(heard(other, held, {"finished"}))
    await until(lambda: one.workers[0].running)
    await vanish(one)
    for job in jobs:
        assert (await end(other, job)).status == "succeeded"
    await until(lambda: held.id in other.live)
    assert (await other.cancel(held.id)).status == "cancelled"
    assert (await listening)[-1].name == "finished"


async def test_a_server_that_stops_leaves_its_jobs_to_the_other_at_once(pair: Pair) -> None:
    one, other = pair
    job = await ask(one, "wait")
    await until(lambda: one.workers[0].running)
    await one.stop(0)
    await until(lambda: job.id in other.live)
    assert (await other.cancel(job.id)).status == "cancelled"


async def test_a_server_that_was_asleep_gives_its_jobs_up_and_the_first_end_counts(pair: Pair) -> None:
    """Its claim lapsed, the other took the job; awake again it stops doing it, and its listeners hear the other's."""
    one, other = pair
    job = await ask(one, "wait")
    await until(lambda: one.workers[0].running)
    listening = asyncio.create_task(heard(one, job, {"finished"}))
    for loop in one._tasks:
        loop.cancel()
    await until(lambda: job.id in other.live)
    assert job.id in one.live
    for wake in one._keeper.loops():
        one._spawn(wake())
    await until(lambda: job.id not in one.live and not one.workers[0].running)
    await other.cancel(job.id)
    assert (await listening)[-1].name == "finished"
    assert (await one.job(job.id)).status == "cancelled"


async def test_a_wish_to_cancel_outlives_the_server_that_had_the_job(pair: Pair) -> None:
    one, other = pair
    job = await ask(one, "wait")
    await vanish(one)
    cancelled = await other.cancel(job.id)
    assert cancelled.status == "cancelled"


async def vanish(server: Scripted) -> None:
    """As kill -9 does: its workers end, and nothing of it is written any more."""
    for task in [*server._tasks, *server._seeing.values()]:
        task.cancel()
    for worker in server.workers:
        os.kill(worker.pid or 0, signal.SIGKILL)
    server.live.clear()
