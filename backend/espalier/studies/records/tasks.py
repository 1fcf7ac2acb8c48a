"""Reserving tasks and answering them. Each function is part of one transaction and safe to repeat."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from espalier.problems import Problem
from espalier.store.base import now
from espalier.store.studies.tables import AnswerRow, ItemRow, PersonRow, SlotRow, StudyRow, TaskRow
from espalier.studies.assignment import FreeSlot, Slot, choose, make_slots, quota, with_checks
from espalier.studies.design import StudyDesign
from espalier.studies.records.owner import add_slots, items, take_turn

Display = tuple[str, int, int | None, tuple[int, ...]]
"""Item, sentence, slot (none for a check) and order of display of a task."""


class UnknownTask(Problem):
    code = "not-found"
    status = 404

    def __init__(self, task: str) -> None:
        super().__init__(f"no such task: got {task[:40]!r}, possible is one of this session")


def tasks_of(session: Session, person: PersonRow) -> list[TaskRow]:
    """What the person has answered or still holds, in order."""
    query = select(TaskRow).where(TaskRow.person == person.id).order_by(TaskRow.place)
    return [task for task in session.scalars(query) if task.answered is not None or not task.reclaimed]


def room(session: Session, study: StudyRow, design: StudyDesign, simulated: bool) -> int:
    """Votes that nobody holds, counting those whose holders have left."""
    slots = select(func.count()).select_from(SlotRow).where(SlotRow.study == study.id, SlotRow.simulated.is_(simulated))
    total = session.scalar(slots) or 0
    if simulated and total == 0:
        return len(items(session, study.id, "task"))
    held = slots.join(TaskRow, TaskRow.slot == SlotRow.id).join(PersonRow, PersonRow.id == TaskRow.person)
    alive = held.where(TaskRow.answered.is_not(None) | (PersonRow.seen >= _deadline(design)))
    return total - (session.scalar(alive) or 0)


def reserve(session: Session, study: str, person: int) -> PersonRow:
    """Give a person tasks: as many as their share, less what they hold. Nobody else gets tasks of this study meanwhile.

    Repeating it changes nothing, except that tasks which were reclaimed from the person are replaced.
    """
    row = take_turn(session, study)
    who = session.get_one(PersonRow, person)
    design = StudyDesign.model_validate(row.design)
    who.seen = now()
    if who.finished is not None:
        return who
    session.flush()
    _reclaim(session, row, design, who)
    free = _free(session, row, design, who.simulated)
    all_tasks = list(session.scalars(select(TaskRow).where(TaskRow.person == who.id)))
    live = [task for task in all_tasks if task.answered is not None or not task.reclaimed]
    checks = {item.id for item in items(session, study, "attention")}
    first_time = who.wanted is None
    wanted = _share(session, row, design, who, len(free)) if who.wanted is None else who.wanted
    random = Random(f"{row.seed} {'rehearsal' if who.simulated else 'study'} {who.number} {len(all_tasks)}")
    missing = wanted - sum(task.item not in checks for task in live)
    revived = _revive([task for task in all_tasks if task.reclaimed and task.answered is None], free, missing)
    taken = {task.slot for task in revived}
    chosen = choose(
        [slot for slot in free if slot.id not in taken],
        missing - len(revived),
        random,
        seen=[task.sentence for task in all_tasks],
        had=[tuple(task.shown) for task in live if task.item not in checks],
    )
    new: list[Display] = [(slot.item, slot.sentence, slot.id, slot.shown) for slot in chosen]
    if first_time and new:
        new = _hide_checks(session, row, design, new, random, {task.item for task in all_tasks})
    start = max((task.place for task in all_tasks), default=0) + 1
    session.add_all(
        TaskRow(
            id=secrets.token_hex(12),
            study=study,
            person=who.id,
            item=item,
            sentence=sentence,
            slot=slot,
            place=place,
            shown=list(shown),
            reclaimed=False,
        )
        for place, (item, sentence, slot, shown) in enumerate(new, start=start)
    )
    # What cannot be given now is not waited for.
    who.wanted = len(live) - sum(task.item in checks for task in live) + len(revived) + len(chosen) or None
    session.flush()
    return who


def save_answer(
    session: Session, person: int, task: str, judged: Sequence[tuple[int, int, str]], milliseconds: int
) -> bool:
    """Keep an answer if there is none yet; tells whether it was kept. The first statement decides who was first."""
    first = (
        update(TaskRow)
        .where(TaskRow.id == task, TaskRow.person == person, TaskRow.answered.is_(None))
        .values(answered=now(), milliseconds=milliseconds)
    )
    done: Any = session.execute(first)
    kept = bool(done.rowcount == 1)
    if kept:
        session.add_all(
            AnswerRow(task=task, position=position, condition=condition, answer=answer)
            for position, condition, answer in judged
        )
    session.execute(update(PersonRow).where(PersonRow.id == person).values(seen=now()))
    return kept


def take_back(session: Session, study: str, task: str) -> None:
    """A late answer to a task that was reclaimed: it gets its slot again if that is still free, and is an extra one if
    not."""
    take_turn(session, study)
    row = session.get_one(TaskRow, task)
    held = select(TaskRow.slot).where(TaskRow.slot.is_not(None))
    free = (
        select(SlotRow)
        .join(PersonRow, (PersonRow.study == SlotRow.study) & (PersonRow.simulated == SlotRow.simulated))
        .where(SlotRow.study == study, PersonRow.id == row.person, SlotRow.item == row.item, SlotRow.id.not_in(held))
    )
    for slot in session.scalars(free.order_by(SlotRow.number)):
        if slot.shown == row.shown:
            row.slot, row.reclaimed = slot.id, False
            return


def _deadline(design: StudyDesign) -> datetime:
    return now() - timedelta(minutes=design.reclaim_minutes)


def _reclaim(session: Session, row: StudyRow, design: StudyDesign, except_for: PersonRow) -> None:
    """Take open tasks from people who have given no sign of life for too long."""
    gone = select(PersonRow.id).where(
        PersonRow.study == row.id, PersonRow.seen < _deadline(design), PersonRow.id != except_for.id
    )
    session.execute(
        update(TaskRow)
        .where(TaskRow.person.in_(gone), TaskRow.answered.is_(None), TaskRow.slot.is_not(None))
        .values(slot=None, reclaimed=True)
        .execution_options(synchronize_session=False)
    )


def _free(session: Session, row: StudyRow, design: StudyDesign, simulated: bool) -> list[FreeSlot]:
    """Slots nobody holds. A study's first rehearsal makes the slots of rehearsals."""
    mine = (SlotRow.study == row.id, SlotRow.simulated.is_(simulated))
    if session.scalar(select(SlotRow.id).where(*mine).limit(1)) is None:
        wanted = [(item.id, item.sentence) for item in items(session, row.id, "task")]
        add_slots(session, row.id, slots_for(design, wanted, row.seed, simulated), simulated)
        session.flush()
    query = (
        select(SlotRow.id, SlotRow.item, SlotRow.sentence, SlotRow.shown)
        .outerjoin(TaskRow, TaskRow.slot == SlotRow.id)
        .where(*mine, TaskRow.id.is_(None))
        .order_by(SlotRow.id)
    )
    return [FreeSlot(id, item, sentence, tuple(shown)) for id, item, sentence, shown in session.execute(query)]


