"""What depends on the machine."""

import os

import pytest

from espalier.engine.choice import CLUSTER_QUESTIONS, questions_at_once
from espalier.settings import Settings


@pytest.mark.parametrize(
    ("cores", "devices", "expected"),
    [(1, ("cpu",), 1), (2, ("cpu",), 1), (8, ("cpu",), 2), (8, ("cuda:0", "cuda:1"), 4)],
)
def test_few_cores_answer_one_question_at_a_time(
    monkeypatch: pytest.MonkeyPatch, cores: int, devices: tuple[str, ...], expected: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert questions_at_once(Settings(devices=devices)) == expected


def test_a_cluster_answers_many_whatever_this_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    # Ray is a matter of its own: who checks the code without it has no cluster, but the same rule.
    monkeypatch.setattr("espalier.settings.find_spec", lambda name: object())
    assert questions_at_once(Settings(engine="ray", ray_address="head:6379")) == CLUSTER_QUESTIONS
