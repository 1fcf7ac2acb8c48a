"""What the simulation is made from, and held against: jobs timed one by one, and people who visit a real server.

Both ask the same texts by the same methods, of which as many are known already, and count from the same moment on.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.faults.server import Server

from benchmarks.simulation.people import MIX, Habits
from benchmarks.simulation.queue import WARM_UP, Outcome
from espalier.samples import for_task

MODEL = "sst2-minilm"
TEXTS = 12


def texts(count: int = TEXTS) -> list[str]:
    """From short to long, as the shipped samples are: every part of them has one."""
    ordered = sorted((sample.text for sample in for_task("sentiment")), key=lambda text: len(text.split()))
    return [ordered[int((place + 0.5) * len(ordered) / count)] for place in range(count)]


def fresh(text: str, mark: object) -> str:
    """The same text as a game that is new to the worker."""
    return f"{text} ({mark})"


def measure(count: int = TEXTS, model: str = MODEL) -> dict[str, Any]:
    """Seconds of one thread for each method on each text."""
    import torch

    from espalier.explain.request import ExplanationRequest
    from espalier.library import shared_explainer

    torch.set_num_threads(1)
    explainer = shared_explainer()
    explainer.explain(ExplanationRequest(text="Warm.", model=model, method="ls-tree"))
    seconds: dict[str, list[float]] = {}
    for method in MIX:
        for text in texts(count):
            started = time.process_time()
            explainer.explain(ExplanationRequest(text=fresh(text, method), model=model, method=method))
            seconds.setdefault(method, []).append(round(time.process_time() - started, 4))
    return {"model": model, "threads": 1, "clock": "processor time", "seconds": seconds}


@contextmanager
def own_server(workers: int) -> Iterator[str]:
    """Where a server answers, with workers of one thread each, as the simulated ones, that have model and parser."""
    environment = {
        "ESPALIER_DEVICES": ",".join(["cpu"] * workers),
        "OMP_NUM_THREADS": "1",
        "ESPALIER_STOP_SECONDS": "0",
    }
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), environment)
        server.start()
        try:
            server.wait_until()
            for number in range(8 * workers):
                body = {"text": f"A warm film, number {number}.", "model": MODEL, "method": "ls-tree"}
                server.client.post("/v1/explanations", json=body, headers={"Prefer": "wait=60"}).raise_for_status()
            yield str(server.client.base_url)
        finally:
            server.stop()


def visit(address: str, people: int, habits: Habits, seconds: float, seed: int) -> Outcome:
    """So many people at a real server, for so long after a warm-up, with the same habits."""
    return asyncio.run(Visit(address, habits, seconds, seed).of(people))


class Visit:
    def __init__(self, address: str, habits: Habits, seconds: float, seed: int, model: str = MODEL) -> None:
        self._address = address
        self._habits = habits
        self._model = model
        self._seed = seed
        self._texts: Sequence[str] = texts(habits.times.texts)
        self._outcome = Outcome(seconds)
        self._warm_up = WARM_UP * seconds
        self._asked: dict[int, float] = {}
        self.answered: list[dict[str, str]] = []
        self._numbers = 0
        self._begin = 0.0

    async def of(self, people: int) -> Outcome:
        limits = httpx.Limits(max_connections=people + 10)
        self._begin = time.monotonic()
        end = self._begin + self._warm_up + self._outcome.seconds
        async with httpx.AsyncClient(base_url=self._address, timeout=120, limits=limits) as client:
            visitors = [asyncio.create_task(self._person(client)) for _ in range(people)]
            done, waiting = await asyncio.wait(visitors, timeout=end - time.monotonic())
            # As in the simulation: who still waits counts with what they have waited.
            self._outcome.unanswered = [end - started for started in self._asked.values()]
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            for each in done:  # nobody leaves by themselves
                each.result()
        return self._outcome

    async def _person(self, client: httpx.AsyncClient) -> None:
        while True:
            await asyncio.sleep(self._habits.thought())
            body = self._question()
            self._numbers += 1
            number = self._numbers
            started = self._asked[number] = time.monotonic()
            await self._answer(client, body)
            del self._asked[number]
            self.answered.append(body)
            if started >= self._begin + self._warm_up:
                self._outcome.waits.append(time.monotonic() - started)

    def _question(self) -> dict[str, str]:
        """A new one, or what somebody has had answered already: the newest, which everybody looks at."""
        question = self._habits.question()
        if question is None:
            if self.answered:
                return self.answered[-1]
            return self._question()
        text = fresh(self._texts[question.text], f"{self._seed}.{self._numbers}")
        return {"text": text, "model": self._model, "method": question.method}

    @staticmethod
    async def _answer(client: httpx.AsyncClient, body: dict[str, str]) -> None:
        answer = await client.post("/v1/explanations", json=body, headers={"Prefer": "wait=60"})
        while answer.is_success and json.loads(answer.text)["finished"] is None:
            await asyncio.sleep(0.05)
            answer = await client.get(f"/v1/explanations/{answer.json()['id']}")
        answer.raise_for_status()
