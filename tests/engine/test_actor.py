"""A worker of a cluster as couriers ask it, in this process: what it does needs no Ray."""

import re
import sys
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from tests.engine.houses import SCRIPT
from tests.engine.scripted import until

from espalier.edition import edition
from espalier.engine.crews.ray import actor as actor_module
from espalier.engine.crews.ray.actor import OtherCode, Posting, WorkerActor
from espalier.engine.crews.ray.outbox import Heard
from espalier.engine.messages import ORDERS, SAYINGS, Answer, Ask, Parse, Run, Said
from espalier.explain.request import ExplanationRequest
from espalier.limits import Limits

pytestmark = pytest.mark.slow  # every one starts a worker


@pytest.fixture
async def actor() -> AsyncIterator[WorkerActor]:
    made = WorkerActor(Posting("a-cpu0", "cpu", Limits(), edition(), program=(sys.executable, str(SCRIPT))))
    while (await made.listen("nobody", 0)).state != "ready":
        pass
    yield made
    assert made._crew is not None
    await made._crew.stop(0)


def order(job: str, text: str) -> bytes:
    return ORDERS.pack(Run(job, ExplanationRequest(text=text, model="sst2-bow", method="leave-one-out"), "me"))


def said(heard: Heard) -> list[Said]:
    return [message for each in heard.sayings if (message := SAYINGS.read(BytesIO(each.frame))) is not None]


async def end_of(actor: WorkerActor, courier: str, job: str) -> Said:
    last = 0
    while True:
        heard = await actor.listen(courier, last)
        for saying, message in zip(heard.sayings, said(heard), strict=True):
            last = saying.number
            if saying.is_end and saying.job == job:
                return message


async def test_who_gives_a_job_up_does_not_stop_it_for_the_server_that_has_taken_it(actor: WorkerActor) -> None:
    """Its claim had lapsed while the database was away; the other one began the job at the same worker."""
    for courier in ("one", "other"):
        await actor.begin(courier, 1, order("job", "wait"))
    await until(lambda: actor._crew is not None and len(actor._crew.workers[0].running) == 2)
    await actor.cancel("one", "job", 1)
    await until(lambda: actor._crew is not None and len(actor._crew.workers[0].running) == 1)
    assert list(actor._runs) == [("other", "job")]


async def test_a_job_that_is_told_twice_is_done_once(actor: WorkerActor) -> None:
    for _ in range(2):
        await actor.begin("one", 1, order("job", "a film"))
    end = await end_of(actor, "one", "job")
    assert type(end).__name__ == "Succeeded"
    heard = await actor.listen("one", 0)
    assert sum(each.is_end for each in heard.sayings) == 1
    assert {each.attempt for each in heard.sayings} == {1}


async def test_a_courier_that_leaves_takes_its_jobs_with_it(actor: WorkerActor) -> None:
    await actor.begin("one", 1, order("job", "wait"))
    await until(lambda: actor._crew is not None and actor._crew.workers[0].running)
    await actor.farewell("one")
    await until(lambda: actor._crew is not None and not actor._crew.workers[0].running)
    assert not (await actor.listen("one", 0)).sayings


async def test_a_question_is_answered_in_the_frame_it_came_in(actor: WorkerActor) -> None:
    answer = SAYINGS.read(BytesIO(await actor.ask(ORDERS.pack(Ask(7, Parse("live"))))))
    assert isinstance(answer, Answer)
    assert answer.number == 7


async def test_a_worker_on_a_machine_with_other_code_refuses_everything_and_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(actor_module, "REFUSED_SECONDS", 0.01)
    left: list[bool] = []
    made = WorkerActor(Posting("a-cpu0", "cpu", Limits(), "0.9.0+0123456789ab"), lambda: left.append(True))
    message = rf"got {re.escape(edition())}, possible is 0\.9\.0\+0123456789ab"
    for refused in (
        made.listen("one", 0),
        made.begin("one", 1, order("job", "a film")),
        made.ask(ORDERS.pack(Ask(7, Parse("live")))),
    ):
        with pytest.raises(OtherCode, match=message):
            await refused
    await until(lambda: left)
    assert left == [True]
    assert made._crew is None, "no worker process was started"
