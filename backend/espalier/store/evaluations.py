"""Runs of the Lab at rest: what is measured, on which texts, and a row for each text under each condition."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import BigInteger, Float, ForeignKey, Index, String, Text, delete, func, insert, select, update
from sqlalchemy.orm import Mapped, Session, defer, mapped_column

from espalier.store.base import Base, Moment, now
from espalier.store.database import Store

EvaluationStatus = Literal["running", "finished", "cancelled", "failed"]
RunKind = Literal["evaluation", "diagnosis", "edit"]
"""What is found out: how good explanations are, what they say of models, or what becomes of an edited one."""

EVALUATION = "evaluations.id"

PAGE = 2_000
"""Rows that are read at a time: a run of ten thousand texts has a hundred thousand."""


class EvaluationRow(Base):
    """`done` units (a text on a model) of `total`; `wanted` and `evaluated` are what these asked of their models, and
    what the models did. `results` are kept once it has finished."""

    __tablename__ = "evaluations"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    status: Mapped[str] = mapped_column(String(16), index=True)
    kind: Mapped[str] = mapped_column(String(16), default="evaluation", server_default="evaluation")
    client: Mapped[str] = mapped_column(String(200))
    design: Mapped[str] = mapped_column(Text)
    texts: Mapped[int]
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    failed: Mapped[int] = mapped_column(default=0)
    wanted: Mapped[int] = mapped_column(BigInteger, default=0)
    evaluated: Mapped[int] = mapped_column(BigInteger, default=0)
    bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    problem: Mapped[str | None] = mapped_column(Text)
    results: Mapped[str | None] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(Moment)
    finished: Mapped[datetime | None] = mapped_column(Moment)

    __table_args__ = (Index(None, "client", "status"),)


class EvaluationTextRow(Base):
    """`brought` are explanations of the text that were made elsewhere, where there are any."""

    __tablename__ = "evaluation_texts"

    evaluation: Mapped[str] = mapped_column(ForeignKey(EVALUATION, ondelete="CASCADE"), primary_key=True)
    index: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str] = mapped_column(Text)
    label: Mapped[str | None] = mapped_column(Text)
    brought: Mapped[str | None] = mapped_column(Text)


class MeasuredRow(Base):
    """One text on one model under one condition. `content` is the same in every run of the same design; the seconds are
    not."""

    __tablename__ = "evaluation_rows"

    evaluation: Mapped[str] = mapped_column(ForeignKey(EVALUATION, ondelete="CASCADE"), primary_key=True)
    text: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    model: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    condition: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    content: Mapped[str] = mapped_column(Text)
    seconds: Mapped[float] = mapped_column(Float)


@dataclass(frozen=True, slots=True)
class Evaluation:
    id: str
    client: str
    design: dict[str, Any]
    texts: int
    total: int
    created: datetime
    status: EvaluationStatus = "running"
    done: int = 0
    failed: int = 0
    wanted: int = 0
    evaluated: int = 0
    problem: str | None = None
    finished: datetime | None = None
    kind: RunKind = "evaluation"


@dataclass(frozen=True, slots=True)
class Kept:
    """What a client has here: runs under way, and the bytes of all that are kept."""

    unfinished: int
    bytes: int


@dataclass(frozen=True, slots=True)
class StoredRow:
    text: int
    model: int
    condition: int
    content: str
    seconds: float


class Evaluations:
    """Queries on runs. Each call is one transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(
        self,
        evaluation: Evaluation,
        texts: Sequence[tuple[str, str | None]],
        brought: Sequence[str | None] | None = None,
        allow: Callable[[Kept], None] | None = None,
    ) -> tuple[Evaluation, bool]:
        """Write a run that `allow` lets in, or give the one that has its id already; tells whether it is new. `brought`
        is for each text what was explained of it elsewhere."""
        design = json.dumps(evaluation.design, ensure_ascii=False)
        elsewhere = [None] * len(texts) if brought is None else brought
        kept = [design, *(part for text in (*texts, elsewhere) for part in text if part is not None)]
        size = sum(len(part.encode("utf-8", "surrogatepass")) for part in kept)
        with self.store.write() as session:
            self.store.queue_for(session, f"runs of {evaluation.client}")
            if (there := session.get(EvaluationRow, evaluation.id)) is not None:
                return _evaluation(there), False
            if allow is not None:
                allow(_kept(session, evaluation.client))
            session.add(
                EvaluationRow(
                    id=evaluation.id,
                    status="running",
                    kind=evaluation.kind,
                    client=evaluation.client,
                    design=design,
                    texts=evaluation.texts,
                    total=evaluation.total,
                    done=0,
                    failed=0,
                    wanted=0,
                    evaluated=0,
                    bytes=size,
                    created=evaluation.created,
                )
            )
            session.flush()
            rows = [
                {"evaluation": evaluation.id, "index": index, "text": text, "label": label, "brought": given}
                for index, ((text, label), given) in enumerate(zip(texts, elsewhere, strict=True))
            ]
            session.execute(insert(EvaluationTextRow), rows)
        return evaluation, True

    def kept(self, client: str) -> Kept:
        with self.store.read() as session:
            return _kept(session, client)

    def get(self, identity: str) -> Evaluation | None:
        with self.store.read() as session:
            row = session.get(EvaluationRow, identity, options=[defer(EvaluationRow.results)])
            return None if row is None else _evaluation(row)

    def all(self, client: str | None = None, kind: RunKind = "evaluation") -> list[Evaluation]:
        """Of one kind, the newest first; a client's own, or everybody's."""
        asked = select(EvaluationRow).options(defer(EvaluationRow.results)).order_by(EvaluationRow.created.desc())
        asked = asked.where(EvaluationRow.kind == kind)
        if client is not None:
            asked = asked.where(EvaluationRow.client == client)
        with self.store.read() as session:
            return [_evaluation(row) for row in session.scalars(asked.limit(500))]

    def unfinished(self) -> list[str]:
        with self.store.read() as session:
            asked = select(EvaluationRow.id).where(EvaluationRow.status == "running").order_by(EvaluationRow.created)
            return list(session.scalars(asked))

    def text(self, identity: str, index: int) -> tuple[str, str | None] | None:
        with self.store.read() as session:
            row = session.get(EvaluationTextRow, (identity, index))
            return None if row is None else (row.text, row.label)

    def brought(self, identity: str, index: int) -> str | None:
        """What was explained of a text elsewhere."""
        asked = select(EvaluationTextRow.brought)
        with self.store.read() as session:
            return session.scalar(
                asked.where(EvaluationTextRow.evaluation == identity, EvaluationTextRow.index == index)
            )

    def texts(self, identity: str) -> list[tuple[str, str | None]]:
        asked = select(EvaluationTextRow.text, EvaluationTextRow.label).where(EvaluationTextRow.evaluation == identity)
        with self.store.read() as session:
            return [(row[0], row[1]) for row in session.execute(asked.order_by(EvaluationTextRow.index))]

    def done_units(self, identity: str) -> set[tuple[int, int]]:
        """Text and model of every unit that is written: a unit is written whole."""
        asked = select(MeasuredRow.text, MeasuredRow.model).where(MeasuredRow.evaluation == identity).distinct()
        with self.store.read() as session:
            return {(row[0], row[1]) for row in session.execute(asked)}

    def write(self, identity: str, rows: Sequence[StoredRow], *, wanted: int, evaluated: int, failed: bool) -> None:
        """One unit, counted with its rows: all at once or not at all, and never twice. A run that was ended or deleted
        meanwhile gets no more."""
        text, model = rows[0].text, rows[0].model
        with self.store.write() as session:
            taken = session.execute(
                update(EvaluationRow)
                .where(EvaluationRow.id == identity, EvaluationRow.status == "running")
                .values(
                    done=EvaluationRow.done + 1,
                    failed=EvaluationRow.failed + int(failed),
                    wanted=EvaluationRow.wanted + wanted,
                    evaluated=EvaluationRow.evaluated + evaluated,
                    bytes=EvaluationRow.bytes + sum(len(row.content) for row in rows),
                )
                .returning(EvaluationRow.id)
            ).first()
            there = select(MeasuredRow.condition).where(
                MeasuredRow.evaluation == identity, MeasuredRow.text == text, MeasuredRow.model == model
            )
            if taken is None or session.execute(there).first() is not None:
                session.rollback()
                return
            session.execute(
                insert(MeasuredRow),
                [
                    {
                        "evaluation": identity,
                        "text": row.text,
                        "model": row.model,
                        "condition": row.condition,
                        "content": row.content,
                        "seconds": row.seconds,
                    }
                    for row in rows
                ],
            )

    def advance(self, identity: str, done: int) -> None:
        """How far a run is that is done as a whole. One that is begun again goes back."""
        with self.store.write() as session:
            session.execute(
                update(EvaluationRow)
                .where(EvaluationRow.id == identity, EvaluationRow.status == "running")
                .values(done=done, evaluated=done)
            )

    def rows(self, identity: str, after: int = 0, texts: int | None = None) -> Iterator[StoredRow]:
        """In the order of texts, models, conditions, from the text `after` on, of so many texts."""
        last = (after, -1, -1)
        key = (MeasuredRow.text, MeasuredRow.model, MeasuredRow.condition)
        while True:
            text, model, condition = last
            asked = select(MeasuredRow).where(
                MeasuredRow.evaluation == identity,
                (MeasuredRow.text > text)
                | ((MeasuredRow.text == text) & (MeasuredRow.model > model))
                | ((MeasuredRow.text == text) & (MeasuredRow.model == model) & (MeasuredRow.condition > condition)),
            )
            if texts is not None:
                asked = asked.where(MeasuredRow.text < after + texts)
            with self.store.read() as session:
                found = list(session.scalars(asked.order_by(*key).limit(PAGE)))
            for row in found:
                yield StoredRow(row.text, row.model, row.condition, row.content, row.seconds)
            if len(found) < PAGE:
                return
            last = (found[-1].text, found[-1].model, found[-1].condition)

    def end(self, identity: str, status: EvaluationStatus, problem: str | None = None) -> None:
        """The first end counts."""
        with self.store.write() as session:
            session.execute(
                update(EvaluationRow)
                .where(EvaluationRow.id == identity, EvaluationRow.status == "running")
                .values(status=status, problem=problem, finished=now())
            )

    def results(self, identity: str) -> str | None:
        with self.store.read() as session:
            return session.scalar(select(EvaluationRow.results).where(EvaluationRow.id == identity))

    def keep_results(self, identity: str, results: str) -> None:
        with self.store.write() as session:
            session.execute(update(EvaluationRow).where(EvaluationRow.id == identity).values(results=results))

    def delete(self, identity: str) -> None:
        with self.store.write() as session:
            session.execute(delete(EvaluationRow).where(EvaluationRow.id == identity))


def _kept(session: Session, client: str) -> Kept:
    unfinished = func.count().filter(EvaluationRow.status == "running")
    asked = select(unfinished, func.coalesce(func.sum(EvaluationRow.bytes), 0))
    found = session.execute(asked.where(EvaluationRow.client == client)).one()
    return Kept(int(found[0]), int(found[1]))


def _evaluation(row: EvaluationRow) -> Evaluation:
    return Evaluation(
        id=row.id,
        client=row.client,
        design=json.loads(row.design),
        texts=row.texts,
        total=row.total,
        created=row.created,
        status=row.status,  # type: ignore[arg-type]  # written here only
        done=row.done,
        failed=row.failed,
        wanted=row.wanted,
        evaluated=row.evaluated,
        problem=row.problem,
        finished=row.finished,
        kind=row.kind,  # type: ignore[arg-type]  # written here only
    )
