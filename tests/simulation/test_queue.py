"""The simulated queue against what is known exactly of such queues."""

import math

import pytest
from benchmarks.simulation.people import MIX, Habits, Times
from benchmarks.simulation.queue import simulate

SAME = Times(dict.fromkeys(MIX, (0.4, 0.8, 1.8)))
"""A second in the mean."""


def mean_value_analysis(people: int, service: float, think: float) -> float:
    """The mean wait of a closed queue with one worker that shares itself, whatever the distribution of work."""
    queue = wait = 0.0
    for count in range(1, people + 1):
        wait = service * (1 + queue)
        queue = count / (wait + think) * wait
    return wait


@pytest.mark.parametrize("people", [1, 5, 20])
def test_one_worker_makes_people_wait_as_long_as_theory_says(people: int) -> None:
    found = simulate(people, 1, Habits(SAME, seed=3, think_seconds=10.0, known=0.0), seconds=60_000)
    assert found.mean == pytest.approx(mean_value_analysis(people, 1.0, 10.0), rel=0.05)


def test_as_many_answers_come_as_people_ask() -> None:
    """Little's law: people = answers a second * (thinking + waiting)."""
    found = simulate(50, 4, Habits(SAME, seed=4, think_seconds=20.0), seconds=20_000)
    assert found.rate * (20.0 + found.mean) == pytest.approx(50, rel=0.03)


def test_with_enough_workers_nobody_waits_for_another() -> None:
    habits = Habits(SAME, seed=5, think_seconds=1_000.0, known=0.0)
    found = simulate(10, 50, habits, seconds=50_000)
    assert found.mean == pytest.approx(1.0, rel=0.05)
    assert found.busy < 0.01


def test_what_is_known_is_answered_at_once() -> None:
    found = simulate(10, 1, Habits(SAME, seed=6, known=1.0), seconds=5_000)
    assert found.waits
    assert max(found.waits) == 0.0


def test_the_same_seed_gives_the_same_waits() -> None:
    one, two = (simulate(20, 2, Habits(SAME, seed=7), seconds=2_000) for _ in range(2))
    assert one.waits == two.waits
    assert not math.isnan(one.quantile(0.95))


def test_one_worker_for_ten_thousand_people_keeps_them_waiting() -> None:
    found = simulate(10_000, 1, Habits(SAME, seed=8), seconds=120)
    assert found.quantile(0.5) > 60
    assert found.busy == pytest.approx(1.0, abs=0.01)
