"""`python -m espalier.lab.edits.process`: makes one edit, behind everybody's questions, and ends.

A process of its own because teaching takes memory and the processor for minutes: with half of the cores, at the lowest
priority, it lets answers go first, and whatever becomes of it costs nobody else a job.
"""

import os
import sys
import threading
import time
from typing import TextIO

import torch

from espalier.engine.explainer import Explainer
from espalier.engine.threads import take_short_turns
from espalier.engine.worker.confinement import confine
from espalier.lab.edits.documents import EditResults, TurnedText
from espalier.lab.edits.orders import Order, Said
from espalier.lab.edits.paragraph import paragraph, warnings
from espalier.lab.edits.plan import Work
from espalier.lab.interactions.editing import Edit, edit
from espalier.models.catalog import Catalog
from espalier.models.device import sum_exactly
from espalier.models.memory import out_of_memory
from espalier.problems import NoMemory, Problem
from espalier.text import Passage
from espalier.trees.tree import SpanTree

TELL_SECONDS = 0.2

PARTS = ("beginning", "teaching", "before", "after", "accuracy", "accuracy")
"""In the order in which an edit is made: right answers of the original are counted, then those of the edited model."""


class Told:
    """How far it is, as one number of the whole work; said a few times a second."""

    def __init__(self, work: Work, voice: TextIO) -> None:
        half, rest = work.accuracy // 2, work.accuracy - work.accuracy // 2
        self._sizes = (work.beginning, work.teaching, work.before, work.after, half, rest)
        self._voice = voice
        self._part = self._last = 0
        self._said = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        # A part that comes twice begins again from nothing.
        if PARTS[self._part] != what or done <= self._last:
            self._part = PARTS.index(what, self._part + (PARTS[self._part] == what))
        self._last = done
        if time.monotonic() - self._said >= TELL_SECONDS:
            self._said = time.monotonic()
            so_far = sum(self._sizes[: self._part]) + self._sizes[self._part] * done // max(1, total)
            say(self._voice, Said(done=so_far))


def say(voice: TextIO, said: Said) -> None:
    voice.write(said.model_dump_json(exclude_defaults=True) + "\n")
    voice.flush()


def made(order: Order, told: Told) -> EditResults:
    began, design = time.monotonic(), order.design
    # Not where workers have their models: a GPU's memory is theirs.
    catalog = Catalog(order.catalog, torch.device("cpu"), order.direct, order.edits)
    found = edit(
        design.words,
        design.text,
        order.texts,
        order.labelled,
        Explainer(catalog.load, _no_tree),
        catalog,
        design.asking,
        order.folder,
        recipe=design.recipe,
        most=design.most_matching,
        noted={"run": order.run, **({"title": design.title} if design.title else {})},
        tell=told,
    )
    return results(found, order, time.monotonic() - began)


def results(found: Edit, order: Order, seconds: float) -> EditResults:
    other = {"name", "folder", "right_before", "right_after", "occurrences"}
    return EditResults(
        **found.model_dump(exclude=other),
        edit=order.run,
        model=found.name,
        kept=order.kept,
        matching=order.matching,
        occurrences=[
            TurnedText(
                text=before.text,
                before=before.contribution,
                before_error=before.standard_error,
                after=after.contribution,
                after_error=after.standard_error,
            )
            for before, after in found.occurrences
        ],
        seconds=seconds,
        seed=order.design.seed,
        warnings=list(warnings(found, order.kept)),
        paragraph=paragraph(found, order.design, order.kept),
    )


def _no_tree(passage: Passage) -> SpanTree:
    raise NotImplementedError("local fits are of words")


def _leave_with_parent() -> None:
    """Its input ends when whoever started it ends."""
    sys.stdin.buffer.read()
    os._exit(1)


def main() -> None:
    # The protocol has the real standard output; what libraries print goes where logs go.
    voice = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    order = Order.model_validate_json(sys.stdin.buffer.readline())
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    confine(order.bytes)
    take_short_turns()
    sum_exactly()
    torch.set_num_threads(max(1, (os.cpu_count() or 1) // 2))
    try:
        say(voice, Said(results=made(order, Told(order.work, voice))))
    except Problem as problem:
        say(voice, Said(problem=problem.message, passes=problem.code == NoMemory.code))
    except Exception as error:
        if not out_of_memory(error):
            raise
        most = order.bytes // 10**6
        say(voice, Said(problem=f"no memory was left: got {most:,} MB, possible are fewer draws", passes=True))
    # Threads of the models' hosts need not be waited for.
    os._exit(0)


if __name__ == "__main__":
    main()
