"""What is kept of jobs, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from espalier.engine.protocol import Event, Job, KeyReused
from espalier.explain.request import ExplanationRequest
from espalier.store import Store
from espalier.store.base import now
from espalier.store.jobs import Jobs

REQUEST = ExplanationRequest(text="Ein schöner Film 🎬.", parameters={"window": 3})


@pytest.fixture
def jobs(store: Store) -> Jobs:
    return Jobs(store)


def job(identity: str = "a", **fields: object) -> Job:
    return replace(Job(identity, "queued", REQUEST, now(), client="me"), **fields)  # type: ignore[arg-type]


def test_a_job_comes_back_as_it_was_written(jobs: Jobs) -> None:
    written = jobs.add(job(lease=12.5))
    assert jobs.get("a") == written
    assert jobs.get("b") is None


def test_the_end_and_the_result_are_one(jobs: Jobs) -> None:
    jobs.add(job())
    jobs.begin("a", [Event(3, "prepared", '{"text":"…"}')])
    assert jobs.get("a").status == "running"
    assert jobs.events("a") == [Event(3, "prepared", '{"text":"…"}')]
    ended = jobs.finish("a", "succeeded", content="c" * 64, document='{"n":1}', evaluated=9, expected=9)
    assert jobs.get("a") == ended
    assert (ended.status, ended.explanation, ended.evaluated) == ("succeeded", '{"n":1}', 9)
    assert jobs.events("a") == []
    assert jobs.unfinished() == []


def test_doing_a_job_again_changes_nothing(jobs: Jobs) -> None:
    jobs.add(job())
    first = jobs.finish("a", "succeeded", content="c" * 64, document='{"n":1}')
    assert jobs.finish("a", "succeeded", content="c" * 64, document='{"n":2}') == first
    assert jobs.finish("a", "cancelled") == first
    jobs.begin("a", [])
    assert jobs.get("a") == first


def test_two_jobs_of_one_content_share_the_first_result(jobs: Jobs) -> None:
    jobs.add(job("a"))
    jobs.add(job("b"))
    jobs.finish("a", "succeeded", content="c" * 64, document='{"n":1}')
    assert jobs.finish("b", "succeeded", content="c" * 64, document='{"n":2}').explanation == '{"n":1}'
    assert jobs.result("c" * 64) == '{"n":1}'


def test_unfinished_jobs_are_found_again_oldest_first(jobs: Jobs) -> None:
    jobs.add(job("young"))
    jobs.add(job("old", created=now() - timedelta(hours=1)))
    jobs.add(job("done"))
    jobs.finish("done", "failed", problem={"detail": "no"})
    jobs.begin("young", [])
    assert [each.id for each in jobs.unfinished()] == ["old", "young"]
    jobs.requeue(["young", "done"])
    assert [each.status for each in jobs.unfinished()] == ["queued", "queued"]
    assert jobs.get("done").problem == {"detail": "no"}


def test_the_same_idempotency_key_gives_the_same_job(jobs: Jobs) -> None:
    first = jobs.add(job("a"), idempotency_key="k")
    assert jobs.add(job("b"), idempotency_key="k") == first
    assert jobs.get("b") is None
    assert jobs.add(job("c", client="someone else"), idempotency_key="k").id == "c"
    with pytest.raises(KeyReused):
        jobs.add(job("d", request=ExplanationRequest(text="Another.")), idempotency_key="k")


def test_one_key_sent_many_times_at_once_makes_one_job(store: Store) -> None:
    jobs = Jobs(store)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: _try(jobs, n), range(8)))
    assert len({each.id for each in made if each is not None}) == 1
    assert len(jobs.unfinished()) == 1


def _try(jobs: Jobs, number: int) -> Job | None:
    return jobs.add(job(f"n{number}"), idempotency_key="k")


def test_old_jobs_and_results_nobody_speaks_of_are_forgotten(jobs: Jobs) -> None:
    jobs.add(job("a"))
    jobs.add(job("b"))
    jobs.finish("a", "succeeded", content="c" * 64, document="{}")
    assert jobs.forget(now() + timedelta(seconds=1)) == 1
    assert jobs.get("a") is None
    assert jobs.result("c" * 64) is None
    assert jobs.get("b") is not None
