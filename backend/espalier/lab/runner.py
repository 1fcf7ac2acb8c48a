"""Runs under way: a few texts at a time, through the engine and behind everybody's single questions.

A unit is a text on a model. Its rows are written together, and what is written is never measured again; so a run can be
stopped by anything at any moment and goes on where it was, to the same bytes. An edit of a model has no units: it is
made as a whole, in the workshop, and one that was stopped begins again.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from espalier.engine.admission import LONGEST_PAUSE, Busy
from espalier.engine.crews.protocol import WorkerLost
from espalier.engine.endless import endless
from espalier.engine.patience import patiently
from espalier.engine.protocol import Engine
from espalier.lab.edits.workshop import Workshop
from espalier.lab.kinds import Design, new_run, work_of
from espalier.lab.work import Work, stored_rows
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.describe import Shelf
from espalier.problems import NoMemory, Problem, quoted
from espalier.store.base import now
from espalier.store.claims import WorkClaims
from espalier.store.database import StoreUnavailable
from espalier.store.evaluations import Evaluation, Evaluations, Kept

AT_ONCE = 4
"""Units of one run with the engine at a time."""

MOST_LOSSES = 5
"""Workers that may be lost with a unit before its rows say so: it may be the reason."""

MOST_EXHAUSTED = 30
"""How often a worker may have no memory left for a unit before its rows say so: mostly a neighbour takes it."""

_log = logging.getLogger(__name__)


class UnknownEvaluation(Problem):
    code = "not-found"
    status = 404
    what = "evaluation"

    def __init__(self, identity: str) -> None:
        super().__init__(f"no such {self.what}: got {quoted(identity)}, possible is the id of one of yours")


class UnknownDiagnosis(UnknownEvaluation):
    what = "diagnosis"


class UnknownEdit(UnknownEvaluation):
    what = "edit"


class GivenUp(Problem):
    """A text that cannot be measured here."""

    code = "worker-lost"
    status = 500


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one client may have here: runs under way, and bytes of texts and rows in all runs that are kept."""

    unfinished: int = 5
    bytes: int = 2_000_000_000


@dataclass(slots=True)
class Pace:
    """How fast a run goes since this server has it. `done` is beyond `before`, where that is known."""

    since: float
    done: int = 0
    before: int | None = None

    def seconds_left(self, left: int) -> float | None:
        return None if not self.done else (time.monotonic() - self.since) / self.done * left


