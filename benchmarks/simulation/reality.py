"""What the simulation is made from, and held against: jobs timed one by one, and people who visit a real server."""

import asyncio
import json
import random
import time
from typing import Any

import httpx

from benchmarks.simulation.people import MIX, Habits
from benchmarks.simulation.queue import Outcome

TEXTS = (
    "The film is slow and the jokes are old, but its two leads are so good that nobody will mind.",
    "A warm, clever and often very funny story about people who cannot say what they want.",
    "Nothing here is new, nothing is well made, and it goes on for more than two hours.",
)


def measure(model: str = "sst2-minilm", texts: int = len(TEXTS)) -> dict[str, Any]:
    """Seconds of one thread for each method, the mean over some texts of 15 to 20 words; each game is new."""
    import torch

    from espalier.explain.request import ExplanationRequest
    from espalier.library import shared_explainer

    torch.set_num_threads(1)
    explainer = shared_explainer()
    explainer.explain(ExplanationRequest(text="Warm.", model=model, method="ls-tree"))
    seconds = {}
    for method in MIX:
        spent = []
        for number, text in enumerate(TEXTS[:texts]):
            fresh = f"{method} {number}: {text}"  # nothing is in the pool
            started = time.process_time()
            explainer.explain(ExplanationRequest(text=fresh, model=model, method=method))
            spent.append(time.process_time() - started)
        seconds[method] = round(sum(spent) / len(spent), 4)
    return {"model": model, "threads": 1, "clock": "processor time", "texts": texts, "seconds": seconds}


def visit(address: str, people: int, habits: Habits, seconds: float) -> Outcome:
    """So many people at a real server, for so long, with the same habits."""
    return asyncio.run(_visit(address, people, habits, seconds))


async def _visit(address: str, people: int, habits: Habits, seconds: float) -> Outcome:
    outcome, draw = Outcome(seconds), random.Random(1)
    stop = time.monotonic() + seconds
    limits = httpx.Limits(max_connections=people + 10)

    async def person(client: httpx.AsyncClient, number: int) -> None:
        question = 0
        while time.monotonic() < stop:
            await asyncio.sleep(habits.thought())
            question += 1
            text = f"{draw.choice(TEXTS)} ({number}.{question})"
            body = {"text": text, "model": "sst2-minilm", "method": habits.method()}
            started = time.monotonic()
            answer = await client.post("/v1/explanations", json=body, headers={"Prefer": "wait=60"})
            while answer.status_code in (200, 202) and json.loads(answer.text)["finished"] is None:
                answer = await client.get(answer.headers.get("Location") or f"/v1/explanations/{answer.json()['id']}")
                await asyncio.sleep(0.05)
            answer.raise_for_status()
            if time.monotonic() < stop:
                outcome.waits.append(time.monotonic() - started)

    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        await asyncio.gather(*(person(client, number) for number in range(people)))
    return outcome
