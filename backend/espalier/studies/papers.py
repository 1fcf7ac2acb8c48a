"""What is kept of a study as its owner reads it: rows as documents."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from espalier.store.studies.tables import DoubtRow, ItemRow, PersonRow, StudyRow
from espalier.studies.design import StudyDesign
from espalier.studies.documents import (
    Condition,
    Doubt,
    ItemDocument,
    People,
    PersonDocument,
    Preparation,
    ShownFor,
    StudyDocument,
    StudyLine,
    Votes,
)
from espalier.studies.features import phrase
from espalier.studies.items import ItemContent
from espalier.studies.providers import links
from espalier.studies.reception import DOUBTS
from espalier.studies.records import owner
from espalier.studies.statistics.judgements import Judgement, failed_attention
from espalier.studies.texts import texts


def study_document(session: Session, row: StudyRow, base: str) -> StudyDocument:
    design = StudyDesign.model_validate(row.design)
    counts = owner.tally(session, row.id)
    return StudyDocument(
        id=row.id,
        status=row.status,  # type: ignore[arg-type]
        created=row.created,
        published=row.published,
        closed=row.closed,
        design=design,
        seed=row.seed,
        classes=row.classes,
        conditions=[Condition(model=model, method=method) for model in design.models for method in design.methods],
        texts=texts(design, tuple(row.classes)),
        preparation=Preparation.model_validate(row.preparation),
        votes=Votes(needed=counts.needed, answered=counts.answered, reserved=counts.reserved),
        people=People(arrived=counts.arrived, finished=counts.finished, simulated=counts.simulated),
        links=links(base, row.id, design.recruiting, row.rehearsal_key),
    )


def study_line(session: Session, row: StudyRow) -> StudyLine:
    counts = owner.tally(session, row.id)
    return StudyLine(
        id=row.id,
        title=row.design["title"],
        protocol=row.design["protocol"],
        status=row.status,  # type: ignore[arg-type]
        created=row.created,
        items=row.preparation["kept"],
        answered=counts.answered,
        needed=counts.needed,
    )


def item_document(row: ItemRow, votes: int) -> ItemDocument:
    content = ItemContent.model_validate(row.content)
    places = [(word.start, word.end) for word in content.words]
    return ItemDocument(
        id=row.id,
        number=row.number,
        kind=row.kind,  # type: ignore[arg-type]
        text=content.text,
        label=content.label,
        shown=[
            ShownFor(
                model=each.model,
                method=each.method,
                prediction=each.prediction,
                probability=each.probability,
                phrase=phrase(content.text, places, each.top.words),
                words=list(each.top.words),
            )
            for each in content.shows
        ],
        votes=votes,
    )


def doubt_documents(rows: Sequence[DoubtRow]) -> list[Doubt]:
    return [Doubt(reason=row.reason, says=DOUBTS[row.reason], times=row.times, last=row.last) for row in rows]


def person_document(person: PersonRow, rows: list[Judgement], tasks: int, doubted: list[Doubt]) -> PersonDocument:
    times = sorted({row.task: row.milliseconds for row in rows}.values())
    failed = failed_attention(rows)[person.number]
    reasons = [person.excluded] if person.excluded else []
    if failed:
        reasons.append("failed an attention check")
    if person.simulated:
        reasons.append("simulated")
    middle = len(times) // 2
    return PersonDocument(
        person=person.number,
        simulated=person.simulated,
        stage=person.stage,
        joined=person.joined,
        finished=person.finished,
        tasks=tasks,
        answered=len({row.task for row in rows}),
        attention_failed=failed,
        attention_checks=len({row.task for row in rows if row.kind == "attention"}),
        median_milliseconds=(times[middle] + times[~middle]) / 2 if times else None,
        left_out=reasons,
        doubts=doubted,
    )
