"""What the owner of a study asks the store."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from espalier.problems import Problem
from espalier.store.base import now
from espalier.store.jobs import JobRow, ResultRow
from espalier.store.studies.tables import (
    AnswerRow,
    IdentityRow,
    ItemRow,
    PersonRow,
    SlotRow,
    StudyRow,
    TaskRow,
)
from espalier.studies.assignment import Slot
from espalier.studies.design import StudyDesign
from espalier.studies.items import ItemContent
from espalier.studies.screens import CHOICE, expected
from espalier.studies.statistics.judgements import Judgement


class UnknownStudy(Problem):
    code = "not-found"
    status = 404

    def __init__(self, study: str) -> None:
        super().__init__(f"no such study: got {study[:40]!r}, possible is the id of one that was created here")


class WrongStatus(Problem):
    """Something a study cannot do as it stands."""

    code = "wrong-status"
    status = 409


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a study, of real people but for `simulated`."""

    needed: int
    answered: int
    reserved: int
    arrived: int
    finished: int
    simulated: int


def client_of(study: StudyRow) -> str:
    """Under this name a study asks the engine for explanations: in the realm of its owner."""
    return f"study:{study.id}" if study.owner is None else f"{study.owner}/study:{study.id}"


def create(
    session: Session,
    design: StudyDesign,
    dataset: list[Any],
    classes: Iterable[str],
    preparation: Mapping[str, Any],
    owner: str | None = None,
) -> StudyRow:
    """A study whose items are still to be prepared. The texts are kept apart from the design."""
    row = StudyRow(
        id=secrets.token_hex(8),
        status="preparing",
        design=design.model_dump(mode="json"),
        dataset=dataset,
        seed=design.seed if design.seed is not None else secrets.randbelow(2**32),
        classes=list(classes),
        preparation=dict(preparation),
        rehearsal_key=secrets.token_urlsafe(16),
        owner=owner,
        turn=0,
        created=now(),
    )
    session.add(row)
    return row


def find(session: Session, study: str) -> StudyRow:
    # PostgreSQL refuses to be asked for some characters; no id has them.
    row = session.get(StudyRow, study) if study.isalnum() else None
    if row is None:
        raise UnknownStudy(study)
    return row


def rehearsal_key(session: Session, study: str) -> str:
    """Nothing else of the study is read: anybody may ask, and a design can be long."""
    asked = select(StudyRow.rehearsal_key).where(StudyRow.id == study)
    key = session.scalar(asked) if study.isalnum() else None
    if key is None:
        raise UnknownStudy(study)
    return key


def all_studies(session: Session, status: str | None = None) -> list[StudyRow]:
    """The newest first."""
    query = select(StudyRow).order_by(StudyRow.created.desc(), StudyRow.id)
    if status is not None:
        query = query.where(StudyRow.status == status)
    return list(session.scalars(query))


def take_turn(session: Session, study: str) -> StudyRow:
    """Lock a study until the transaction ends. A write, and the first of its transaction: in PostgreSQL it locks the
    row, in SQLite the database."""
    if study.isalnum():
        session.execute(update(StudyRow).where(StudyRow.id == study).values(turn=StudyRow.turn + 1))
    session.expire_all()
    return find(session, study)


def items(session: Session, study: str, kind: str | None = None) -> list[ItemRow]:
    query = select(ItemRow).where(ItemRow.study == study).order_by(ItemRow.kind.desc(), ItemRow.number)
    if kind is not None:
        query = query.where(ItemRow.kind == kind)
    return list(session.scalars(query))


def add_items(session: Session, study: str, contents: Iterable[tuple[str, int, ItemContent]]) -> list[ItemRow]:
    """Items of a kind, each with the number of its sentence."""
    rows = [
        ItemRow(
            id=secrets.token_hex(8),
            study=study,
            kind=kind,
            number=number,
            sentence=sentence,
            content=content.model_dump(mode="json"),
        )
        for number, (kind, sentence, content) in enumerate(contents, start=1)
    ]
    session.add_all(rows)
    session.flush()
    return rows


def add_slots(session: Session, study: str, slots: Iterable[Slot], simulated: bool) -> None:
    session.add_all(
        SlotRow(
            study=study,
            simulated=simulated,
            item=slot.item,
            sentence=slot.sentence,
            number=slot.number,
            shown=list(slot.shown),
        )
        for slot in slots
    )


