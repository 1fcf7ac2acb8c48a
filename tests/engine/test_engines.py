"""What every engine does alike: embedded workers, two servers with workers of their own on one PostgreSQL, and two
servers that share the workers of a Ray cluster. Workers do as they are told: dying, hanging, growing."""

import asyncio
import json
import os
import signal
from typing import Any

import pytest
from tests.engine.houses import Build, House, everywhere, heard, two_servers
from tests.engine.scripted import ask, until

from espalier.engine.admission import Admission, Busy
from espalier.engine.crews.protocol import WorkerUnavailable
from espalier.engine.ledger.ledger import Ledger
from espalier.jobs import Job
from espalier.limits import Limits

pytestmark = pytest.mark.asyncio(loop_scope="module")


@everywhere
async def test_a_job_is_done_and_its_document_kept_as_the_worker_wrote_it(house: House) -> None:
    ended = await house.end(await ask(house.front, "a film"))
    assert ended.status == "succeeded"
    assert json.loads(ended.explanation or "")["text"] == "a film"


@everywhere
async def test_a_stream_tells_all_that_happens_and_is_resumed_at_another_server(house: House) -> None:
    job = await ask(house.front, "wait")
    first = await heard(house.front, job, {"status", "prepared", "progress", "partial"})
    assert [each.id for each in first] == sorted({each.id for each in first})
    resumed = asyncio.create_task(heard(house.back, job, {"finished"}, after=first[-1].id))
    await asyncio.sleep(0)
    await house.back.cancel(job.id)
    rest = await resumed
    assert min(each.id for each in rest) > first[-1].id
    assert rest[-1].name == "finished"


@everywhere
async def test_a_job_whose_worker_is_killed_by_hand_is_done_by_the_next_one(house: House) -> None:
    job, process = await ask(house.front, "wait"), 0
    for _ in range(4):  # one more than a job that is to blame would be given
        process = await house.begun(job, after=process)
        os.kill(process, signal.SIGKILL)
    await house.begun(job, after=process)
    assert (await house.back.cancel(job.id)).status == "cancelled"


