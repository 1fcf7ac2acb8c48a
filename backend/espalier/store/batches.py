"""Batches at rest: what was asked for, and how far it is. Results are the jobs' own."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import String, Text, select, update
from sqlalchemy.orm import Mapped, mapped_column

from espalier.explain.request import ExplanationRequest
from espalier.store.base import Base, Moment, now
from espalier.store.database import Store

BatchStatus = Literal["running", "finished", "cancelled"]


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


@dataclass(frozen=True, slots=True)
class Batch:
    """Many texts explained in one way. `settings` are the fields of an explanation request that all share."""

    id: str
    client: str
    settings: dict[str, Any]
    texts: tuple[str, ...]
    created: datetime
    status: BatchStatus = "running"
    done: int = 0
    failed: int = 0
    finished: datetime | None = None

    def request(self, index: int) -> ExplanationRequest:
        return ExplanationRequest(text=self.texts[index], **self.settings)


class Batches:
    """Queries on batches. Each call is one transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, batch: Batch) -> Batch:
        """Write a batch, or give the one that has its id already."""
        values = {
            "id": batch.id,
            "status": batch.status,
            "client": batch.client,
            "settings": json.dumps(batch.settings, ensure_ascii=False, sort_keys=True),
            "texts": json.dumps(batch.texts, ensure_ascii=False),
            "total": len(batch.texts),
            "done": 0,
            "failed": 0,
            "created": batch.created,
        }
        with self.store.write() as session:
            self.store.insert_once(session, BatchRow.__table__, values)
            return _batch(session.get_one(BatchRow, batch.id))

    def get(self, identity: str) -> Batch | None:
        with self.store.read() as session:
            row = session.get(BatchRow, identity)
            return None if row is None else _batch(row)

    def unfinished(self) -> list[Batch]:
        """Batches that must go on after a restart, the oldest first."""
        with self.store.read() as session:
            rows = session.scalars(select(BatchRow).where(BatchRow.status == "running").order_by(BatchRow.created))
            return [_batch(row) for row in rows]

    def progress(self, identity: str, done: int, failed: int) -> None:
        with self.store.write() as session:
            session.execute(update(BatchRow).where(BatchRow.id == identity).values(done=done, failed=failed))

    def end(self, identity: str, status: BatchStatus) -> None:
        """The first end counts."""
        with self.store.write() as session:
            session.execute(
                update(BatchRow)
                .where(BatchRow.id == identity, BatchRow.status == "running")
                .values(status=status, finished=now())
            )


def _batch(row: BatchRow) -> Batch:
    return Batch(
        id=row.id,
        client=row.client,
        settings=json.loads(row.settings),
        texts=tuple(json.loads(row.texts)),
        created=row.created,
        status=row.status,  # type: ignore[arg-type]  # written by this file only
        done=row.done,
        failed=row.failed,
        finished=row.finished,
    )
