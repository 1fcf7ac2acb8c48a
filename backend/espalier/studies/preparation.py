"""Choosing a study's texts and explaining them, in the background and through the same engine as everything else.

Explanations are addressed by content, so preparing is safe to repeat: after a restart what was explained is there.
"""

import asyncio
import logging
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from espalier.datasets.forms import Row
from espalier.engine.endless import endless
from espalier.engine.many import each_awaited
from espalier.engine.patience import finished, patiently
from espalier.engine.protocol import Engine
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.problems import Problem
from espalier.store import Store, StoreUnavailable
from espalier.store.claims import WorkClaims
from espalier.store.studies.tables import StudyRow
from espalier.studies.checks import attention_items, practice_items
from espalier.studies.design import StudyDesign
from espalier.studies.documents import Preparation
from espalier.studies.features import Explained, shows
from espalier.studies.items import ItemContent, Shows
from espalier.studies.records import owner
from espalier.studies.records.tasks import slots_for
from espalier.studies.selection import Selection
from espalier.studies.session import WordShown
from espalier.text import read

_log = logging.getLogger(__name__)

Found = TypeVar("Found")

AT_ONCE = 4
"""Texts explained side by side: enough to keep the model busy, few enough to waste little when the items are full."""

CLAIM_SECONDS = 20.0
"""Silence after which another server goes on with a study."""

SKIPPED = frozenset({"too-long", "bad-text"})
"""Problems of one text. Any other problem is one of the study: no text would do better."""


class Unprepared(Exception):
    """Preparing cannot go on. The message is for the owner."""


