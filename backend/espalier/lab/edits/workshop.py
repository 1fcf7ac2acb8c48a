"""Where edits are made: one at a time, each by a process of its own, which is started again when it ends too early.

What is made lies beside the edits until it is whole and measured, then it gets its name in one step: a model that is
listed is always a finished one. A run whose process, or whose server, was killed begins again and ends the same.
"""

import asyncio
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from espalier.engine.patience import patiently
from espalier.lab.edits.documents import EditResults
from espalier.lab.edits.orders import Order, Said
from espalier.lab.edits.plan import EditTerms
from espalier.lab.edits.work import design_of, name_of, parted, work_of
from espalier.models.catalog import Catalog
from espalier.store.evaluations import Evaluation, Evaluations

PROGRAM = "espalier.lab.edits.process"

LOWEST = 19
"""The priority that gives way to everybody."""

MOST_LOSSES = 5
"""Processes that may end before they are done, of one edit; then it may be the reason."""

TOLD_SECONDS = 1.0
"""How often it is written down how far an edit is."""

LONGEST_LINE = 2**26

_log = logging.getLogger(__name__)

Told = Callable[[int], None]


class Workshop:
    """Lives as long as the server."""

    def __init__(self, evaluations: Evaluations, catalog: Catalog, terms: EditTerms | None = None) -> None:
        self.terms = terms or EditTerms()
        if catalog.edits is None:
            self.terms = EditTerms(refused="no model can be edited here: got a catalog without a folder of edits")
        self._evaluations = evaluations
        self._catalog = catalog
        self._turn = asyncio.Semaphore(1)
        self._making: str | None = None

    @property
    def folder(self) -> Path:
        """Of the edits."""
        assert self._catalog.edits is not None
        return self._catalog.edits

    async def make(self, evaluation: Evaluation, told: Told) -> None:
        """To its end, whatever that is. Not to wait ends the process."""
        identity = evaluation.id
        if self.terms.refused is not None:
            # It was begun where it could be, by a server with other settings.
            await self._end(identity, "failed", self.terms.refused)
            return
        if (self.folder / name_of(evaluation)).is_dir() and await self._kept(identity) is not None:
            await self._stored(self._finish, evaluation)
            return
        async with self._turn:
            self._making = identity
            try:
                said = await self._in_time(evaluation, told)
                if said.results is None:
                    await self._end(identity, "failed", said.problem)
                else:
                    await self._stored(self._publish, evaluation, said.results)
            finally:
                self._making = None
                await asyncio.to_thread(self.put_away, identity)

    def put_away(self, identity: str) -> None:
        """What there is of an edit that is not whole, or was not when its server was killed."""
        shutil.rmtree(self._place(identity), ignore_errors=True)

    def waits(self, identity: str) -> bool:
        """Whether it is another edit's turn."""
        return self._making not in (None, identity)

    async def _in_time(self, evaluation: Evaluation, told: Told) -> Said:
        try:
            async with asyncio.timeout(self.terms.seconds):
                return await self._patiently_made(evaluation, told)
        except TimeoutError:
            return Said(problem=f"given up: it was not done after {self.terms.seconds:,.0f} seconds")

    async def _patiently_made(self, evaluation: Evaluation, told: Told) -> Said:
        said: Said | None = None
        for _ in range(MOST_LOSSES):
            said = await self._once(evaluation, told)
            if said is not None and not said.passes:
                return said
            _log.warning("the process of edit %s ended early; it is started again", evaluation.id)
        reason = f": {said.problem}" if said is not None else ""
        return Said(problem=f"given up: {MOST_LOSSES} processes ended before this edit was made{reason}")

    async def _once(self, evaluation: Evaluation, told: Told) -> Said | None:
        """What a process said at its end; None where it ended without a word."""
        order = await self._stored(self._order, evaluation)
        await asyncio.to_thread(shutil.rmtree, order.folder.parent, ignore_errors=True)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", PROGRAM),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # A folder called espalier where the server was started must not be taken for this package.
            cwd=Path(__file__).parents[3],
            env=os.environ | self._environment(),
            limit=LONGEST_LINE,
            # Ctrl+C in a terminal is for the server, which then ends it.
            start_new_session=True,
        )
        if hasattr(os, "setpriority"):
            # From here, so that not even what it imports is in anybody's way.
            with suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with suppress(ConnectionError):
                process.stdin.write(order.model_dump_json().encode() + b"\n")
                await process.stdin.drain()
            written = 0.0
            async for line in process.stdout:
                try:
                    said = Said.model_validate_json(line)
                except ValidationError:
                    return None  # it ended in the middle of a word
                if said.results is not None or said.problem is not None:
                    return said
                told(said.done)
                if time.monotonic() - written >= TOLD_SECONDS:
                    written = time.monotonic()
                    await self._stored(self._evaluations.advance, evaluation.id, said.done)
            return None
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _order(self, evaluation: Evaluation) -> Order:
        texts, labelled = parted(evaluation, self._evaluations.texts(evaluation.id))
        return Order(
            run=evaluation.id,
            design=design_of(evaluation),
            texts=texts,
            labelled=labelled,
            matching=evaluation.design["matching"],
            kept=evaluation.design["taught"],
            work=work_of(evaluation),
            folder=self._place(evaluation.id).resolve() / name_of(evaluation),
            catalog=self._catalog.path.resolve(),
            direct=self._catalog.direct,
            edits=self.folder.resolve(),
            bytes=self.terms.bytes,
        )

    def _environment(self) -> dict[str, str]:
        """What an edit of an edit is loaded by: the same catalog as here."""
        return {
            "ESPALIER_CATALOG": str(self._catalog.path.resolve()),
            "ESPALIER_MODELS": ",".join(self._catalog.direct),
            "ESPALIER_DATA": str(self.folder.resolve().parent),
        }

    def _place(self, identity: str) -> Path:
        """Where an edit is made: on the disk that it stays on, under a name that is no model's."""
        return self.folder / f".making-{identity}"

    def _publish(self, evaluation: Evaluation, results: EditResults) -> None:
        """The numbers first: where the model is, they are. One that was cancelled meanwhile leaves neither."""
        name = name_of(evaluation)
        found = self._evaluations.get(evaluation.id)
        if found is None or found.status != "running":
            return
        self._evaluations.keep_results(evaluation.id, results.model_dump_json())
        with suppress(FileNotFoundError):
            (self._place(evaluation.id) / name).rename(self.folder / name)
        if not (self.folder / name).is_dir():
            return  # nobody waits any more, and what was made is put away: it is made again
        self.put_away(evaluation.id)
        self._finish(evaluation)
        ended = self._evaluations.get(evaluation.id)
        if ended is None or ended.status != "finished":
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def _finish(self, evaluation: Evaluation) -> None:
        self._evaluations.advance(evaluation.id, evaluation.total)
        self._evaluations.end(evaluation.id, "finished")

    async def _kept(self, identity: str) -> str | None:
        found: str | None = await self._stored(self._evaluations.results, identity)
        return found

    async def _end(self, identity: str, status: str, problem: str | None) -> None:
        await self._stored(self._evaluations.end, identity, status, problem)

    @staticmethod
    async def _stored(query: Callable[..., Any], *given: Any) -> Any:
        """A database that cannot be used for a while must not end an edit."""
        return await patiently(lambda: asyncio.to_thread(query, *given))
