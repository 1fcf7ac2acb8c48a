"""Two servers on one database, with workers of their own or those of a cluster: any of them answers for every job."""

import asyncio
import json
import os
import signal

import pytest
import pytest_asyncio
from tests.engine.houses import Build, House, heard, two_servers
from tests.engine.scripted import ask, end, until

from espalier.engine.crews.ray.crew import RayCrew
from espalier.engine.ledger.ledger import Ledger

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def fresh(build: Build) -> House:
    """For a test that ends a server."""
    return await build()


@two_servers
async def test_a_job_is_waited_for_and_read_at_either_server(house: House) -> None:
    one, other = house.servers
    jobs = [await ask(server, f"film {number}") for number, server in enumerate([one, other] * 3)]
    for job in jobs:
        ended = [await end(server, job) for server in house.servers]
        assert {each.status for each in ended} == {"succeeded"}
        assert ended[0] == ended[1]


@two_servers
async def test_a_stream_at_the_other_server_tells_all_that_happens(house: House) -> None:
    one, other = house.servers
    job = await ask(one, "wait")
    events = await heard(other, job, {"status", "prepared", "progress", "partial"})
    assert [each.id for each in events] == sorted({each.id for each in events})
    assert json.loads(next(each.data for each in events if each.name == "prepared") or "")["text"] == "wait"
    listening = asyncio.create_task(heard(other, job, {"finished"}))
    await one.cancel(job.id)
    assert (await listening)[-1].name == "finished"


@two_servers
async def test_a_job_is_cancelled_at_the_wrong_server(house: House) -> None:
    one, other = house.servers
    job = await ask(one, "wait")
    await house.begun(job)
    assert (await other.cancel(job.id)).status == "cancelled"
    await until(lambda: job.id not in one.live and job.id not in one._crew.duties)  # type: ignore[attr-defined]
    assert (await one.job(job.id)).status == "cancelled"


@two_servers
async def test_who_listens_at_the_other_server_keeps_an_interactive_job_alive(house: House) -> None:
    one, other = house.servers
    job = await ask(one, "wait", lease=2.0)
    waiting = await other.wait(job.id, 4.0)
    assert waiting.status == "running"
    await until(lambda: job.id not in one.live)  # nobody listens any more
    assert (await other.job(job.id)).status == "cancelled"


@two_servers
async def test_jobs_of_a_server_that_has_gone_are_done_by_the_other_and_streams_go_on(fresh: House) -> None:
    one, other = fresh.servers
    jobs = [await ask(one, f"film {number}") for number in range(5)]
    held = await ask(one, "wait for the other")
    listening = asyncio.create_task(heard(other, held, {"finished"}))
    await fresh.begun(held)
    await vanish(one)
    for job in jobs:
        assert (await end(other, job)).status == "succeeded"
    await until(lambda: held.id in other.live)
    assert (await other.cancel(held.id)).status == "cancelled"
    assert (await listening)[-1].name == "finished"


@two_servers
async def test_a_server_that_stops_leaves_its_jobs_to_the_other_at_once(fresh: House) -> None:
    one, other = fresh.servers
    job = await ask(one, "wait")
    await fresh.begun(job)
    await one.stop(0)
    await until(lambda: job.id in other.live)
    assert (await other.cancel(job.id)).status == "cancelled"


@two_servers
async def test_a_server_that_was_asleep_gives_its_jobs_up_and_the_first_end_counts(fresh: House) -> None:
    """Its claim lapsed, the other took the job; awake again it stops doing it, and its listeners hear the other's."""
    one, other = fresh.servers
    job = await ask(one, "wait")
    await fresh.begun(job)
    listening = asyncio.create_task(heard(one, job, {"finished"}))
    for loop in one._tasks:
        loop.cancel()
    await until(lambda: job.id in other.live)
    assert job.id in one.live
    for wake in one._keeper.loops():
        one._spawn(wake())
    await until(lambda: job.id not in one.live and job.id not in one._crew.duties)  # type: ignore[attr-defined]
    await other.cancel(job.id)
    assert (await listening)[-1].name == "finished"
    assert (await one.job(job.id)).status == "cancelled"


@two_servers
async def test_a_wish_to_cancel_outlives_the_server_that_had_the_job(fresh: House) -> None:
    one, other = fresh.servers
    job = await ask(one, "wait")
    await vanish(one)
    cancelled = await other.cancel(job.id)
    assert cancelled.status == "cancelled"


async def vanish(server: Ledger) -> None:
    """As kill -9 does: its processes end, and nothing of it is written any more."""
    crew = server._crew
    processes = [crew.courier] if isinstance(crew, RayCrew) else crew.workers  # type: ignore[attr-defined]
    for process in processes:
        os.kill(process.pid or 0, signal.SIGKILL)
    for task in [*crew._tasks, *server._tasks, *server._seeing.values()]:  # type: ignore[attr-defined]
        task.cancel()
    server.live.clear()
