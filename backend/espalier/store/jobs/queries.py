"""Questions about jobs, and what is written of them."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from espalier.explain.request import ExplanationRequest
from espalier.jobs import FINISHED, Event, Job, JobStatus, KeyReused
from espalier.store.base import now
from espalier.store.database import Store
from espalier.store.jobs.claims import Claims
from espalier.store.jobs.rows import events_of, job_of, request_of
from espalier.store.jobs.tables import ACTIVE, EventRow, IdempotencyRow, JobRow, ResultRow
from espalier.store.jobs.unfinished import Entry

FORGOTTEN_AT_ONCE = 500
"""Jobs or results that one transaction deletes."""


class Result(NamedTuple):
    """A document in JSON, and the evaluations that it took."""

    document: str
    evaluated: int


class Jobs:
    """Queries on jobs. Each call is one transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(
        self,
        job: Job,
        idempotency_key: str | None = None,
        result: str | None = None,
        claims: Claims | None = None,
        entry: Entry | None = None,
    ) -> Job:
        """Write a new job, or give the one that came with the same idempotency key before.

        `result` is the content of a result that is known already: the job has succeeded before it began. `claims` are
        those of the server that does it, and `entry` says whether there is room for it among all that is unfinished.
        """
        try:
            return self._add(job, idempotency_key, result, claims, entry)
        except IntegrityError:
            # The same key arrived twice in one moment, and the other one was first.
            if idempotency_key is not None and (known := self.known(job, idempotency_key)) is not None:
                return known
            raise

    def _add(
        self,
        job: Job,
        idempotency_key: str | None,
        result: str | None,
        claims: Claims | None,
        entry: Entry | None,
    ) -> Job:
        with self.store.write() as session:
            if idempotency_key is not None and (known := self._known(session, job, idempotency_key)) is not None:
                return known
            if entry is not None:
                entry.check(self.store, session, job.client)
            row = JobRow(
                id=job.id,
                status=job.status,
                request=job.request.model_dump_json(),
                client=job.client,
                lease=job.lease,
                created=job.created,
                started=job.started,
                finished=job.finished,
                evaluated=job.evaluated,
                expected=job.expected,
                result=result,
                estimate=None if entry is None else entry.estimate,
            )
            if claims is not None:
                claims.stamp(session, row)
            session.add(row)
            session.flush()
            if idempotency_key is not None:
                session.add(
                    IdempotencyRow(client=job.client, key=idempotency_key, digest=digest(job.request), job=job.id)
                )
        return job

    def known(self, job: Job, idempotency_key: str) -> Job | None:
        """The job that came with this key before; the same key with another request is refused."""
        with self.store.read() as session:
            return self._known(session, job, idempotency_key)

    def get(self, identity: str) -> Job | None:
        with self.store.read() as session:
            row = session.get(JobRow, identity)
            return None if row is None else job_of(session, row, request_of(row.request).request)

    def begin(self, identity: str, events: Sequence[Event]) -> None:
        """A worker has the job; `events` are what a resumed stream will need."""
        with self.store.write() as session:
            done: Any = session.execute(
                update(JobRow)
                .where(JobRow.id == identity, JobRow.status.in_(ACTIVE))
                .values(status="running", started=func.coalesce(JobRow.started, now()))
            )
            if done.rowcount:
                self._write_events(session, identity, events)
                self.store.tell(session, identity)

    def note(self, news: Sequence[tuple[Job, Sequence[Event]]]) -> None:
        """How far jobs are, for whoever listens at another server."""
        with self.store.write() as session:
            for job, events in news:
                done: Any = session.execute(
                    update(JobRow)
                    .where(JobRow.id == job.id, JobRow.status.in_(ACTIVE))
                    .values(status=job.status, evaluated=job.evaluated, expected=job.expected)
                )
                if done.rowcount:
                    self._write_events(session, job.id, events)
                    self.store.tell(session, job.id)

    def finish(
        self,
        job: Job,
        status: JobStatus,
        *,
        content: str | None = None,
        document: str | None = None,
        problem: dict[str, Any] | None = None,
        evaluated: int = 0,
        expected: int | None = None,
        started: datetime | None = None,
    ) -> Job | None:
        """The end of a job and its result in one transaction. The first end counts, and so does the first result of a
        content: doing a job again changes nothing. `started` is for a job whose beginning was not written down."""
        assert status in FINISHED
        identity = job.id
        with self.store.write() as session:
            if document is not None:
                values = {"content": content, "document": document, "created": now()}
                self.store.insert_once(session, ResultRow.__table__, values)
            session.execute(
                update(JobRow)
                .where(JobRow.id == identity, JobRow.status.in_(ACTIVE))
                .values(
                    status=status,
                    finished=now(),
                    started=func.coalesce(JobRow.started, started),
                    evaluated=evaluated,
                    expected=expected,
                    result=content if document is not None else None,
                    problem=None if problem is None else json.dumps(problem, ensure_ascii=False),
                )
            )
            session.execute(delete(EventRow).where(EventRow.job == identity))
            self.store.tell(session, identity)
            row = session.get(JobRow, identity, populate_existing=True)
            return None if row is None else job_of(session, row, job.request)

    def seen(self, identity: str) -> tuple[Job, list[Event]] | None:
        """A job and the newest event of each kind, as they are at one moment."""
        with self.store.read() as session:
            row = session.get(JobRow, identity)
            if row is None:
                return None
            return job_of(session, row, request_of(row.request).request), events_of(session, identity)

    def result(self, content: str) -> Result | None:
        """A result that jobs speak of; what it took is what any of them took."""
        with self.store.read() as session:
            found = session.execute(
                select(ResultRow.document, JobRow.evaluated)
                .join(JobRow, JobRow.result == ResultRow.content)
                .where(ResultRow.content == content)
                .limit(1)
            ).first()
            return None if found is None else Result(*found)

    def forget(self, before: datetime) -> int:
        """Delete jobs that finished before a time, and results that no job speaks of any more. Some at a time: nobody
        is kept waiting by a month's work."""
        old = select(JobRow.id).where(JobRow.finished < before).limit(FORGOTTEN_AT_ONCE)
        spoken_of = select(JobRow.id).where(JobRow.result == ResultRow.content).exists()
        unused = select(ResultRow.content).where(ResultRow.created < before, ~spoken_of).limit(FORGOTTEN_AT_ONCE)
        jobs = self._delete_all(delete(JobRow).where(JobRow.id.in_(old)))
        self._delete_all(delete(ResultRow).where(ResultRow.content.in_(unused)))
        return jobs

    def _delete_all(self, some: Any) -> int:
        """Delete until nothing is left to be."""
        count = 0
        while True:
            with self.store.write() as session:
                done: Any = session.execute(some.execution_options(synchronize_session=False))
            count += int(done.rowcount)
            if done.rowcount < FORGOTTEN_AT_ONCE:
                return count

    def all_finished_before(self, before: datetime) -> bool:
        """Whether there are finished jobs, and all of them finished before a time."""
        with self.store.read() as session:
            newest = session.scalar(select(func.max(JobRow.finished)))
            return newest is not None and newest < before

    def _known(self, session: Session, job: Job, key: str) -> Job | None:
        row = session.get(IdempotencyRow, (job.client, key))
        if row is None:
            return None
        if row.digest != digest(job.request):
            raise KeyReused(
                "this Idempotency-Key came with another request before: possible is a new key for a new request"
            )
        return job_of(session, session.get_one(JobRow, row.job), job.request)

    @staticmethod
    def _write_events(session: Session, identity: str, events: Sequence[Event]) -> None:
        """In place of older ones of their kind."""
        names = [event.name for event in events]
        session.execute(delete(EventRow).where(EventRow.job == identity, EventRow.name.in_(names)))
        for event in events:
            session.add(EventRow(job=identity, id=event.id, name=event.name, data=event.data or "null"))


def digest(request: ExplanationRequest) -> str:
    return hashlib.sha256(request.model_dump_json().encode()).hexdigest()