def tally(session: Session, study: str) -> Tally:
    def count(query: Any) -> int:
        return session.scalar(query) or 0

    slots = select(func.count()).select_from(SlotRow).where(SlotRow.study == study, SlotRow.simulated.is_(False))
    held = slots.join(TaskRow, TaskRow.slot == SlotRow.id)
    people = select(func.count()).select_from(PersonRow).where(PersonRow.study == study)
    real = people.where(PersonRow.simulated.is_(False))
    return Tally(
        needed=count(slots),
        answered=count(held.where(TaskRow.answered.is_not(None))),
        reserved=count(held.where(TaskRow.answered.is_(None))),
        arrived=count(real),
        finished=count(real.where(PersonRow.finished.is_not(None))),
        simulated=count(people.where(PersonRow.simulated.is_(True))),
    )


def votes_by_item(session: Session, study: str) -> dict[str, int]:
    """Answered tasks of real people."""
    query = (
        select(TaskRow.item, func.count())
        .join(PersonRow, PersonRow.id == TaskRow.person)
        .where(TaskRow.study == study, TaskRow.answered.is_not(None), PersonRow.simulated.is_(False))
        .group_by(TaskRow.item)
    )
    return {row[0]: row[1] for row in session.execute(query)}


def judgements(session: Session, row: StudyRow, design: StudyDesign) -> list[Judgement]:
    """The raw rows, in the order they were made."""
    contents = {
        item.id: (item, ItemContent.model_validate(item.content))
        for item in items(session, row.id)
        if item.kind != "practice"
    }
    query = (
        select(AnswerRow, TaskRow, PersonRow.number, PersonRow.simulated)
        .join(TaskRow, TaskRow.id == AnswerRow.task)
        .join(PersonRow, PersonRow.id == TaskRow.person)
        .where(TaskRow.study == row.id)
        .order_by(TaskRow.answered, TaskRow.id, AnswerRow.position)
    )
    return [
        _judgement(design, *contents[task.item], answer, task, number, simulated)
        for answer, task, number, simulated in session.execute(query)
    ]


def _judgement(
    design: StudyDesign,
    item: ItemRow,
    content: ItemContent,
    answer: AnswerRow,
    task: TaskRow,
    person: int,
    simulated: bool,
) -> Judgement:
    shows = content.shows[answer.condition]
    preference = design.protocol == "preference"
    right = None
    if item.kind == "attention":
        answers = expected(design, content, tuple(task.shown))
        right = answers[CHOICE] if preference else content.expected[answer.condition]
    assert task.answered is not None
    return Judgement(
        person=person,
        simulated=simulated,
        task=task.id,
        kind="attention" if item.kind == "attention" else "task",
        item=item.id,
        sentence=item.sentence,
        text=content.text,
        label=content.label,
        model=shows.model,
        method=shows.method,
        other=content.shows[1 - answer.condition].method if preference else None,
        position=answer.position,
        answer=answer.answer,
        prediction=shows.prediction,
        expected=right,
        milliseconds=task.milliseconds or 0,
        answered=task.answered,
        extra=item.kind == "task" and task.slot is None,
    )


def people(session: Session, study: str) -> list[PersonRow]:
    query = select(PersonRow).where(PersonRow.study == study).order_by(PersonRow.simulated, PersonRow.number)
    return list(session.scalars(query))


def identities(session: Session, study: str) -> dict[tuple[bool, int], IdentityRow]:
    """Provider ids, by track and number of the person."""
    query = (
        select(IdentityRow, PersonRow.simulated, PersonRow.number)
        .join(PersonRow, PersonRow.id == IdentityRow.person)
        .where(IdentityRow.study == study)
    )
    return {(simulated, number): identity for identity, simulated, number in session.execute(query)}


def tasks(session: Session, study: str) -> list[TaskRow]:
    return list(session.scalars(select(TaskRow).where(TaskRow.study == study)))


def forget_rehearsals(session: Session, study: str) -> None:
    """The simulated people with all they did. Their slots stay, free again."""
    take_turn(session, study)
    session.execute(delete(PersonRow).where(PersonRow.study == study, PersonRow.simulated.is_(True)))


def forget(session: Session, study: str) -> None:
    """Everything of a study: also the explanations of its texts, unless somebody else asked for the same."""
    client = client_of(take_turn(session, study))
    session.execute(delete(StudyRow).where(StudyRow.id == study))
    ours = select(JobRow.result).where(JobRow.client == client, JobRow.result.is_not(None))
    results = set(session.scalars(ours))
    session.execute(delete(JobRow).where(JobRow.client == client))
    for result in results:
        if session.scalar(select(func.count()).select_from(JobRow).where(JobRow.result == result)) == 0:
            session.execute(delete(ResultRow).where(ResultRow.content == result))
