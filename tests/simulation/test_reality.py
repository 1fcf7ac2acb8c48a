"""The same people in the simulation and at a real server: what is compared is alike."""

import json
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from benchmarks.simulation.people import MIX, Habits, Times
from benchmarks.simulation.queue import WARM_UP
from benchmarks.simulation.reality import Visit, measure, texts

ROOT = Path(__file__).parents[2]


def test_texts_are_as_long_as_the_samples_are() -> None:
    lengths = [len(text.split()) for text in texts()]
    assert lengths == sorted(lengths)
    assert lengths[-1] > 1.5 * lengths[0], "jobs differ in size as texts do"
    assert len(set(texts())) == 12


@pytest.mark.slow
def test_every_method_is_measured_on_every_text() -> None:
    measured = measure(2, model="sst2-bow")["seconds"]
    assert set(measured) == set(MIX)
    assert all(len(spent) == 2 and min(spent) > 0 for spent in measured.values())


def jobs_ended(service: str) -> int:
    lines = httpx.get(f"{service}/metrics", timeout=60).text.splitlines()
    return int(sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith("espalier_jobs_total{")))


async def test_what_is_known_reaches_no_worker_of_a_real_server_either(service: str) -> None:
    times = Times(dict.fromkeys(MIX, (0.05,) * 12))
    people, before = 6, jobs_ended(service)
    visiting = Visit(service, Habits(times, 3, think_seconds=0.2, known=0.5), 8.0, seed=3, model="sst2-bow")
    found = await visiting.of(people)
    answered = [body["text"] for body in visiting.answered]
    new = len(set(answered))
    assert found.waits
    assert len(found.waits) < len(answered), "those of the warm-up do not count"
    assert new <= jobs_ended(service) - before <= new + people
    # Four standard deviations of a fair draw, and the first question, which is never known.
    assert abs(new - 0.5 * len(answered)) < 2 * len(answered) ** 0.5 + 1


async def test_who_still_waits_at_the_end_is_counted(service: str) -> None:
    """Not everybody gets an answer in so short a time."""
    times = Times(dict.fromkeys(MIX, (1.0,) * 12))
    found = await Visit(service, Habits(times, 4, think_seconds=0.001, known=0.0), 0.4, seed=4).of(40)
    assert found.unanswered
    assert 0 < max(found.unanswered) <= 0.4 * (1 + WARM_UP)


@pytest.mark.slow
def test_the_command_answers_for_times_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "times.json").write_text(
        json.dumps({"seconds": {method: [0.5, 1.5] for method in MIX}}), encoding="utf-8"
    )
    command = [sys.executable, "-m", "benchmarks.simulation", "--people", "30", "--seconds", "200"]
    said = subprocess.run(
        [*command, "--times", str(tmp_path / "times.json")], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "a worker needs 1.00 s" in said.stdout
    assert "measuring" not in said.stderr


@pytest.mark.slow
def test_a_wait_that_jobs_alone_are_longer_than_is_refused(tmp_path: Path) -> None:
    """However many workers there are, nobody is answered sooner than their own job ends."""
    (tmp_path / "times.json").write_text(json.dumps({"seconds": {method: [9.0] for method in MIX}}), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.simulation", "--people", "4", "--seconds", "300", "--target", "5"]
    said = subprocess.run(
        [*command, "--times", str(tmp_path / "times.json")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert said.returncode != 0
    told = re.search(r"got --target 5, possible is (\d+) or more", said.stderr)
    assert told is not None
    assert int(told[1]) >= 9
