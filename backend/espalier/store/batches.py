"""Batches at rest: what was asked for, and how far it is. Results are the jobs' own."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, delete, func, insert, select, update
from sqlalchemy.orm import Mapped, Session, defer, mapped_column

from espalier.explain.request import ExplanationRequest
from espalier.store.base import Base, Moment, now
from espalier.store.database import Store

BatchStatus = Literal["running", "finished", "cancelled"]

ACTIVE = "active"
"""A running batch whose texts are kept one by one. A server of the version before would take it for an empty one; so
it has a status which that one does not touch."""

UNFINISHED = (ACTIVE, "running")


class BatchRow(Base):
    __tablename__ = "batches"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    status: Mapped[str] = mapped_column(String(16), index=True)
    client: Mapped[str] = mapped_column(String(200))
    settings: Mapped[str] = mapped_column(Text)
    texts: Mapped[str] = mapped_column(Text)
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    failed: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime] = mapped_column(Moment)
    finished: Mapped[datetime | None] = mapped_column(Moment)
    bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")

    __table_args__ = (Index(None, "client", "status"), Index(None, "finished"))


class BatchTextRow(Base):
    __tablename__ = "batch_texts"

    batch: Mapped[str] = mapped_column(ForeignKey(BatchRow.id, ondelete="CASCADE"), primary_key=True)
    index: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str] = mapped_column(Text)


@dataclass(frozen=True, slots=True)
class Batch:
    """Many texts explained in one way. `settings` are the fields of an explanation request that all share."""

    id: str
    client: str
    settings: dict[str, Any]
    total: int
    created: datetime
    status: BatchStatus = "running"
    done: int = 0
    failed: int = 0
    finished: datetime | None = None

    def request(self, text: str) -> ExplanationRequest:
        return ExplanationRequest(text=text, **self.settings)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a client has here: batches that are not finished, and the bytes of all that are kept."""

    unfinished: int
    bytes: int


class Batches:
    """Queries on batches. Each call is one transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(
        self, batch: Batch, texts: Sequence[str], allow: Callable[[Kept], None] | None = None
    ) -> tuple[Batch, bool]:
        """Write a batch that `allow` lets in, or give the one that has its id already; tells whether it is new."""
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        values = {
            "id": batch.id,
            "status": ACTIVE,
            "client": batch.client,
            "settings": json.dumps(batch.settings, ensure_ascii=False, sort_keys=True),
            "texts": "[]",
            "total": len(texts),
            "done": 0,
            "failed": 0,
            "created": batch.created,
            "bytes": size,
        }
        with self.store.write() as session:
            self.store.queue_for(session, f"batches of {batch.client}")
            if (there := session.get(BatchRow, batch.id)) is not None:
                return _batch(there), False
            if allow is not None:
                allow(self._kept(session, batch.client))
            if not self.store.insert_once(session, BatchRow.__table__, values):
                return _batch(session.get_one(BatchRow, batch.id)), False
            self._write_texts(session, batch.id, texts)
            return _batch(session.get_one(BatchRow, batch.id)), True

    def has_texts(self, identity: str, texts: Sequence[str]) -> bool:
        """Whether a batch is of exactly these texts."""
        with self.store.read() as session:
            rows = session.scalars(
                select(BatchTextRow.text).where(BatchTextRow.batch == identity).order_by(BatchTextRow.index)
            )
            return list(rows) == list(texts)

    def text(self, identity: str, index: int) -> str:
        with self.store.read() as session:
            row = session.get(BatchTextRow, (identity, index))
        return row.text if row is not None else self._convert(identity)[index]

    def _convert(self, identity: str) -> list[str]:
        """A batch that a server of the version before has written has its texts in one piece."""
        with self.store.write() as session:
            texts: list[str] = json.loads(session.get_one(BatchRow, identity).texts)
            if session.get(BatchTextRow, (identity, 0)) is None:
                self._write_texts(session, identity, texts)
            return texts

    @staticmethod
    def _write_texts(session: Session, identity: str, texts: Sequence[str]) -> None:
        rows = [{"batch": identity, "index": index, "text": text} for index, text in enumerate(texts)]
        session.execute(insert(BatchTextRow), rows)

    @staticmethod
    def _kept(session: Session, client: str) -> Kept:
        unfinished = func.count().filter(BatchRow.status.in_(UNFINISHED))
        asked = select(unfinished, func.coalesce(func.sum(BatchRow.bytes), 0)).where(BatchRow.client == client)
        found = session.execute(asked).one()
        return Kept(int(found[0]), int(found[1]))

    def get(self, identity: str) -> Batch | None:
        with self.store.read() as session:
            row = session.get(BatchRow, identity, options=[defer(BatchRow.texts)])
            return None if row is None else _batch(row)

    def unfinished(self) -> list[Batch]:
        """Batches that must go on after a restart, the oldest first."""
        with self.store.read() as session:
            wanted = select(BatchRow).where(BatchRow.status.in_(UNFINISHED)).options(defer(BatchRow.texts))
            return [_batch(row) for row in session.scalars(wanted.order_by(BatchRow.created))]

    def progress(self, identity: str, done: int, failed: int) -> None:
        with self.store.write() as session:
            session.execute(update(BatchRow).where(BatchRow.id == identity).values(done=done, failed=failed))

    def end(self, identity: str, status: BatchStatus) -> None:
        """The first end counts."""
        with self.store.write() as session:
            session.execute(
                update(BatchRow)
                .where(BatchRow.id == identity, BatchRow.status.in_(UNFINISHED))
                .values(status=status, finished=now())
            )

    def forget(self, before: datetime) -> int:
        """Delete batches that finished before a time, their texts with them."""
        with self.store.write() as session:
            old: Any = session.execute(delete(BatchRow).where(BatchRow.finished < before))
            return int(old.rowcount)


def _batch(row: BatchRow) -> Batch:
    return Batch(
        id=row.id,
        client=row.client,
        settings=json.loads(row.settings),
        total=row.total,
        created=row.created,
        status="running" if row.status == ACTIVE else row.status,  # type: ignore[arg-type]  # written here only
        done=row.done,
        failed=row.failed,
        finished=row.finished,
    )
