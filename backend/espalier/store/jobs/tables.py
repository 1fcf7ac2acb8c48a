"""Tables of jobs, of what happened to them, and of results by content."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false
from sqlalchemy.orm import Mapped, mapped_column

from espalier.store.base import Base, Moment

ACTIVE = ("queued", "running")


class ResultRow(Base):
    """An explanation document, found by the hash of all that decides it."""

    __tablename__ = "results"

    content: Mapped[str] = mapped_column(String(64), primary_key=True)
    document: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(Moment)


class JobRow(Base):
    """A job. `owner` is the server that does it, for as long as `claimed_until` says; `attempt` counts the servers that
    have begun it. Whoever listens at another server says so in `watched_until`, and who wants it stopped there in
    `cancel_wished`. `estimate` is what it was expected to take when it was accepted."""

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
    owner: Mapped[str | None] = mapped_column(String(64))
    claimed_until: Mapped[datetime | None] = mapped_column(Moment)
    watched_until: Mapped[datetime | None] = mapped_column(Moment)
    cancel_wished: Mapped[bool] = mapped_column(default=False, server_default=false())
    attempt: Mapped[int] = mapped_column(default=0, server_default="0")
    estimate: Mapped[int | None]

    __table_args__ = (Index(None, "status", "created"), Index(None, "result"), Index(None, "finished"))


class EventRow(Base):
    """The newest event of each kind: what a stream that is resumed, or listened to at another server, begins with. Gone
    when the job has finished."""

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