@everywhere
@two_servers
async def test_a_job_that_goes_to_and_fro_between_servers_is_done_wherever_it_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each falls asleep in turn, as on a machine that has too much to do: its claim lapses, the other takes the job."""
    job = await ask(house.front, "wait")
    await house.begun(job)
    for asleep, awake in ((house.front, house.back), (house.back, house.front)) * 2:
        with monkeypatch.context() as patch:
            for duty in ("renew", "claim"):
                patch.setattr(asleep._keeper, duty, nothing)
            await until(lambda awake=awake: runs_at(awake, job))  # type: ignore[misc]
        await until(lambda asleep=asleep: job.id not in asleep.live)  # type: ignore[misc]
    assert (await house.back.cancel(job.id)).status == "cancelled"


async def nothing() -> None:
    pass


def runs_at(server: Ledger, job: Job) -> bool:
    return job.id in server.live and server.live[job.id].job.status == "running"


@pytest.mark.slow
@everywhere
async def test_a_job_that_ends_its_workers_fails_and_takes_no_other_with_it(house: House) -> None:
    killer = await ask(house.front, "die")
    others = [await ask(house.front, f"film {number}", client=f"c{number}") for number in range(3)]
    failed = await house.end(killer)
    assert failed.status == "failed"
    assert failed.problem is not None
    assert failed.problem["type"] == "urn:espalier:problem:worker-lost"
    assert {(await house.end(other)).status for other in others} == {"succeeded"}


async def test_a_worker_that_dies_while_it_speaks_is_not_believed(house: House) -> None:
    ended = await house.end(await ask(house.front, "half"))
    assert json.loads(ended.explanation or "")["text"] == "half"


async def test_a_message_that_is_none_replaces_the_worker_and_blames_no_job(house: House) -> None:
    assert (await house.end(await ask(house.front, "nonsense"))).status == "succeeded"


async def test_a_question_to_a_worker_that_dies_is_answered_with_try_again(house: House) -> None:
    with pytest.raises(WorkerUnavailable):
        await house.front.parse("die")
    await house.ready()
    assert await answered(house)


async def answered(house: House) -> Any:
    """A worker may be seen as ready a moment longer than it is."""
    while True:
        try:
            return await house.front.parse("live")
        except WorkerUnavailable:
            await asyncio.sleep(0.05)


@everywhere
async def test_a_running_job_is_cancelled_and_its_place_is_free_again(house: House) -> None:
    job = await ask(house.front, "wait")
    await house.begun(job)
    assert (await house.back.cancel(job.id)).status == "cancelled"
    await until(lambda: not any(worker.running for worker in house.front._crew.status().workers))


async def test_an_interactive_job_nobody_listens_to_is_cancelled_and_others_are_not(house: House) -> None:
    left = await ask(house.front, "wait interactive", lease=0.01)
    patient = await ask(house.front, "wait for me")
    await until(lambda: left.id not in house.front.live)
    assert (await house.back.job(left.id)).status == "cancelled"
    assert not (await house.back.job(patient.id)).is_finished


async def test_what_a_server_has_not_finished_goes_on_when_it_stops(build: Build) -> None:
    """At the other server, or at the next start."""
    house = await build()
    waiting, fresh = await ask(house.front, "wait for the next one"), await ask(house.front, "film")
    await house.begun(waiting)
    await house.front.stop(0)
    if house.engine == "embedded":
        await house.add()
    house.servers.pop(0)
    assert (await house.end(fresh)).status == "succeeded"
    await until(lambda: waiting.id in house.back.live)
    await house.begun(waiting)
    assert (await house.back.cancel(waiting.id)).status == "cancelled"


async def test_workers_share_what_there_is(build: Build) -> None:
    house = await build(workers=2)
    held = [await ask(house.front, f"wait {number}") for number in range(24)]
    for job in held:
        await house.begun(job)
    assert len({house.process_of(job) for job in held}) == 2
    again = await ask(house.front, "wait 3", client="another")
    await house.begun(again)
    assert house.process_of(again) == house.process_of(held[3]), "the same game has the same worker"
    for job in [*held, again]:
        await house.front.cancel(job.id)


@pytest.mark.slow
async def test_a_worker_that_hangs_is_replaced_and_its_jobs_go_on(build: Build) -> None:
    house = await build(limits=Limits(silence=3.0))
    job = await ask(house.front, "wait")
    stopped = await house.begun(job)
    os.kill(stopped, signal.SIGSTOP)
    if house.engine != "ray":  # whose workers are shared: a server without them still accepts
        await until(lambda: not house.front._crew.status().ready)  # who asks for readiness is told that nobody answers
    await house.begun(job, after=stopped)
    with pytest.raises(ProcessLookupError):
        os.kill(stopped, 0)


async def test_a_batch_that_never_ends_costs_the_worker_not_the_job(house: House) -> None:
    assert (await house.end(await ask(house.front, "stuck"))).status == "succeeded"


@everywhere
async def test_who_uses_up_the_memory_fails_alone_and_with_a_reason(house: House) -> None:
    held = await ask(house.front, "wait")
    await house.begun(held)
    greedy, neighbour = await ask(house.front, "greedy"), await ask(house.front, "next to greedy", client="another")
    await house.front.cancel(held.id)
    failed = await house.end(greedy)
    assert failed.problem is not None
    assert failed.problem["type"] == "urn:espalier:problem:too-much-memory"
    assert (await house.end(neighbour)).status == "succeeded"


async def test_what_another_key_asked_before_does_not_show(house: House) -> None:
    """Its answer is not there at once; for the same key, and for everybody where no keys are, it is."""
    await house.back.load("sst2-bow")  # scripted workers have a revision of their own, which a server has to hear of
    for client in ("key:1", "address:1"):
        await house.end(await ask(house.front, "a film", client))
    assert (await ask(house.back, "a film", "key:1")).is_finished
    assert (await ask(house.back, "a film", "address:2")).is_finished
    other = await ask(house.back, "a film", "key:2")
    assert not other.is_finished
    assert (await house.end(other)).status == "succeeded"
    assert (await ask(house.back, "a film", "key:2/study:1")).is_finished


async def test_a_burst_cannot_pass_admission(build: Build) -> None:
    """All of them ask before any of them is a job."""
    house = await build(admit=Admission(jobs=100, work=10**6, client_jobs=3, client_work=10**6))
    answers = await asyncio.gather(*(ask(house.front, f"wait {n}") for n in range(20)), return_exceptions=True)
    assert sum(isinstance(answer, Job) for answer in answers) == 3
    assert {type(answer) for answer in answers} == {Job, Busy}
    assert isinstance(await ask(house.front, "wait, I am somebody else", client="other"), Job)


@everywhere
async def test_limits_hold_for_all_servers_together(build: Build) -> None:
    house = await build(admit=Admission(jobs=100, work=10**6, client_jobs=6, client_work=10**6))
    bursts = [ask(server, f"wait {n}") for n in range(10) for server in (house.front, house.back)]
    answers = await asyncio.gather(*bursts, return_exceptions=True)
    assert sum(isinstance(answer, Job) for answer in answers) == 6
    assert {type(answer) for answer in answers} == {Job, Busy}


async def test_admission_counts_what_a_method_expects(build: Build) -> None:
    house = await build(admit=Admission(jobs=100, work=10**6, client_jobs=100, client_work=2500))
    for number in range(2):
        await ask(house.front, f"wait, costly {number}")
    with pytest.raises(Busy, match="evaluations waiting"):
        await ask(house.back, "wait, costly 3")


async def test_an_interactive_job_goes_on_as_long_as_somebody_listens(house: House) -> None:
    job = await ask(house.front, "wait, I listen", lease=0.01)
    events = house.front.events(job.id)
    assert (await anext(events)).name == "status"
    for _ in range(3):
        # Longer than the lease; housekeeping looks once a second.
        assert (await house.front.wait(job.id, 0.5)).status in ("queued", "running")
    await events.aclose()
    await until(lambda: job.id not in house.front.live)


@pytest.mark.slow
async def test_a_worker_that_has_grown_is_replaced_when_it_has_nothing_to_do(build: Build) -> None:
    house = await build(limits=Limits(memory=1))
    job = await ask(house.front, "wait")
    process = await house.begun(job)
    # It is measured once a second; by then it would be gone if nobody cared for its job.
    await until(lambda: any(worker.memory_bytes for worker in house.front._crew.status().workers))
    os.kill(process, 0)
    await house.front.cancel(job.id)
    await until(lambda: house.restarts() > 0)


async def test_a_client_with_many_requests_to_check_does_not_stand_before_one_with_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answered = asyncio.Event()

    async def slowly(question: Any) -> Any:
        asked.append(question.request.text)
        await answered.wait()
        raise WorkerUnavailable("nobody can tell")

    monkeypatch.setattr(house.front._crew, "ask", slowly)
    greedy = [asyncio.create_task(ask(house.front, f"wait greedy {number}", client="a")) for number in range(20)]
    await until(lambda: len(asked) == 2)
    modest = asyncio.create_task(ask(house.front, "wait modest", client="b"))
    await until(lambda: house.front.pressure("b").client_jobs == 1)
    answered.set()
    await asyncio.gather(*greedy, modest)
    assert asked.index("wait modest") <= 3


async def test_a_job_waits_for_a_model_that_is_made_ready_and_says_how_far_it_is(house: House) -> None:
    job = await ask(house.front, "unmade")
    told = [json.loads(event.data or "{}") async for event in house.front.events(job.id) if event.name == "status"]
    assert {"status": "queued", "making": {"done": 3, "count": 10}} in told
    assert (await house.back.job(job.id)).status == "succeeded"
