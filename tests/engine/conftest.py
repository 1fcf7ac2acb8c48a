"""Workers of the engine under test are scripted: see `scripted_worker.py`. Tests that ask for a `house` or for `build`
run on the engines that `houses.py` says."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.engine.houses import SCRIPT, Build, House, choose, ray_cluster
from tests.engine.scripted import until

from espalier.engine.crews.embedded import process


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if "scripts" in request.fixturenames:
        return  # houses that outlive a test have marks that do
    monkeypatch.setattr(process, "PROGRAM", [sys.executable, str(SCRIPT)])
    monkeypatch.setenv("HALF_SAID", str(tmp_path / "half-said"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine_name" in metafunc.fixturenames:
        metafunc.parametrize("engine_name", choose(metafunc.function), scope="module")


@pytest.fixture(scope="session")
def marks(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where workers leave marks. Machines of the cluster have the environment they were started with."""
    return str(tmp_path_factory.mktemp("marks") / "mark")


@pytest.fixture(scope="session")
def ray_address(marks: str) -> Iterator[str]:
    os.environ["HALF_SAID"] = marks
    with ray_cluster() as address:
        yield address


@pytest.fixture(scope="module")
def scripts(marks: str) -> Iterator[None]:
    """Workers of all houses are scripted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "PROGRAM", [sys.executable, str(SCRIPT)])
        patch.setenv("HALF_SAID", marks)
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def build(
    engine_name: str,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    scripts: None,
    marks: str,
) -> AsyncIterator[Build]:
    """Makes a house."""
    made: list[House] = []
    address = request.getfixturevalue("ray_address") if engine_name == "ray" else ""

    async def make(**given: Any) -> House:
        if engine_name == "embedded":
            database = f"sqlite:///{tmp_path_factory.mktemp('house')}/engine.sqlite"
        else:
            database = request.getfixturevalue("postgres").database()
        house = House(engine_name, database, marks, address, **given)
        made.append(house)
        await house.open()
        return house

    yield make
    for house in made:
        await house.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(build: Build) -> House:
    return await build()


@pytest_asyncio.fixture(loop_scope="module")
async def house(shared: House) -> AsyncIterator[House]:
    """One for all tests of an engine: a cluster takes its time to come up. Nothing is left in it by a test."""
    await shared.ready()
    yield shared
    for server in shared.servers:
        for job in list(server.live):
            await server.cancel(job)
    await until(lambda: not any(worker.running for worker in shared.front._crew.status().workers))
