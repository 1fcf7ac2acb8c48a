"""Choosing a study's texts and explaining them, in the background and through the same engine as everything else.

Explanations are addressed by content, so preparing is safe to repeat: after a restart what was explained is there.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from espalier.engine.protocol import Engine, Job
from espalier.explain.explanation import Explanation
from espalier.explain.registry import method
from espalier.explain.request import ExplanationRequest
from espalier.problems import Problem
from espalier.store import Store
from espalier.store.studies import owner
from espalier.store.studies.people import slots_for
from espalier.store.studies.tables import StudyRow
from espalier.studies.checks import attention_items, practice_items
from espalier.studies.design import Row, StudyDesign
from espalier.studies.documents import Preparation
from espalier.studies.features import shows
from espalier.studies.items import ItemContent, Shows
from espalier.studies.selection import Selection
from espalier.studies.session import WordShown
from espalier.text import read

_log = logging.getLogger(__name__)

AT_ONCE = 4
"""Texts explained side by side: enough to keep the model busy, few enough to waste little when the items are full."""

SKIPPED = frozenset({"too-long", "bad-text"})
"""Problems of one text. Any other problem is one of the study: no text would do better."""

TRY_AGAIN_SECONDS = 2.0


class Unprepared(Exception):
    """Preparing cannot go on. The message is for the owner."""


class Preparations:
    """One background task for each study that is being prepared."""

    def __init__(self, store: Store, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._running: dict[str, asyncio.Task[None]] = {}

    async def resume(self) -> None:
        """Go on with what a stopped server left."""
        for study in await asyncio.to_thread(self._unprepared):
            self.start(study)

    def start(self, study: str) -> None:
        if study not in self._running or self._running[study].done():
            self._running[study] = asyncio.create_task(self._run(study))

    async def stop(self, study: str | None = None) -> None:
        """Stop preparing one study, or all when the server stops."""
        chosen = [study] if study is not None else list(self._running)
        tasks = [self._running.pop(each) for each in chosen if each in self._running]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _unprepared(self) -> list[str]:
        with self._store.read() as session:
            return [row.id for row in owner.all_studies(session, "preparing")]

    async def _run(self, study: str) -> None:
        try:
            await _Work(self._store, self._engine, study).prepare()
        except owner.UnknownStudy:
            pass  # deleted meanwhile
        except Exception as error:
            known = isinstance(error, Unprepared | Problem)
            if not known:
                _log.exception("study %s cannot be prepared", study)
            reason = str(error) if known else "the server failed at this; its log says why"
            await asyncio.to_thread(_fail, self._store, study, reason)


class _Work:
    """Preparing one study."""

    def __init__(self, store: Store, engine: Engine, study: str) -> None:
        self._store = store
        self._engine = engine
        self._study = study
        self._explained = 0

    async def prepare(self) -> None:
        design, rows, seed = await asyncio.to_thread(self._load)
        words = await asyncio.to_thread(_read_all, rows)
        selection = Selection(rows, [len(each) for each in words], design.filters, design.items, seed)
        waiting = iter(selection.order)
        contents: dict[int, list[Shows]] = {}
        while not selection.full:
            batch = []
            for row in waiting:
                reason = "unreadable" if not words[row] else selection.by_length(row)
                if reason is not None:
                    selection.decide(row, reason)
                    continue
                batch.append(row)
                if len(batch) == min(AT_ONCE, selection.wanted - len(selection.kept)):
                    break
            if not batch:
                break
            explained = await asyncio.gather(*(self._explain(design, rows[row].text) for row in batch))
            for row, shown in zip(batch, explained, strict=True):
                # The texts beside it may have used up its length's share.
                reason = selection.by_length(row)
                if reason is None:
                    preference = design.protocol == "preference"
                    reason = "not explained" if shown is None else selection.by_explanations(row, shown, preference)
                if selection.decide(row, reason) and shown is not None:
                    contents[row] = shown
            await asyncio.to_thread(self._tell, selection)
        if not contents:
            raise Unprepared(selection.note() or "no text is left")
        items = [
            (number, content)
            for number, (row, shown) in enumerate(contents.items(), start=1)
            for content in _contents(design, rows[row], words[row], shown)
        ]
        await asyncio.to_thread(self._finish, items, selection)

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
            job = await self._submit(request)
            while not job.is_finished:
                job = await self._engine.wait(job.id, 60)
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

    async def _submit(self, request: ExplanationRequest) -> Job:
        while True:
            try:
                return await self._engine.submit(request, client=owner.client_of(self._study))
            except Problem as problem:
                if problem.status not in (429, 503):
                    raise
                # The service is busy or its worker is starting: a study can wait.
                await asyncio.sleep(float(getattr(problem, "retry_after", None) or TRY_AGAIN_SECONDS))

    def _load(self) -> tuple[StudyDesign, list[Row], int]:
        with self._store.read() as session:
            row = owner.find(session, self._study)
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


def _shows(job: Job) -> Shows:
    assert job.explanation is not None
    document = json.loads(job.explanation)
    document.pop("finding", None)
    result = method(document["method"]).result
    return shows(Explanation[result].model_validate(document))  # type: ignore[valid-type]


def _contents(design: StudyDesign, row: Row, words: tuple[WordShown, ...], shown: list[Shows]) -> list[ItemContent]:
    """Coherence: one item with all conditions. Preference: one item for each model."""
    groups = [shown] if design.protocol == "coherence" else [shown[k : k + 2] for k in range(0, len(shown), 2)]
    return [ItemContent(text=row.text, label=row.label, words=words, shows=tuple(group)) for group in groups]
