"""`python -m espalier.engine.worker`: started by the service only."""

import argparse
import gc
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import structlog
import torch

from espalier.engine.answers import prediction, tree
from espalier.engine.worker.models import ModelRoom
from espalier.engine.worker.task import PROGRESS_SECONDS, Task, content_of
from espalier.engine.worker.voice import Voice
from espalier.explain.request import ExplanationRequest
from espalier.logs import set_up_logs
from espalier.problems import Problem
from espalier.trees.parser import default_parser

_log = structlog.get_logger(__name__)

QUESTION_THREADS = 4


class Worker:
    """Reads what to do, and does it on threads: jobs on theirs, small questions on others, so that these never wait."""

    def __init__(self, room: ModelRoom, voice: Voice, slots: int) -> None:
        self._room = room
        self._voice = voice
        self._tasks: dict[str, Task] = {}
        self._jobs = ThreadPoolExecutor(slots, "job")
        self._questions = ThreadPoolExecutor(QUESTION_THREADS, "question")

    def serve(self, orders: BinaryIO) -> None:
        """Until the input ends: the server has gone, or has said everything."""
        threading.Thread(target=self._tell, name="tell", daemon=True).start()
        self._questions.submit(self._warm)
        for line in orders:
            order = json.loads(line)
            match order.pop("do"):
                case "run":
                    self._run(order)
                case "cancel":
                    if (task := self._tasks.get(order["job"])) is not None:
                        task.cancel()
                case "ask":
                    self._questions.submit(self._answer, order.pop("number"), order.pop("question"), order)

    def _warm(self) -> None:
        """Load what the first visitor will ask for: the parser and the first model of the catalog."""
        try:
            default_parser()
            # Libraries and parser stay: collections of garbage, a quarter of a second each with them, leave them out.
            # The models do not: one that is put away is garbage with its weights.
            gc.collect()
            gc.freeze()
            with self._room.using(self._room.catalog.entries()[0].name):
                pass
            self._voice.say({"is": "ready"})
        except BaseException:
            _log.exception("the first model or the parser cannot be loaded")
            os._exit(1)

    def _run(self, order: dict[str, Any]) -> None:
        request = ExplanationRequest.model_validate(order["request"])
        task = Task(order["job"], request, order["client"], self._room, self._voice)
        self._tasks[task.identity] = task

        def done() -> None:
            try:
                task.run()
            finally:
                self._tasks.pop(task.identity, None)

        self._jobs.submit(done)

    def _answer(self, number: int, question: str, given: dict[str, Any]) -> None:
        try:
            answer = getattr(self, f"_answer_{question}")(**given)
            self._voice.say({"is": "answer", "number": number, "answer": answer})
        except Problem as problem:
            said = [problem.code, problem.status, problem.message]
            self._voice.say({"is": "refusal", "number": number, "problem": said})
        except Exception:
            _log.exception("question failed", question=question)
            said = ["internal-error", 500, "the worker failed at this question; its log says why"]
            self._voice.say({"is": "refusal", "number": number, "problem": said})

    def _answer_check(self, request: dict[str, Any]) -> dict[str, Any]:
        """Whether a request can be done, before it becomes a job."""
        asked = ExplanationRequest.model_validate(request)
        with self._room.using(asked.model):
            return content_of(self._room.prepare(asked))

    def _answer_predict(self, model: str, text: str, pair: str | None) -> dict[str, Any]:
        with self._room.using(model) as host:
            return prediction(host, model, text, pair)

    def _answer_parse(self, text: str) -> dict[str, Any]:
        return tree(default_parser(), text)

    def _answer_load(self, model: str) -> dict[str, Any]:
        with self._room.using(model) as host:
            loaded = host.model
            return {"revision": loaded.revision, "classes": list(loaded.classes), "max_length": loaded.max_length}

    def _answer_models(self) -> list[str]:
        return self._room.names()

    def _tell(self) -> None:
        while True:
            time.sleep(PROGRESS_SECONDS)
            for task in list(self._tasks.values()):
                try:
                    task.tell()
                except Exception:
                    _log.exception("progress cannot be told", job=task.identity)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--catalog", type=Path, required=True)
    parser.add_argument("--device", type=torch.device, required=True)
    parser.add_argument("--slots", type=int, required=True)
    parser.add_argument("--models", type=int, required=True)
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    set_up_logs()
    # The protocol has the real standard output; what libraries print goes where logs go.
    voice = Voice(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    if given.device.type == "cuda" and not torch.cuda.is_available():
        _log.warning("no GPU can be used by this torch: models run on the processor", asked=str(given.device))
        given.device = torch.device("cpu")
    if given.threads:
        torch.set_num_threads(given.threads)
    Worker(ModelRoom(given.catalog, given.device, given.models), voice, given.slots).serve(sys.stdin.buffer)
    # Jobs under way are the server's to give again: waiting for them would only delay the end.
    os._exit(0)


if __name__ == "__main__":
    main()
