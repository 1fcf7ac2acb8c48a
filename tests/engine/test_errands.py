"""The jobs of one server at a worker of a cluster, in this process: couriers and workers speak as they do over Ray."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from tests.engine.houses import SCRIPT
from tests.engine.scripted import until

from espalier.edition import edition
from espalier.engine.crews.ray.actor import Posting, WorkerActor
from espalier.engine.crews.ray.errands import Errands
from espalier.engine.crews.ray.post import Post
from espalier.engine.messages import SAYINGS, Progress, Run, Said, Succeeded
from espalier.explain.request import ExplanationRequest
from espalier.limits import Limits

pytestmark = pytest.mark.slow  # every one starts a worker


class Calls:
    """Methods of an actor as Ray's handle has them."""

    def __init__(self, actor: WorkerActor) -> None:
        self._actor = actor

    def __getattr__(self, method: str) -> Any:
        called: Callable[..., Awaitable[Any]] = getattr(self._actor, method)

        class Method:
            remote = staticmethod(called)

        return Method


class Courier:
    """One server's errands, and what it was told of them."""

    def __init__(self, actor: WorkerActor) -> None:
        self.said: list[Said] = []
        self.errands = Errands(self._say, {})
        given = ("a-cpu0", Calls(actor), "one", self.errands.heard, self.errands.lost, self.errands.go_on)
        self.post = self.errands.posts["a-cpu0"] = Post(*given)
        self._listening = asyncio.create_task(self.post.keep())

    def _say(self, frame: bytes) -> None:
        if (message := SAYINGS.read(BytesIO(frame))) is not None:
            self.said.append(message)

    def run(self, text: str) -> None:
        request = ExplanationRequest(text=text, model="sst2-bow", method="leave-one-out")
        self.errands.run(Run("job", request, "me"))

    def heard(self, kind: type[Said]) -> bool:
        return any(isinstance(each, kind) for each in self.said)

    async def fall_silent(self) -> None:
        self._listening.cancel()
        with suppress(asyncio.CancelledError):
            await self._listening

    async def listen_again(self) -> None:
        self._listening = asyncio.create_task(self.post.keep())


@pytest.fixture
async def actor() -> AsyncIterator[WorkerActor]:
    made = WorkerActor(Posting("a-cpu0", "cpu", Limits(), edition(), program=(sys.executable, str(SCRIPT))))
    yield made
    assert made._crew is not None
    await made._crew.stop(0)


@pytest.fixture
async def courier(actor: WorkerActor) -> AsyncIterator[Courier]:
    made = Courier(actor)
    await until(lambda: made.post.is_ready)
    yield made
    await made.fall_silent()


def running(actor: WorkerActor) -> int:
    return 0 if actor._crew is None else len(actor._crew.workers[0].running)


async def test_a_job_that_comes_back_from_another_server_is_done(courier: Courier, actor: WorkerActor) -> None:
    """Its claim lapsed, another server took it, and that one's lapsed, too: the worker has had it from this server
    before, and must not take it for the same order said twice."""
    for _ in range(3):
        courier.run("wait")
        await until(lambda: courier.heard(Progress))
        courier.errands.cancel("job")
        await until(lambda: not running(actor))
        courier.said.clear()
    courier.run("a film")
    await until(lambda: courier.heard(Succeeded))


async def test_a_stop_that_arrives_late_does_not_stop_the_job_that_has_come_back(
    courier: Courier, actor: WorkerActor
) -> None:
    courier.run("wait")
    await until(lambda: courier.heard(Progress))
    (before,) = courier.errands._errands.values()
    courier.errands.cancel("job")
    courier.run("wait")
    courier.said.clear()
    await until(lambda: courier.heard(Progress))
    await courier.post.cancel("job", before.attempt)
    await until(lambda: running(actor) == 1)
    assert list(actor._runs) == [("one", "job")]


async def test_a_worker_that_has_forgotten_a_silent_server_is_given_its_jobs_again(
    courier: Courier, actor: WorkerActor
) -> None:
    """Who was asleep for longer than a worker waits hears from the same worker again, which has stopped its jobs and
    counts what it says from the beginning."""
    for number in range(5):
        courier.run(f"film {number}")
        await until(lambda: courier.heard(Succeeded))
        courier.said.clear()
    courier.run("wait")
    await until(lambda: courier.heard(Progress))
    await courier.fall_silent()
    actor._forget("one")
    await until(lambda: not running(actor))
    courier.said.clear()
    await courier.listen_again()
    await until(lambda: courier.heard(Progress))
    courier.errands.cancel("job")
    courier.run("a film")
    await until(lambda: courier.heard(Succeeded))
