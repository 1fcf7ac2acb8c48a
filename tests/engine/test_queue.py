"""Which job is next, and where."""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from espalier.engine.crews.duty import Duty
from espalier.engine.crews.embedded.queue import MOST_BESIDE_OTHERS, Queue
from espalier.engine.crews.embedded.worker import Worker
from espalier.engine.crews.protocol import Assignment
from espalier.engine.ledger.live import LiveJob
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Event, Job

numbers = count()
START = datetime(2026, 11, 16, tzinfo=UTC)


def duty(client: str = "me", text: str | None = None) -> Duty:
    number = next(numbers)
    return Duty(Assignment(f"job{number}", ExplanationRequest(text=text or f"Text {number}."), client))


def live() -> LiveJob:
    number = next(numbers)
    request = ExplanationRequest(text=f"Text {number}.")
    return LiveJob(Job(f"job{number}", "queued", request, START + timedelta(seconds=number)))


def worker(name: str) -> Worker:
    made = Worker(name, "cpu", [], lambda *_: None, lambda *_: None)
    made.state = "ready"
    return made


class Bench:
    """A queue and its workers; `take` begins the next job as the engine does."""

    def __init__(self, workers: int = 1, slots: int = 4) -> None:
        self.workers = [worker(f"w{index}") for index in range(workers)]
        self.queue = Queue(self.workers, slots)
        self.duties: dict[str, Duty] = {}

    def add(self, *jobs: Duty) -> None:
        for each in jobs:
            self.duties[each.job] = each
            self.queue.add(each)

    def take(self, index: int = 0) -> Duty | None:
        chosen = self.queue.next_for(self.workers[index], self.duties.get)
        if chosen is not None:
            self.workers[index].running.add(chosen.job)
        return chosen


def test_a_client_with_many_jobs_lets_another_one_in_between() -> None:
    bench = Bench()
    many = [duty("many") for _ in range(10)]
    one = duty("one")
    bench.add(*many, one)
    assert [bench.take(), bench.take(), bench.take()] == [many[0], one, many[1]]


def test_a_worker_begins_no_more_than_it_has_room_for() -> None:
    bench = Bench(slots=2)
    bench.add(*(duty() for _ in range(5)))
    assert [bench.take() is not None for _ in range(3)] == [True, True, False]


def test_clients_with_many_jobs_do_not_fill_a_worker_beside_each_other() -> None:
    bench = Bench(slots=32)
    bench.add(*(duty(client) for client in ("one", "two") for _ in range(16)))
    begun = []
    while (job := bench.take()) is not None:
        begun.append(job)
    assert Counter(job.client for job in begun) == {"one": MOST_BESIDE_OTHERS, "two": MOST_BESIDE_OTHERS}
    bench.workers[0].running.discard(begun[0].job)
    following = bench.take()
    assert following is not None
    assert following.client == begun[0].client


def test_a_client_who_is_alone_may_fill_a_worker() -> None:
    bench = Bench(slots=16)
    bench.add(*(duty("alone") for _ in range(16)))
    assert all(bench.take() is not None for _ in range(16))


def test_jobs_on_the_same_text_go_to_the_same_worker() -> None:
    bench = Bench(workers=2)
    same = [duty(text="The same.") for _ in range(3)]
    bench.add(same[0], duty(), same[1], duty(), same[2])
    homes = {
        each for index in range(2) if any(job in bench.queue._waiting[f"w{index}"] for job in same) for each in [index]
    }
    assert len(homes) == 1


def test_requests_that_are_checked_at_the_same_time_are_spread_over_workers() -> None:
    bench = Bench(workers=2)
    places = [bench.queue.place(duty().game).name for _ in range(6)]
    assert places == ["w0", "w1"] * 3


def test_work_is_spread_over_workers() -> None:
    bench = Bench(workers=2)
    bench.add(*(duty() for _ in range(6)))
    assert [bench.queue.load(each) for each in bench.workers] == [3, 3]


def test_a_job_that_was_there_when_a_worker_died_is_done_alone() -> None:
    bench = Bench()
    suspect, other = duty(), duty()
    suspect.deaths = 1
    bench.add(other, suspect)
    assert bench.take() is suspect
    assert bench.take() is None
    bench.workers[0].running.clear()
    assert bench.take() is other


def test_what_waits_for_a_worker_that_ended_goes_to_another() -> None:
    bench = Bench(workers=2)
    jobs = [duty() for _ in range(4)]
    bench.add(*jobs)
    bench.workers[0].state = "starting"
    bench.queue.move_from(bench.workers[0])
    assert bench.queue.load(bench.workers[1]) == 4


def test_event_ids_go_on_rising_after_a_restart() -> None:
    first = live()
    last = first.emit("progress", "{}")
    again = LiveJob(first.job, [Event(last.id + 5000, "prepared", "{}")])
    assert again.emit("progress", "{}").id > last.id + 5000


def test_a_late_listener_gets_the_newest_of_each_kind_and_then_what_happens() -> None:
    async def listen() -> list[str]:
        job = live()
        job.set_status("queued")
        job.count(1, 10)
        job.count(2, 10)
        job.set_status("running")
        heard: list[str] = []
        async for each in job.follow(0):
            heard.append(f"{each.name} {each.data}")
            if each.name == "status":
                job.count(3, 10)
            if each.data == '{"evaluated":3,"expected":10}':
                job.end(job.job)
        return heard

    assert asyncio.run(listen()) == [
        'progress {"evaluated":2,"expected":10}',
        'status {"status":"running"}',
        'progress {"evaluated":3,"expected":10}',
        "finished None",
    ]


@pytest.mark.parametrize(("lease", "left", "over"), [(5.0, 6.0, True), (5.0, 4.0, False), (None, 1e6, False)])
def test_a_lease_ends_when_nobody_has_listened_for_its_time(
    lease: float | None, left: float, over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock: Callable[[], float] = iter([0.0, left, left]).__next__
    monkeypatch.setattr("espalier.engine.ledger.live.time.monotonic", clock)
    job = LiveJob(Job("j", "queued", ExplanationRequest(text="A."), START, lease=lease))
    assert job.lease_is_over == over
