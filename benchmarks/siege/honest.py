"""Ten honest clients: each asks, waits, reads, and asks again. What they get must not depend on who else is there."""

import json
import threading
import time
from typing import Any

import httpx
from tests.faults.server import without_timing

from benchmarks.siege.fort import Fort

CLIENTS = 10
QUESTIONS = (
    ("leave-one-out", "sst2-bow", {}),
    ("leave-one-out", "sst2-minilm", {}),
    ("hedge", "sst2-bow", {}),
    ("lime", "sst2-cnn", {"samples": 50}),
)
"""Of each client, before it begins again under a new key: what a key has had before is answered at once."""

PAUSE_SECONDS = 0.5


class Honest:
    """All of them together. `answers` by question; `waits` in seconds; `wrong` is what should not have been."""

    def __init__(self, fort: Fort) -> None:
        self._fort = fort
        self.answers: dict[str, str] = {}
        self.waits: list[float] = []
        self.wrong: list[str] = []
        self._writing = threading.Lock()

    def run(self, stop: threading.Event) -> None:
        """One round, and more until told to stop."""
        threads = [threading.Thread(target=self._one, args=(number, stop), daemon=True) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def median(self) -> float:
        return sorted(self.waits)[len(self.waits) // 2] if self.waits else float("inf")

    def _one(self, number: int, stop: threading.Event) -> None:
        try:
            first = True
            while first or not stop.is_set():
                with httpx.Client(base_url=self._fort.address, headers=self._fort.key(), timeout=120) as client:
                    for request in _questions(number):
                        if stop.is_set() and not first:
                            return
                        self._ask(client, request)
                        stop.wait(PAUSE_SECONDS)
                first = False
        except Exception as error:
            with self._writing:
                self.wrong.append(f"client {number}: {error!r}")

    def _ask(self, client: httpx.Client, request: dict[str, Any]) -> None:
        started = time.perf_counter()
        answer = client.post("/v1/explanations", json=request, headers={"Prefer": "wait=60"})
        while answer.status_code in (429, 503):
            time.sleep(int(answer.headers["retry-after"]))
            answer = client.post("/v1/explanations", json=request, headers={"Prefer": "wait=60"})
        answer.raise_for_status()
        job = answer.json()
        while job["finished"] is None:
            job = client.get(f"/v1/explanations/{job['id']}").raise_for_status().json()
            time.sleep(0.05)
        waited = time.perf_counter() - started
        question = json.dumps(request, sort_keys=True)
        got = json.dumps(without_timing(job["explanation"] or {"evaluations": {}}), sort_keys=True)
        with self._writing:
            self.waits.append(waited)
            if job["status"] != "succeeded":
                self.wrong.append(f"{job['status']}: {request['method']} {job['problem']}")
            elif self.answers.setdefault(question, got) != got:
                self.wrong.append(f"another answer than before: {request['method']} of {request['text'][:40]!r}")


def _questions(client: int) -> list[dict[str, Any]]:
    text = f"Film {client} is slow, but its music is not dull."
    return [
        {"text": text, "model": model, "method": method, "parameters": parameters}
        for method, model, parameters in QUESTIONS
    ]