class Preparations:
    """One background task for each study that is being prepared."""

    def __init__(self, store: Store, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._claims = WorkClaims(store, uuid.uuid4().hex, CLAIM_SECONDS)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._keeping: asyncio.Task[None] | None = None

    async def resume(self) -> None:
        """Go on with what a stopped server left, and from now on with what another one leaves."""
        await self._keep()
        self._keeping = asyncio.create_task(endless("keeping studies going", self._keep, CLAIM_SECONDS / 4))

    async def _keep(self) -> None:
        """Renew what is ours, take what is nobody's: each study is prepared by one of the servers on the store."""
        with suppress(StoreUnavailable):
            for study in await asyncio.to_thread(self._unprepared):
                if await asyncio.to_thread(self._claims.take, f"study:{study}"):
                    self.start(study)

    def start(self, study: str) -> None:
        if study not in self._running or self._running[study].done():
            self._running[study] = asyncio.create_task(self._run(study))

    async def stop(self, study: str | None = None) -> None:
        """Stop preparing one study, or all when the server stops."""
        chosen = [study] if study is not None else list(self._running)
        tasks = [self._running.pop(each) for each in chosen if each in self._running]
        if study is None and self._keeping is not None:
            tasks.append(self._keeping)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _unprepared(self) -> list[str]:
        with self._store.read() as session:
            return list(session.scalars(select(StudyRow.id).where(StudyRow.status == "preparing")))

    async def _run(self, study: str) -> None:
        if not await patiently(lambda: asyncio.to_thread(self._claims.take, f"study:{study}")):
            return  # another server was faster
        try:
            await _Work(self._store, self._engine, study).prepare()
        except owner.UnknownStudy:
            pass  # deleted meanwhile
        except Exception as error:
            known = isinstance(error, Unprepared | Problem)
            if not known:
                _log.exception("a study cannot be prepared: its page says so")
            reason = str(error) if known else "the server failed at this; its log says why"
            await patiently(lambda: asyncio.to_thread(_fail, self._store, study, reason))
        finally:
            # Nothing may be left of a study that is deleted, not even its number.
            with suppress(StoreUnavailable):
                await asyncio.to_thread(self._claims.release, f"study:{study}")


class _Work:
    """Preparing one study."""

    def __init__(self, store: Store, engine: Engine, study: str) -> None:
        self._store = store
        self._engine = engine
        self._study = study
        self._client = ""
        self._explained = 0

    async def prepare(self) -> None:
        loaded = await self._stored(self._load)
        if loaded is None:
            return
        design, rows, seed = loaded
        words = await asyncio.to_thread(_read_all, rows)
        selection = Selection(rows, [len(each) for each in words], design.filters, design.items, seed)
        contents: dict[int, list[Shows]] = {}
        explaining = each_awaited(
            _readable(selection, words),
            lambda row: self._explain(design, rows[row].text),
            at_once=lambda: min(AT_ONCE, selection.wanted - len(selection.kept)),
        )
        async with aclosing(explaining) as explained:
            async for row, shown in explained:
                # The texts before it may have used up its length's share.
                reason = selection.by_length(row)
                if reason is None:
                    preference = design.protocol == "preference"
                    reason = "not explained" if shown is None else selection.by_explanations(row, shown, preference)
                if selection.decide(row, reason) and shown is not None:
                    contents[row] = shown
                await self._stored(self._tell, selection)
        if not contents:
            raise Unprepared(selection.note() or "no text is left")
        items = [
            (number, content)
            for number, (row, shown) in enumerate(contents.items(), start=1)
            for content in _contents(design, rows[row], words[row], shown)
        ]
        await self._stored(self._finish, items, selection)

    async def _explain(self, design: StudyDesign, text: str) -> list[Shows] | None:
        """All conditions of one text, models first; None where the text itself is refused."""
        requests = [
            ExplanationRequest(text=text, model=model, method=name)
            for model in design.models
            for name in design.methods
        ]
        jobs = await asyncio.gather(*(self._job(request) for request in requests))
        found = []
        for job in jobs:
            if job is None:
                return None
            found.append(await asyncio.to_thread(_shows, job))
        return found

    async def _job(self, request: ExplanationRequest) -> Job | None:
        job = None
        try:
            job = await patiently(lambda: self._engine.submit(request, client=self._client))
            job = await finished(self._engine, job)
        except asyncio.CancelledError:
            if job is not None and not job.is_finished:
                await self._engine.cancel(job.id)
            raise
        except Problem as problem:
            _check_skippable(request, problem.code, problem.message)
            return None
        if job.status == "succeeded":
            self._explained += 1
            return job
        said = job.problem or {}
        code = str(said.get("type", "")).rpartition(":")[2]
        _check_skippable(request, code, str(said.get("detail", job.status)))
        return None

    @staticmethod
    async def _stored(query: Callable[..., Found], *given: Any) -> Found:
        """A database that cannot be asked for a while is no reason to give a study up."""
        return await patiently(lambda: asyncio.to_thread(query, *given))

    def _load(self) -> tuple[StudyDesign, list[Row], int] | None:
        """None of a study that was prepared between being found unprepared and being begun: its texts are gone."""
        with self._store.read() as session:
            row = owner.find(session, self._study)
            if row.status != "preparing":
                return None
            self._client = owner.client_of(row)
            rows = [Row.model_validate(each) for each in row.dataset]
            return StudyDesign.model_validate(row.design), rows, row.seed

    def _tell(self, selection: Selection) -> None:
        with self._store.write() as session:
            owner.take_turn(session, self._study).preparation = self._progress(selection)

    def _progress(self, selection: Selection) -> dict[str, Any]:
        return Preparation(
            candidates=len(selection.order),
            examined=selection.examined,
            kept=len(selection.kept),
            wanted=selection.wanted,
            removed=dict(selection.removed),
            explanations=self._explained,
        ).model_dump(mode="json")

    def _finish(self, items: Sequence[tuple[int, ItemContent]], selection: Selection) -> None:
        with self._store.write() as session:
            row = owner.take_turn(session, self._study)
            if row.status == "preparing":
                make_ready(session, row, items)
                row.preparation = self._progress(selection) | {"note": selection.note()}


def make_ready(session: Session, row: StudyRow, items: Sequence[tuple[int, ItemContent]]) -> None:
    """Items with the numbers of their sentences, checks, practice and all votes at once: a study is prepared or it is
    not."""
    design, classes = StudyDesign.model_validate(row.design), tuple(row.classes)
    tasks = owner.add_items(session, row.id, [("task", number, content) for number, content in items])
    checks = attention_items(design, classes) if design.attention_checks else []
    owner.add_items(session, row.id, [("attention", -k, each) for k, each in enumerate(checks, start=1)])
    practice = practice_items(design, classes)
    owner.add_items(session, row.id, [("practice", -1000 - k, each) for k, each in enumerate(practice)])
    slots = slots_for(design, [(item.id, item.sentence) for item in tasks], row.seed, simulated=False)
    owner.add_slots(session, row.id, slots, simulated=False)
    row.dataset = []
    row.status = "ready"


def _fail(store: Store, study: str, reason: str) -> None:
    try:
        with store.write() as session:
            row = owner.take_turn(session, study)
            if row.status == "preparing":
                row.status = "failed"
                row.preparation = row.preparation | {"problem": reason}
    except owner.UnknownStudy:
        pass


def _check_skippable(request: ExplanationRequest, code: str, message: str) -> None:
    if code not in SKIPPED:
        raise Unprepared(f"{request.method} on {request.model} failed: {message}")


def _read_all(rows: Sequence[Row]) -> list[tuple[WordShown, ...]]:
    """The words of every text; none where a text cannot be read."""
    found: list[tuple[WordShown, ...]] = []
    for row in rows:
        try:
            words = read(row.text).words
        except Problem:
            words = ()
        found.append(tuple(WordShown(text=word.text, start=word.start, end=word.end) for word in words))
    return found


def _readable(selection: Selection, words: Sequence[tuple[WordShown, ...]]) -> Iterator[int]:
    """Texts in their order, those left out that no model needs to see."""
    for row in selection.order:
        reason = "unreadable" if not words[row] else selection.by_length(row)
        if reason is None:
            yield row
        else:
            selection.decide(row, reason)


def _shows(job: Job) -> Shows:
    assert job.explanation is not None
    return shows(Explained.model_validate_json(job.explanation))


def _contents(design: StudyDesign, row: Row, words: tuple[WordShown, ...], shown: list[Shows]) -> list[ItemContent]:
    """Coherence: one item with all conditions. Preference: one item for each model."""
    groups = [shown] if design.protocol == "coherence" else [shown[k : k + 2] for k in range(0, len(shown), 2)]
    return [ItemContent(text=row.text, label=row.label, words=words, shows=tuple(group)) for group in groups]
