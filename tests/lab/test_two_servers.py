"""Runs of two servers on one PostgreSQL: each is done by one of them, and by the other when that one has gone."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.lab.conftest import Here, contents, design, until_finished
from tests.store.postgres import Postgres

from espalier.engine.admission import Busy
from espalier.lab.runner import RunLimits, Runner
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.describe import Shelf
from espalier.store import Store, open_store
from espalier.store.evaluations import Evaluation, Evaluations


class Held(Here):
    """Measures when it is allowed to. No thread waits for that: the store needs them."""

    def __init__(self) -> None:
        super().__init__()
        self.allowed = asyncio.Event()
        self.allowed.set()

    async def measure(self, request: UnitRequest, client: str = "") -> FoundUnit:
        await self.allowed.wait()
        return await super().measure(request, client)


Pair = tuple[Runner, Runner]
Engines = tuple[Held, Held]


@pytest.fixture
async def engines() -> Engines:
    return Held(), Held()


@pytest.fixture
async def pair(postgres: Postgres, shelf: Shelf, engines: Engines) -> AsyncIterator[Pair]:
    address = postgres.database()
    stores = open_store(address), Store.at(address)
    one, other = (
        Runner(engine, Evaluations(store), shelf, RunLimits(unfinished=3), claim_seconds=1.0)  # type: ignore[arg-type]
        for engine, store in zip(engines, stores, strict=True)
    )
    await one.start()
    await other.start()
    yield one, other
    for runner in (one, other):
        await runner.stop()
    for store in stores:
        store.close()


async def vanish(runner: Runner) -> None:
    """As kill -9 does: nothing of it is written any more, and no claim given back."""
    tasks = [each for each in (runner._keeping, *runner._tasks.values()) if each is not None]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_run_is_done_by_one_server_and_seen_at_both(pair: Pair, engines: Engines) -> None:
    one, other = pair
    engines[0].allowed.clear()
    made = await one.add(design(), "Ada")
    await other._keep_on()
    assert (await other.get(made.id)).status == "running"
    engines[0].allowed.set()
    ended = await until_finished(other, made.id)
    assert (ended.done, engines[0].asked, engines[1].asked) == (ended.total, ended.total, 0)


async def test_a_run_goes_on_at_the_other_server_and_no_unit_counts_twice(
    pair: Pair, engines: Engines, shelf: Shelf
) -> None:
    one, other = pair
    undisturbed = await until_finished(other, (await other.add(design(), "Ada")).id)
    made = await one.add(design(), "Ada")
    async with asyncio.timeout(60):
        while not (await other.get(made.id)).done:
            await asyncio.sleep(0.002)
    await vanish(one)
    ended = await until_finished(other, made.id)
    assert engines[1].asked > undisturbed.total, "the other one has done the rest"
    assert (ended.done, ended.evaluated) == (undisturbed.done, undisturbed.evaluated)
    assert contents(other.evaluations, made.id) == contents(other.evaluations, undisturbed.id)


async def test_a_client_has_so_many_runs_at_both_servers_together_however_fast_it_asks(
    pair: Pair, engines: Engines
) -> None:
    for engine in engines:
        engine.allowed.clear()
    asked = [runner.add(design(), "Ada") for _ in range(6) for runner in pair]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(answer, Evaluation) for answer in answers) == 3
    assert {type(answer) for answer in answers} == {Evaluation, Busy}
    assert (await pair[1].add(design(), "Ben")).status == "running"


async def test_the_same_id_at_both_servers_is_one_run(pair: Pair) -> None:
    asked = [runner.add(design(), "Ada", "the-same-id") for _ in range(4) for runner in pair]
    assert {each.id for each in await asyncio.gather(*asked)} == {"the-same-id"}
    assert pair[0].evaluations.kept("Ada").unfinished <= 1
    await until_finished(pair[0], "the-same-id")