def slots_for(design: StudyDesign, wanted: Sequence[tuple[str, int]], seed: int, simulated: bool) -> list[Slot]:
    """A rehearsal draws anew: it must not foretell the study's own order."""
    return make_slots(design, wanted, seed + 1 if simulated else seed)


def _share(session: Session, row: StudyRow, design: StudyDesign, who: PersonRow, free: int) -> int:
    served = select(func.count()).select_from(PersonRow)
    served = served.where(
        PersonRow.study == row.id, PersonRow.simulated.is_(who.simulated), PersonRow.wanted.is_not(None)
    )
    return quota(design, free, session.scalar(served) or 0)


def _revive(reclaimed: list[TaskRow], free: list[FreeSlot], missing: int) -> list[TaskRow]:
    """Tasks that were taken from the person and that nobody else has got since: the same screens as before."""
    revived: list[TaskRow] = []
    left = {slot.id: slot for slot in free}
    for task in reclaimed:
        same = next((s for s in left.values() if s.item == task.item and list(s.shown) == task.shown), None)
        if same is None or len(revived) >= missing:
            continue
        task.slot, task.reclaimed = same.id, False
        del left[same.id]
        revived.append(task)
    return revived


def _hide_checks(
    session: Session,
    row: StudyRow,
    design: StudyDesign,
    new: list[Display],
    random: Random,
    met: set[str],
) -> list[Display]:
    """Attention checks among the tasks, displayed as these are."""
    checks: list[ItemRow] = [item for item in items(session, row.id, "attention") if item.id not in met]
    checks = random.sample(checks, min(design.attention_checks, len(checks)))
    mixed = list(new)
    for place, check in zip(with_checks(len(new), len(checks), random), checks, strict=False):
        shown = list(range(len(check.content["shows"])))
        if not check.content["fixed_order"]:
            random.shuffle(shown)
        mixed.insert(place, (check.id, check.sentence, None, tuple(shown)))
    return mixed
