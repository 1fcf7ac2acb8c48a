"""A real worker at the end of its memory: the job that asks for more fails alone, and the worker lives on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.server import Server, requests, undisturbed, without_timing
from tests.outside import Outside

pytestmark = pytest.mark.slow

GREEDY = '''
from typing import Literal

import numpy as np

from espalier.explain.plan import ask
from espalier.explain.registry import Method, Parameters
from espalier.explain.word_scores import WordScores


class Result(WordScores):
    method: Literal["greedy"] = "greedy"


def greedy(game, parameters):
    """Four gigabytes that nobody writes to: the machine has them, the worker may not."""
    answers = yield from ask(np.eye(game.size, dtype=bool))
    np.empty(5 * 10**8)
    return Result(exact=False, values=(0.0,) * game.size, base=0.0, full=0.0)


METHOD = Method("greedy", "Greedy", "What a worker does at its limit", Parameters, Result, greedy, "tokens")
'''

PACKAGE = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "greedy"
version = "1.0"

[project.entry-points."espalier.methods"]
greedy = "greedy:METHOD"

[tool.setuptools]
py-modules = ["greedy"]
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    place = Outside(tmp_path)
    place.install("greedy", {"greedy.py": GREEDY, "pyproject.toml": PACKAGE})
    made = Server(tmp_path, place.environment | {"ESPALIER_WORKER_MEGABYTES": "2000"})  # and never more than 3,000
    made.start()
    made.wait_until()
    yield made
    made.stop()


def test_a_job_that_asks_for_more_memory_than_a_worker_may_have_fails_alone(server: Server) -> None:
    before = [worker.pid for worker in server.workers()]
    asked = requests(4, seed=3)
    greedy = {"text": "A greedy film.", "model": "sst2-bow", "method": "greedy", "parameters": {}}
    jobs = [server.ask(request, f"key {number}") for number, request in enumerate([*asked[:2], greedy, *asked[2:]])]
    ended = [server.wait(job) for job in jobs]
    failed = ended.pop(2)
    assert failed["problem"]["type"] == "urn:espalier:problem:too-much-memory"
    assert "memory" in failed["problem"]["detail"]
    assert [without_timing(job["explanation"]) for job in ended] == [undisturbed(request) for request in asked]
    assert [worker.pid for worker in server.workers()] == before
