"""What is kept of jobs, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from espalier.explain.request import ExplanationRequest
from espalier.jobs import Event, Job, KeyReused
from espalier.store import Store, open_store
from espalier.store.base import now
from espalier.store.jobs import Claims, JobRow, Jobs
from espalier.store.jobs.claims import Standing

REQUEST = ExplanationRequest(text="Ein schöner Film 🎬.", parameters={"window": 3})


@pytest.fixture
def jobs(store: Store) -> Jobs:
    return Jobs(store)


def job(identity: str = "a", **fields: object) -> Job:
    return replace(Job(identity, "queued", REQUEST, now(), client="me"), **fields)  # type: ignore[arg-type]


def unfinished(jobs: Jobs) -> list[str]:
    """What a server finds that starts now."""
    return [claimed.job.id for claimed in Claims(jobs.store, "new", 60).claim(100, everything=True)]


def test_a_job_comes_back_as_it_was_written(jobs: Jobs) -> None:
    written = jobs.add(job(lease=12.5))
    assert jobs.get("a") == written
    assert jobs.get("b") is None


def test_the_end_and_the_result_are_one(jobs: Jobs) -> None:
    jobs.add(job())
    jobs.begin("a", [Event(3, "prepared", '{"text":"…"}')])
    assert jobs.get("a").status == "running"
    assert jobs.seen("a")[1] == [Event(3, "prepared", '{"text":"…"}')]
    ended = jobs.finish(job(), "succeeded", content="c" * 64, document='{"n":1}', evaluated=9, expected=9)
    assert jobs.get("a") == ended
    assert (ended.status, ended.explanation, ended.evaluated) == ("succeeded", '{"n":1}', 9)
    assert jobs.seen("a")[1] == []
    assert unfinished(jobs) == []


def test_doing_a_job_again_changes_nothing(jobs: Jobs) -> None:
    jobs.add(job())
    first = jobs.finish(job("a"), "succeeded", content="c" * 64, document='{"n":1}')
    assert jobs.finish(job("a"), "succeeded", content="c" * 64, document='{"n":2}') == first
    assert jobs.finish(job("a"), "cancelled") == first
    jobs.begin("a", [])
    assert jobs.get("a") == first


def test_two_jobs_of_one_content_share_the_first_result(jobs: Jobs) -> None:
    jobs.add(job("a"))
    jobs.add(job("b"))
    jobs.finish(job("a"), "succeeded", content="c" * 64, document='{"n":1}')
    assert jobs.finish(job("b"), "succeeded", content="c" * 64, document='{"n":2}').explanation == '{"n":1}'
    assert jobs.result("c" * 64).document == '{"n":1}'


def test_what_a_known_result_took_is_known_without_reading_it(jobs: Jobs) -> None:
    jobs.add(job("a"))
    jobs.finish(job("a"), "succeeded", content="c" * 64, document="a document of megabytes", evaluated=7, expected=7)
    assert jobs.result("c" * 64) == ("a document of megabytes", 7)
    assert jobs.result("d" * 64) is None


def test_unfinished_jobs_are_found_again_oldest_first(jobs: Jobs) -> None:
    jobs.add(job("young"))
    jobs.add(job("old", created=now() - timedelta(hours=1)))
    jobs.add(job("done"))
    jobs.finish(job("done"), "failed", problem={"detail": "no"})
    jobs.begin("young", [])
    assert unfinished(jobs) == ["old", "young"]


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
    assert len(unfinished(jobs)) == 1


def _try(jobs: Jobs, number: int) -> Job | None:
    return jobs.add(job(f"n{number}"), idempotency_key="k")


def test_old_jobs_and_results_nobody_speaks_of_are_forgotten(jobs: Jobs) -> None:
    jobs.add(job("a"))
    jobs.add(job("b"))
    jobs.finish(job("a"), "succeeded", content="c" * 64, document="{}")
    assert jobs.forget(now() + timedelta(seconds=1)) == 1
    assert jobs.get("a") is None
    assert jobs.result("c" * 64) is None
    assert jobs.get("b") is not None


def test_a_server_takes_jobs_that_are_nobodys_and_no_other_gets_the_same(jobs: Jobs) -> None:
    one, other = Claims(jobs.store, "one", 60), Claims(jobs.store, "other", 60)
    jobs.add(job("mine"), claims=one)
    lapsed = [job(f"n{number}") for number in range(4)]
    for each in lapsed:
        jobs.add(each, claims=Claims(jobs.store, "gone", -1))
    first = {each.job.id for each in other.claim(2)}
    rest = {each.job.id for each in one.claim(10)}
    assert len(first) == 2
    assert first | rest == {each.id for each in lapsed}
    assert not first & rest
    assert other.claim(10) == []


def test_who_has_lost_a_job_hears_it_when_renewing(jobs: Jobs) -> None:
    one, other = Claims(jobs.store, "one", -1), Claims(jobs.store, "other", 60)
    for name in ("kept", "lost", "ended"):
        jobs.add(job(name), claims=Claims(jobs.store, "one", 60))
    jobs.finish(job("ended"), "cancelled")
    other.wish_cancel("kept")
    other.watch("kept", 60)
    with jobs.store.write() as session:
        session.get_one(JobRow, "lost").owner = "other"
    assert one.renew(["kept", "lost", "ended"]) == {"kept": Standing(cancel_wished=True, watched=True)}


def test_the_newest_event_of_each_kind_is_kept_and_none_of_a_job_that_has_ended(jobs: Jobs) -> None:
    written = jobs.add(job("a"))
    jobs.begin("a", [Event(1, "status", "1"), Event(2, "prepared", "2")])
    jobs.note([(replace(written, status="running", evaluated=3, expected=9), [Event(5, "progress", "5")])])
    jobs.note([(replace(written, status="running", evaluated=4, expected=9), [Event(7, "progress", "7")])])
    seen = jobs.seen("a")
    assert seen is not None
    assert [(event.id, event.name) for event in seen[1]] == [(1, "status"), (2, "prepared"), (7, "progress")]
    assert (seen[0].evaluated, seen[0].expected) == (4, 9)
    jobs.finish(job("a"), "cancelled")
    jobs.note([(written, [Event(9, "progress", "9")])])
    assert jobs.seen("a")[1] == []
    assert jobs.get("a").status == "cancelled"


def test_forgetting_finds_old_jobs_by_an_index(tmp_path: Path) -> None:
    """On SQLite: PostgreSQL reads a small table whole, index or not."""
    with open_store(f"sqlite:///{tmp_path}/jobs.sqlite").read() as session:
        plan = session.execute(text("EXPLAIN QUERY PLAN DELETE FROM jobs WHERE finished < '2026'")).all()
    assert "ix_jobs_finished" in str(plan)


def test_more_than_one_transaction_may_delete_is_forgotten_all_the_same(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("espalier.store.jobs.queries.FORGOTTEN_AT_ONCE", 2)
    for number in range(5):
        jobs.add(job(f"n{number}"))
        jobs.finish(job(f"n{number}"), "succeeded", content=f"{number}" * 64, document="{}")
    assert jobs.forget(now() + timedelta(seconds=1)) == 5
    assert [jobs.result(f"{number}" * 64) for number in range(5)] == [None] * 5
