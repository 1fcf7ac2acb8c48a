"""What a worker process does: started by the service only, by `start`."""

import argparse
import gc
import importlib
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, BinaryIO

import structlog
import torch

from espalier.engine.answers import prediction, predictions, surprise, tree
from espalier.engine.messages import (
    ORDERS,
    Answer,
    Ask,
    Cancel,
    Check,
    Checked,
    Load,
    Measure,
    Parse,
    Predict,
    PredictAll,
    Pulse,
    Question,
    Ready,
    Refusal,
    Run,
    StandIns,
    Surprise,
    Trouble,
    Withdraw,
    write_answer,
)
from espalier.engine.stand_ins import stand_ins
from espalier.engine.threads import take_short_turns
from espalier.engine.units import Working, begin, models_of
from espalier.engine.worker.confinement import confine
from espalier.engine.worker.failures import leave_if_stuck, out_of_memory
from espalier.engine.worker.models import ModelRoom
from espalier.engine.worker.task import PROGRESS_SECONDS, Task, about
from espalier.engine.worker.voice import Voice
from espalier.logs import set_up_logs
from espalier.models.catalog import Catalog
from espalier.models.device import sum_exactly
from espalier.problems import NoMemory, Problem
from espalier.settings import settings
from espalier.text import read

_log = structlog.get_logger(__name__)

QUESTION_THREADS = 2
"""For predictions and trees, and as many again for checks, without which no job is accepted."""

MEASURE_THREADS = 4
"""Texts that are measured at once: while some count, rows of the others fill the model's batches. With two, a
transformer waited for rows: its run takes 0.95 to 0.97 of the time with four. (A CNN's takes 1.05 to 1.15: there four
threads count in turn.)"""

PULSE_SECONDS = 1.0
"""How often the service hears that this process lives, and how long its batches take."""


NO_MEMORY = "no memory is left for this now: got a worker with too much to do, possible is to try again in a moment"


