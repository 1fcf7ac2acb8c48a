"""Jobs, what happened to them, and results by content."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from espalier.engine.protocol import FINISHED, Event, Job, JobStatus, KeyReused
from espalier.explain.request import ExplanationRequest
from espalier.store.base import Base, Moment, now
from espalier.store.database import Store

ACTIVE = ("queued", "running")


class ResultRow(Base):
    """An explanation document, found by the hash of all that decides it."""

    __tablename__ = "results"

    content: Mapped[str] = mapped_column(String(64), primary_key=True)
    document: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(Moment)


class JobRow(Base):
    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    status: Mapped[str] = mapped_column(String(16))
    request: Mapped[str] = mapped_column(Text)
    client: Mapped[str] = mapped_column(String(200))
    lease: Mapped[float | None]
    created: Mapped[datetime] = mapped_column(Moment)
    started: Mapped[datetime | None] = mapped_column(Moment)
    finished: Mapped[datetime | None] = mapped_column(Moment)
    evaluated: Mapped[int] = mapped_column(default=0)
    expected: Mapped[int | None]
    problem: Mapped[str | None] = mapped_column(Text)
    result: Mapped[str | None] = mapped_column(ForeignKey(ResultRow.content))

    __table_args__ = (Index(None, "status", "created"), Index(None, "result"))


class EventRow(Base):
    """What a stream that is resumed after a restart begins with. Gone when the job has finished."""

    __tablename__ = "events"

    job: Mapped[str] = mapped_column(ForeignKey(JobRow.id, ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(16))
    data: Mapped[str] = mapped_column(Text)


class IdempotencyRow(Base):
    """A key that a client sent with a request, so that sending it again gives the same job."""

    __tablename__ = "idempotency_keys"

    client: Mapped[str] = mapped_column(String(200), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    job: Mapped[str] = mapped_column(ForeignKey(JobRow.id, ondelete="CASCADE"), index=True)


class Jobs:
    """Queries on jobs. Each call is one transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, job: Job, idempotency_key: str | None = None, result: str | None = None) -> Job:
        """Write a new job, or give the one that came with the same idempotency key before.

        `result` is the content of a result that is known already: the job has succeeded before it began.
        """
        try:
            return self._add(job, idempotency_key, result)
        except IntegrityError:
            # The same key arrived twice in one moment, and the other one was first.
            if idempotency_key is not None and (known := self.known(job, idempotency_key)) is not None:
                return known
            raise

    def _add(self, job: Job, idempotency_key: str | None, result: str | None) -> Job:
        with self.store.write() as session:
            if idempotency_key is not None and (known := self._known(session, job, idempotency_key)) is not None:
                return known
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
            )
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
            return None if row is None else self._job(session, row)

    def unfinished(self) -> list[Job]:
        """Jobs that must go on after a restart, the oldest first."""
        with self.store.read() as session:
            rows = session.scalars(select(JobRow).where(JobRow.status.in_(ACTIVE)).order_by(JobRow.created))
            return [self._job(session, row) for row in rows]

    def begin(self, identity: str, events: Sequence[Event]) -> None:
        """A worker has the job; `events` are what a resumed stream will need."""
        with self.store.write() as session:
            session.execute(
                update(JobRow)
                .where(JobRow.id == identity, JobRow.status.in_(ACTIVE))
                .values(status="running", started=func.coalesce(JobRow.started, now()))
            )
            self._write_events(session, identity, events)

    def requeue(self, identities: Sequence[str]) -> None:
        """Jobs whose worker was stopped wait again."""
        with self.store.write() as session:
            session.execute(
                update(JobRow).where(JobRow.id.in_(identities), JobRow.status == "running").values(status="queued")
            )

    def finish(
        self,
        identity: str,
        status: JobStatus,
        *,
        content: str | None = None,
        document: str | None = None,
        problem: dict[str, Any] | None = None,
        evaluated: int = 0,
        expected: int | None = None,
    ) -> Job | None:
        """The end of a job and its result in one transaction. The first end counts, and so does the first result of a
        content: doing a job again changes nothing."""
        assert status in FINISHED
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
                    evaluated=evaluated,
                    expected=expected,
                    result=content if document is not None else None,
                    problem=None if problem is None else json.dumps(problem, ensure_ascii=False),
                )
            )
            session.execute(delete(EventRow).where(EventRow.job == identity))
            row = session.get(JobRow, identity, populate_existing=True)
            return None if row is None else self._job(session, row)

    def events(self, identity: str) -> list[Event]:
        with self.store.read() as session:
            rows = session.scalars(select(EventRow).where(EventRow.job == identity).order_by(EventRow.id))
            return [Event(row.id, row.name, row.data) for row in rows]  # type: ignore[arg-type]

    def result(self, content: str) -> str | None:
        with self.store.read() as session:
            row = session.get(ResultRow, content)
            return None if row is None else row.document

    def forget(self, before: datetime) -> int:
        """Delete jobs that finished before a time, and results that no job speaks of any more."""
        with self.store.write() as session:
            old: Any = session.execute(delete(JobRow).where(JobRow.finished < before))
            used = select(JobRow.result).where(JobRow.result.is_not(None))
            session.execute(delete(ResultRow).where(ResultRow.created < before, ResultRow.content.not_in(used)))
            return int(old.rowcount)

    def _known(self, session: Session, job: Job, key: str) -> Job | None:
        row = session.get(IdempotencyRow, (job.client, key))
        if row is None:
            return None
        if row.digest != digest(job.request):
            raise KeyReused(
                "this Idempotency-Key came with another request before: possible is a new key for a new request"
            )
        return self._job(session, session.get_one(JobRow, row.job))

    @staticmethod
    def _write_events(session: Session, identity: str, events: Sequence[Event]) -> None:
        for event in events:
            session.merge(EventRow(job=identity, id=event.id, name=event.name, data=event.data or "null"))

    @staticmethod
    def _job(session: Session, row: JobRow) -> Job:
        document = None
        if row.result is not None:
            document = session.get_one(ResultRow, row.result).document
        return Job(
            id=row.id,
            status=row.status,  # type: ignore[arg-type]  # written by this file only
            request=ExplanationRequest.model_validate_json(row.request),
            created=row.created,
            client=row.client,
            lease=row.lease,
            started=row.started,
            finished=row.finished,
            evaluated=row.evaluated,
            expected=row.expected,
            explanation=document,
            problem=None if row.problem is None else json.loads(row.problem),
        )


def digest(request: ExplanationRequest) -> str:
    return hashlib.sha256(request.model_dump_json().encode()).hexdigest()
