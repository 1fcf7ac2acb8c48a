"""A list of people takes work in proportion to them."""

import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any

from tests.store.study_play import published

from espalier.store import Store, open_store
from espalier.store.base import now
from espalier.store.studies.tables import AnswerRow, PersonRow, TaskRow
from espalier.studies.design import StudyDesign
from espalier.studies.office import Office
from espalier.studies.records import owner

TraceFunction = Callable[[FrameType, str, Any], Any]

DESIGN = StudyDesign(title="T", protocol="preference", models=("a",), methods=("x", "y"), items=4, attention_checks=0)


def crowd(store: Store, people: int) -> str:
    study = published(store, DESIGN)
    with store.write() as session:
        items = owner.items(session, study, "task")
        for number in range(1, people + 1):
            person = PersonRow(
                study=study, simulated=False, number=number, stage="tasks", receipt="r", joined=now(), seen=now()
            )
            session.add(person)
            session.flush()
            for item in items:
                task = f"{number}x{item.sentence}"
                session.add(
                    TaskRow(
                        id=task,
                        study=study,
                        person=person.id,
                        item=item.id,
                        sentence=item.sentence,
                        place=item.sentence,
                        shown=[0, 1],
                        answered=now() + timedelta(seconds=number),
                        milliseconds=1000,
                    )
                )
                session.flush()
                session.add(AnswerRow(task=task, position=1, condition=0, answer="A"))
    return study


def lines(folder: Path, people: int) -> int:
    """How many lines of the house's code a list of people runs through, loops counted each time around."""
    store = open_store(f"sqlite:///{folder}/{people}.sqlite")
    office, study = Office(store), crowd(store, people)
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        nonlocal count
        if "/espalier/" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = office.people(study)
    finally:
        sys.settrace(before)
    assert [person.answered for person in found.people] == [4] * people
    store.close()
    return count


def test_six_times_the_people_take_about_six_times_the_work(tmp_path: Path) -> None:
    assert lines(tmp_path, 600) < 7 * lines(tmp_path, 100)
