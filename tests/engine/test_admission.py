"""When a new job is refused, and what the client is told."""

import pytest

from espalier.engine.admission import Admission, Busy, Desk, Pressure

LIMITS = Admission(jobs=10, work=1000, client_jobs=3, client_work=300, evaluations_per_second=10)


def test_below_all_limits_a_job_is_admitted() -> None:
    LIMITS(Pressure(jobs=9, work=999, client_jobs=2, client_work=299))


@pytest.mark.parametrize(
    ("pressure", "said"),
    [
        (Pressure(client_jobs=3), "you have 3 jobs waiting, possible are up to 3"),
        (Pressure(client_work=300), "you have 300 evaluations waiting, possible are up to 300"),
        (Pressure(jobs=10), "the service has 10 jobs waiting, possible are up to 10"),
        (Pressure(work=1234), "the service has 1,234 evaluations waiting, possible are up to 1,000"),
    ],
)
def test_at_a_limit_the_next_job_is_refused_with_the_reason(pressure: Pressure, said: str) -> None:
    with pytest.raises(Busy, match=said):
        LIMITS(pressure)


@pytest.mark.parametrize(("work", "pause"), [(0, 1), (400, 10), (10**9, 60)])
def test_the_pause_grows_with_the_work_within_bounds(work: int, pause: int) -> None:
    with pytest.raises(Busy) as refused:
        LIMITS(Pressure(jobs=10, work=work))
    assert refused.value.retry_after == pause


def test_a_job_that_is_more_than_a_limit_by_itself_waits_for_the_others_and_not_for_ever() -> None:
    unfinished: list[tuple[str, int]] = [("me", 5)]
    desk = Desk(LIMITS, lambda: unfinished)
    with desk.place("me") as place, pytest.raises(Busy, match=r"you have .* evaluations waiting"):
        desk.expect(place, 500)
    unfinished.clear()
    with desk.place("me") as place:
        desk.expect(place, 500)
        with pytest.raises(Busy), desk.place("me"):
            pass