class Worker:
    """Reads what to do, and does it on threads: jobs on theirs, small questions on others, so that these never wait."""

    def __init__(self, room: ModelRoom, voice: Voice, slots: int) -> None:
        self._room = room
        self._voice = voice
        self._tasks: dict[str, Task] = {}
        self._jobs = ThreadPoolExecutor(slots, "job")
        self._questions = ThreadPoolExecutor(QUESTION_THREADS, "question")
        self._checks = ThreadPoolExecutor(QUESTION_THREADS, "check")
        self._measures = ThreadPoolExecutor(MEASURE_THREADS, "measure")
        self._measuring: dict[int, Working] = {}

    def serve(self, orders: BinaryIO) -> None:
        """Until the input ends: the server has gone, or has said everything."""
        # Each on its own: a partial result can take longer to make than a pulse may be late.
        for loop in (self._tell, self._beat):
            threading.Thread(target=loop, name=loop.__name__, daemon=True).start()
        self._questions.submit(self._warm)
        while (order := ORDERS.read(orders)) is not None:
            match order:
                case Run():
                    self._run(order)
                case Cancel(job):
                    if (task := self._tasks.get(job)) is not None:
                        task.cancel()
                case Ask(number, Measure() as wanted):
                    self._measure(number, wanted)
                case Ask(number, question):
                    threads = self._checks if isinstance(question, Check | Load) else self._questions
                    threads.submit(self._answer, number, question)
                case Withdraw(number):
                    if (measuring := self._measuring.get(number)) is not None:
                        measuring.cancel()

    def _warm(self) -> None:
        """Load what the first visitor will ask for: the first model of the catalog, and behind it the parser, which
        only one of the five views needs."""
        try:
            # One that has to be made ready first, or that cannot be loaded, must not keep all others from being used.
            with suppress(Problem), self._room.using(self._room.catalog.first):
                pass
            # All that is imported later is imported now, by one thread: two that import spaCy from different ends at
            # once find it half made.
            read("Ready.")
            importlib.import_module("espalier.trees.parser")
            self._voice.say(Ready())
            self._room.parser()
            # What is here now stays: collections of garbage, a quarter of a second each with it, leave it out.
            gc.freeze()
            gc.enable()
        except BaseException:
            _log.exception("the first model or the parser cannot be loaded")
            os._exit(1)

    def _run(self, order: Run) -> None:
        task = Task(order.job, order.request, order.client, self._room, self._voice)
        self._tasks[task.identity] = task

        def done() -> None:
            try:
                task.run()
            finally:
                self._tasks.pop(task.identity, None)

        self._jobs.submit(done)

    def _measure(self, number: int, wanted: Measure) -> None:
        try:
            measuring = begin(self._room.explainer, wanted.request, wanted.client)
        except Problem as problem:
            self._voice.say(Refusal(number, Trouble.of(problem)))
            return
        self._measuring[number] = measuring

        def done() -> None:
            try:
                self._answer(number, wanted)
            finally:
                self._measuring.pop(number, None)

        self._measures.submit(done)

    def _answer(self, number: int, question: Question) -> None:
        try:
            self._voice.say(Answer(number, write_answer(question, self._found(number, question))))
        except Problem as problem:
            self._voice.say(Refusal(number, Trouble.of(problem)))
        except Exception as error:
            _log.exception("question failed", question=question.kind)
            leave_if_stuck(error)
            said = Trouble("internal-error", 500, "the worker failed at this question; its log says why")
            # A neighbour's job may have taken it: that one fails, and the question can be answered then.
            self._voice.say(Refusal(number, Trouble.of(NoMemory(NO_MEMORY)) if out_of_memory(error) else said))

    def _found(self, number: int, question: Question) -> Any:
        match question:
            case Check(request):
                with self._room.using_all(request):
                    ready = self._room.prepare(request)
                    expected = ready.method.expected(ready.size, ready.parameters)
                    return Checked(about(ready.game.model), expected)
            case Predict(model, text, pair, outcomes, count):
                with self._room.using(model) as host:
                    return prediction(host, model, text, pair, outcomes, count)
            case PredictAll(model, instances):
                with self._room.using(model) as host:
                    return predictions(host, instances)
            case Surprise(model, text, count):
                with self._room.using(model) as host:
                    return surprise(host, model, text, count)
            case StandIns(request, absent):
                with self._room.using_all(request):
                    return stand_ins(self._room.explainer, request, absent)
            case Parse(text):
                return tree(self._room.parse, text)
            case Measure(request):
                with ExitStack() as kept:
                    for model in models_of(request):
                        kept.enter_context(self._room.using(model))
                    return self._measuring[number].run()
            case Load(model):
                with self._room.using(model) as host:
                    return about(host.model)

    def _beat(self) -> None:
        while True:
            try:
                self._voice.say(Pulse(self._room.busy()))
            except Exception:
                _log.exception("the pulse cannot be told")
            time.sleep(PULSE_SECONDS)

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
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--threads", type=int)
    parser.add_argument("--memory", type=int)
    given = parser.parse_args()
    set_up_logs()
    # The protocol has the real standard output; what libraries print goes where logs go.
    voice = Voice(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    if given.device.type == "cuda" and not torch.cuda.is_available():
        _log.warning("no GPU can be used by this torch: models run on the processor", asked=str(given.device))
        given.device = torch.device("cpu")
    # A GPU's driver reserves far more than it uses.
    confine(given.memory if given.device.type == "cpu" else None)
    take_short_turns()
    sum_exactly()
    if given.threads:
        torch.set_num_threads(given.threads)
    catalog = Catalog(given.catalog, given.device, given.model, settings().edits)
    Worker(ModelRoom(catalog, given.models), voice, given.slots).serve(sys.stdin.buffer)
    # Jobs under way are the server's to give again: waiting for them would only delay the end.
    os._exit(0)


if __name__ == "__main__":
    main()