class Runner:
    """Keeps every unfinished run going: each at one of the servers that share the store."""

    def __init__(
        self,
        engine: Engine,
        evaluations: Evaluations,
        shelf: Shelf,
        limits: RunLimits | None = None,
        claim_seconds: float = 20.0,
        workshop: Workshop | None = None,
    ) -> None:
        self.evaluations = evaluations
        self.workshop = workshop or Workshop(evaluations, shelf.catalog)
        self._engine = engine
        self._shelf = shelf
        self._limits = limits or RunLimits()
        self._claims = WorkClaims(evaluations.store, uuid.uuid4().hex, claim_seconds)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._paces: dict[str, Pace] = {}
        self._keeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._keep_on()
        self._keeping = asyncio.create_task(endless("keeping runs going", self._keep_on, self._claims.seconds / 4))

    async def stop(self) -> None:
        names = list(self._tasks)
        tasks = [*self._tasks.values(), *([self._keeping] if self._keeping is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(Problem):
            for name in names:
                await asyncio.to_thread(self._claims.release, _claim(name))

    async def add(self, design: Design, client: str, identity: str | None = None) -> Evaluation:
        """Written down, then begun. What is wrong for all texts, or too much, is refused. With an id of its own: the
        run that has it, where there is one."""
        new = await asyncio.to_thread(new_run, design, self._shelf, self.workshop.terms)
        made = Evaluation(
            id=identity or uuid.uuid4().hex,
            kind=new.kind,
            client=client,
            design=new.kept,
            texts=len(new.texts),
            total=new.units,
            created=now(),
        )
        there, is_new = await asyncio.to_thread(self.evaluations.add, made, new.texts, new.brought, self._admit)
        if not is_new:
            return there
        if await asyncio.to_thread(self._claims.take, _claim(made.id)):
            self._run(made.id)
        return made

    def _admit(self, kept: Kept) -> None:
        if kept.unfinished >= self._limits.unfinished:
            raise Busy(
                f"too many runs: you have {kept.unfinished} that are not finished, possible are up to "
                f"{self._limits.unfinished}; wait for one or cancel it",
                retry_after=LONGEST_PAUSE,
            )
        if kept.bytes >= self._limits.bytes:
            raise Busy(
                f"too much in the Lab: you have {kept.bytes:,} bytes here, possible are up to {self._limits.bytes:,}; "
                "delete a run",
                retry_after=LONGEST_PAUSE,
            )

    async def get(self, identity: str) -> Evaluation:
        found = await asyncio.to_thread(self.evaluations.get, identity)
        if found is None:
            raise UnknownEvaluation(identity)
        return found

    def seconds_left(self, evaluation: Evaluation) -> float | None:
        """Where this server does the work and has done some of it."""
        pace = self._paces.get(evaluation.id)
        if evaluation.status != "running" or pace is None:
            return None
        return pace.seconds_left(evaluation.total - evaluation.done)

    async def cancel(self, identity: str) -> Evaluation:
        """What is measured already stays."""
        await asyncio.to_thread(self.evaluations.end, identity, "cancelled")
        await self._stop(identity)
        return await self.get(identity)

    async def delete(self, identity: str) -> None:
        await self.cancel(identity)
        await asyncio.to_thread(self.evaluations.delete, identity)
        await asyncio.to_thread(self._claims.release, _claim(identity))
        await asyncio.to_thread(self.evaluations.store.scrub)

    async def _stop(self, identity: str) -> None:
        if (task := self._tasks.get(identity)) is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    # ------------------------------------------------------------------------------------------------------ keeping on

    async def _keep_on(self) -> None:
        """Renew what is ours, stop what was ended elsewhere, take what is nobody's."""
        with suppress(StoreUnavailable):
            # Those of before the look: a run that is begun meanwhile is not in what was seen, and must not be stopped.
            ours = list(self._tasks.items())
            unfinished = await asyncio.to_thread(self.evaluations.unfinished)
            for identity, task in ours:
                if identity not in unfinished:
                    task.cancel()
            for identity in unfinished:
                if await asyncio.to_thread(self._claims.take, _claim(identity)):
                    self._run(identity)
                elif (running := self._tasks.get(identity)) is not None:
                    running.cancel()

    def _run(self, identity: str) -> None:
        if identity not in self._tasks:
            task = self._tasks[identity] = asyncio.create_task(self._finish(identity))
            self._paces[identity] = Pace(time.monotonic())

            def ended(_: object) -> None:
                self._tasks.pop(identity, None)
                self._paces.pop(identity, None)

            task.add_done_callback(ended)

    async def _finish(self, identity: str) -> None:
        try:
            evaluation = await patiently(lambda: self.get(identity))
            if evaluation.kind == "edit":
                await self.workshop.make(evaluation, lambda done: self._told(identity, done))
                return
            work = work_of(evaluation)
            done = await self._stored(self.evaluations.done_units, identity)
            waiting = (place for place in work.places(evaluation.texts) if place not in done)
            # So many hands take from one list: there is never more in memory than is worked on.
            async with asyncio.TaskGroup() as group:
                for _ in range(AT_ONCE):
                    group.create_task(self._work(evaluation, work, waiting))
            await self._stored(self.evaluations.end, identity, "finished")
        except* UnknownEvaluation:
            pass  # deleted meanwhile
        except* Exception:
            # Nothing that passes comes here. The keeper tries again, so that no run is left for ever.
            _log.exception("run %s stopped; it is tried again", identity)

    def _told(self, identity: str, done: int) -> None:
        """How far an edit is. Its time is counted from the first word of a process, and anew from that of the next."""
        pace = self._paces[identity]
        if pace.before is None or done < pace.before + pace.done:
            pace = self._paces[identity] = Pace(time.monotonic(), before=done)
        pace.done = done - (pace.before or 0)

    async def _work(self, evaluation: Evaluation, work: Work, waiting: Iterator[tuple[int, int]]) -> None:
        for text, model in waiting:
            await self._unit(evaluation, work, text, model)
            if (pace := self._paces.get(evaluation.id)) is not None:
                pace.done += 1

    async def _unit(self, evaluation: Evaluation, work: Work, text: int, model: int) -> None:
        found = await self._stored(self.evaluations.text, evaluation.id, text)
        if found is None:
            raise UnknownEvaluation(evaluation.id)
        name = work.models[model]
        held = await self._stored(self.evaluations.brought, evaluation.id, text) if work.has_brought else None
        try:
            unit = await self._measured(evaluation, work.request(text, found, name, held))
        except Problem as problem:
            unit = work.failed(name, problem.message)
        rows = stored_rows(text, model, work.lines(name), unit)
        failed = all(row.problem is not None for row in unit.rows)
        await self._stored(
            lambda: self.evaluations.write(
                evaluation.id, rows, wanted=unit.wanted, evaluated=unit.evaluated, failed=failed
            )
        )

    async def _measured(self, evaluation: Evaluation, request: UnitRequest) -> FoundUnit:
        """Patient with what passes, but not with a text that takes worker after worker to the grave."""
        losses = exhausted = 0

        async def ask() -> FoundUnit:
            nonlocal losses, exhausted
            try:
                return await self._engine.measure(request, f"{evaluation.client}/lab")
            except WorkerLost as lost:
                losses += 1
                if losses < MOST_LOSSES:
                    raise
                raise GivenUp(f"given up: {losses} workers ended while this text was measured") from lost
            except Problem as problem:
                exhausted += problem.code == NoMemory.code
                if exhausted < MOST_EXHAUSTED:
                    raise
                raise GivenUp(f"given up: no memory was left for this text {exhausted} times") from problem

        return await patiently(ask)

    @staticmethod
    async def _stored(query: Callable[..., Any], *given: Any) -> Any:
        """A database that cannot be used for a while must not stop a run."""
        return await patiently(lambda: asyncio.to_thread(query, *given))


def _claim(identity: str) -> str:
    return f"evaluation:{identity}"
