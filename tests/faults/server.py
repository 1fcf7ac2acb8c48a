"""A server that can be killed, and jobs whose answers are known."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from espalier.explain.request import ExplanationRequest
from espalier.findings.document import document
from espalier.library import shared_explainer

PATIENCE = 1800.0
"""Seconds to wait for anything: thirty starts on a busy machine take long, one on an idle machine a few seconds."""

STUDY = {
    "title": "Which words tell?",
    "protocol": "coherence",
    "models": ["sst2-bow"],
    "methods": ["leave-one-out", "lime"],
    "items": 20,
    "votes": 2,
    "items_per_person": 5,
    "filters": {"minimum_words": 4, "maximum_words": 30},
    "recruiting": {"providers": ["plain"]},
    "seed": 11,
}
"""A study that has to be prepared: forty explanations and more."""

METHODS = (
    ("leave-one-out", {}),
    ("hedge", {}),
    ("ls-tree", {}),
    ("shap", {}),
    ("lime", {"samples": 200}),
    ("asiv", {"budget": 300}),
)
MODELS = ("sst2-minilm", "sst2-bow", "sst2-cnn")
ADJECTIVES = ("lovely", "dull", "funny", "slow", "warm", "cold", "sharp", "tired")


def requests(count: int, seed: int) -> list[dict[str, Any]]:
    """Questions of many kinds, none twice."""
    draw = random.Random(seed)
    asked = []
    for number in range(count):
        method, parameters = METHODS[number % len(METHODS)]
        first, second = draw.sample(ADJECTIVES, 2)
        text = f"Film {seed}.{number} is {first}, but the {draw.choice(ADJECTIVES)} music is not {second} at all."
        asked.append({"text": text, "model": draw.choice(MODELS), "method": method, "parameters": parameters})
    return asked


def without_timing(explanation: dict[str, Any]) -> dict[str, Any]:
    """An explanation without what depends on the clock and on what was evaluated before."""
    kept = {name: value for name, value in explanation.items() if name not in ("seconds", "provenance")}
    kept["evaluations"] = {name: value for name, value in kept["evaluations"].items() if name != "reused"}
    return kept


def undisturbed(request: dict[str, Any]) -> dict[str, Any]:
    """The same question, answered in this process, where nobody is killed."""
    explanation = shared_explainer().explain(ExplanationRequest(**request))
    return without_timing(document(explanation))


@dataclass
class Server:
    """`espalier serve` on a fixed port and folder, so that it can be started again as it was."""

    data: Path
    environment: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    """A command that runs the server's own, given after it."""
    address: str = "127.0.0.1"
    """Where it listens."""
    gave_up: bool = False
    """Killed for good: who asks here must ask elsewhere."""
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.client = httpx.Client(base_url=f"http://{self.address}:{self.port}", timeout=60)

    def start(self) -> None:
        espalier = str(Path(sys.executable).with_name("espalier"))
        command = [*self.before, espalier, "serve", "--port", str(self.port), *self.options]
        environment = os.environ | {"ESPALIER_DATA": str(self.data)} | self.environment
        with (self.data / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)

    def wait_until(self, path: str = "/health/ready") -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if self.client.get(path).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise TimeoutError(f"{path} did not answer:\n{self.log()[-4000:]}")

    def workers(self) -> list[psutil.Process]:
        assert self.process is not None
        try:
            children = psutil.Process(self.process.pid).children()
            return [child for child in children if "espalier.engine.worker" in " ".join(child.cmdline())]
        except psutil.NoSuchProcess:
            return []

    def kill_worker(self) -> bool:
        """kill -9 of a worker, as the kernel does when memory runs out."""
        for worker in self.workers():
            worker.kill()
            return True
        return False

    def hang_worker(self) -> bool:
        """A worker that neither works nor ends, as one does that waits for a device for ever."""
        for worker in self.workers():
            worker.suspend()
            return True
        return False

    def kill(self) -> None:
        """kill -9 of the whole server. Its workers end by themselves."""
        assert self.process is not None
        workers = self.workers()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        psutil.wait_procs(workers, timeout=PATIENCE)
        assert not any(worker.is_running() for worker in workers), "a worker outlived its server"

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            started = psutil.Process(self.process.pid)
            # `unshare --fork` stays before the server, and keeps the signal for itself.
            (started.children()[0] if "--fork" in self.before else started).terminate()
            self.process.wait(60)
        self.client.close()

    def ask(self, request: dict[str, Any], key: str) -> str:
        """The id of the accepted job. Asked again until there is an answer, always with the same key."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                answer = self.client.post("/v1/explanations", json=request, headers={"Idempotency-Key": key})
                if answer.status_code in (200, 202):
                    return str(answer.json()["id"])
                assert answer.status_code in (429, 503), answer.text
            except httpx.TransportError:
                if self.gave_up:
                    raise
            time.sleep(0.05)
        raise TimeoutError(f"not accepted:\n{self.log()[-4000:]}")

    def wait(self, identity: str) -> dict[str, Any]:
        """The finished job."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                answer = self.client.get(f"/v1/explanations/{identity}")
                if answer.status_code == 200 and answer.json()["finished"] is not None:
                    document: dict[str, Any] = answer.json()
                    return document
                assert answer.status_code in (200, 503), f"an accepted job is gone: {answer.text}"
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise TimeoutError(f"job {identity} has not finished:\n{self.log()[-6000:]}")

    def wait_while(self, path: str, status: str) -> dict[str, Any]:
        """What is there when it has another status."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                answer = self.client.get(path)
                if answer.status_code == 200 and answer.json()["status"] != status:
                    found: dict[str, Any] = answer.json()
                    return found
            except httpx.TransportError:
                pass
            time.sleep(0.2)
        raise TimeoutError(f"{path} stayed {status}:\n{self.log()[-4000:]}")

    def log(self) -> str:
        return (self.data / "server.log").read_text(encoding="utf-8", errors="replace")
