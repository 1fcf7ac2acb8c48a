"""Failures of a worker, told apart: no memory left, a device that cannot be used any more, everything else."""

import io
import subprocess
import sys
from typing import Any

import pytest

from espalier.engine.messages import SAYINGS, Check, Parse, Predict, Refusal
from espalier.engine.worker.__main__ import Worker
from espalier.engine.worker.failures import DEVICE_LOST, out_of_memory, sticks
from espalier.engine.worker.voice import Voice
from espalier.explain.request import ExplanationRequest

LOST = RuntimeError("CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported")
FULL = RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB.")

TASK = """
import io
from contextlib import contextmanager
from espalier.engine.worker.task import Task
from espalier.engine.worker.voice import Voice
from espalier.explain.request import ExplanationRequest

class Room:
    @contextmanager
    def using_all(self, request):
        raise RuntimeError("CUDA error: an illegal memory access was encountered")
        yield

Task("j", ExplanationRequest(text="A film."), "me", Room(), Voice(io.BytesIO())).run()
"""


class Full:
    """A worker's room in which no memory is left."""

    def __getattr__(self, name: str) -> Any:
        raise MemoryError


@pytest.mark.parametrize(
    "question",
    [Check(ExplanationRequest(text="A film.")), Predict("sst2-bow", "A film.", None, (), None), Parse("A film.")],
)
def test_a_question_for_which_no_memory_is_left_may_be_asked_again(question: Any) -> None:
    said = io.BytesIO()
    Worker(Full(), Voice(said), 1)._answer(1, question)  # type: ignore[arg-type]
    said.seek(0)
    refusal = SAYINGS.read(said)
    assert isinstance(refusal, Refusal)
    assert (refusal.trouble.code, refusal.trouble.status) == ("out-of-memory", 503)


@pytest.mark.parametrize(
    ("error", "memory", "stuck"),
    [
        (MemoryError(), True, False),
        (
            RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried 8000000000 bytes"),
            True,
            False,
        ),
        (FULL, True, False),
        (LOST, False, True),
        (RuntimeError("shape mismatch"), False, False),
        (ValueError("CUDA error"), False, False),
    ],
)
def test_failures_are_told_apart(error: BaseException, memory: bool, stuck: bool) -> None:
    assert (out_of_memory(error), sticks(error)) == (memory, stuck)


def test_the_cause_of_a_failure_counts() -> None:
    later = ValueError("no answer")
    later.__cause__ = LOST
    assert sticks(later)


def test_a_worker_whose_device_is_lost_ends_and_makes_room_for_another() -> None:
    done = subprocess.run([sys.executable, "-c", TASK], capture_output=True, check=False)
    assert done.returncode == DEVICE_LOST, done.stderr.decode()[-2000:]
