"""Coming in, reserving and answering, on both databases: each promise is kept by the database, not by luck."""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import func, select, update
from tests.store.study_play import begin, come, play, published, reply

from espalier.problems import BadParameter
from espalier.store import Base, Store, open_store
from espalier.store.base import now
from espalier.store.studies.tables import AnswerRow, IdentityRow, PersonRow, TaskRow, TokenRow
from espalier.studies.design import Recruiting, StudyDesign
from espalier.studies.desk import AlreadyHere, AlreadyTookPart, Desk, NotFinished
from espalier.studies.office import Office
from espalier.studies.session import Answer

COHERENCE = StudyDesign(
    title="T",
    protocol="coherence",
    models=("a", "b"),
    methods=("x", "y", "z"),
    items=6,
    votes=2,
    items_per_person=3,
    attention_checks=1,
    seed=1,
)
PEOPLE = int(os.environ.get("ESPALIER_STUDY_PEOPLE", "18"))
"""The MAHE paper's 60 people judged 40 sentences; here come as many as are asked for, and judge in proportion."""

PREFERENCE = StudyDesign(
    title="T",
    protocol="preference",
    models=("a",),
    methods=("lime", "mahe"),
    items=PEOPLE * 2 // 3,
    votes=5,
    items_per_person=4,
    people=PEOPLE,
    attention_checks=0,
    seed=2,
)


@pytest.fixture
def patient(address: str) -> Iterator[Store]:
    """A store that waits as long as the service does."""
    opened = open_store(address)
    yield opened
    opened.close()


@pytest.fixture
def desk(patient: Store) -> Desk:
    return Desk(patient)


def count(store: Store, table: type[Base]) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def leave_for(store: Store, minutes: int) -> None:
    """Let everybody have been silent for so long."""
    with store.write() as session:
        session.execute(update(PersonRow).values(seen=now() - timedelta(minutes=minutes)))


def test_a_person_goes_through_all_stages_to_the_receipt(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    joined = come(desk, study, "Ada")
    assert joined.token is not None
    stages, session = [], joined.session
    while session.stage != "finished":
        stages.append(session.stage)
        if session.stage in ("consent", "instructions"):
            session = desk.finish(joined.token, session.stage)
        else:
            assert session.task is not None
            session = desk.answer(joined.token, reply(session.task)).session
    assert stages == ["consent", "instructions", "practice", "practice", "tasks", "tasks", "tasks", "tasks"]
    assert session.completion is not None
    assert session.completion.code
    assert desk.complete(joined.token) == session


@pytest.mark.slow
def test_fifty_people_in_the_same_second_get_balanced_tasks_and_no_text_twice(patient: Store, desk: Desk) -> None:
    study = published(patient, PREFERENCE.model_copy(update={"items": 40, "people": 60}))
    with ThreadPoolExecutor(50) as pool:
        list(pool.map(lambda number: begin(desk, study, f"p{number}"), range(50)))
    with patient.read() as session:
        tasks = list(session.scalars(select(TaskRow)))
        numbers = list(session.scalars(select(PersonRow.number)))
    assert sorted(numbers) == list(range(1, 51))
    by_person = Counter(task.person for task in tasks)
    assert set(by_person.values()) <= {3, 4}
    assert len({(task.person, task.sentence) for task in tasks}) == len(tasks)
    assert len({task.slot for task in tasks}) == len(tasks)
    votes = Counter(task.item for task in tasks)
    assert len(votes) == 40
    assert max(votes.values()) - min(votes.values()) <= 1
    first = Counter(task.shown[0] for task in tasks)
    assert abs(first[0] - first[1]) <= 10


def test_mahe_s_people_give_five_votes_an_item_and_judge_four_texts_at_most(patient: Store, desk: Desk) -> None:
    study = published(patient, PREFERENCE)
    random = Random(0)
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda number: play(desk, study, f"p{number}", random), range(PEOPLE)))
    assert max(len(screens) for screens in seen) == 4
    items = [item for item in Office(patient).items(study).items if item.kind == "task"]
    assert [item.votes for item in items] == [5] * PREFERENCE.items
    results = Office(patient).results(study)
    (found,) = results.preference
    assert (found.majorities.of, found.ties, results.people) == (PREFERENCE.items, 0, PEOPLE)
    assert found.test.exact_one_sided is not None
    assert come(desk, study, "late").session.stage == "full"


def test_the_same_person_coming_in_at_once_from_many_tabs_is_one_person(patient: Store, desk: Desk) -> None:
    design = PREFERENCE.model_copy(update={"recruiting": Recruiting(providers=("prolific",), completion_code="C1")})
    study = published(patient, design)
    with ThreadPoolExecutor(12) as pool:
        joined = list(pool.map(lambda _: come(desk, study, parameters={"PROLIFIC_PID": "p"}), range(12)))
    assert count(patient, PersonRow) == count(patient, IdentityRow) == 1
    assert len({each.token for each in joined}) == count(patient, TokenRow) == 12


def test_an_answer_sent_many_times_at_once_is_kept_once(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    token, session = begin(desk, study, "Ada")
    assert session.task is not None
    answers = [reply(session.task, Random(k)) for k in range(12)]
    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(lambda answer: desk.answer(token, answer), answers))
    assert [outcome.saved for outcome in outcomes].count(True) == 1
    kept = answers[[outcome.saved for outcome in outcomes].index(True)].answers
    with patient.read() as session_:
        rows = session_.execute(select(AnswerRow.position, AnswerRow.answer).where(AnswerRow.task == session.task.id))
        assert {"ABCDEF"[position - 1]: answer for position, answer in rows} == kept
    assert {outcome.session.task.id for outcome in outcomes if outcome.session.task} == {desk.session(token).task.id}


def test_going_back_and_answering_otherwise_changes_nothing(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    token, session = begin(desk, study, "Ada")
    assert session.task is not None
    first = reply(session.task)
    after = desk.answer(token, first)
    second = first.model_copy(update={"answers": dict.fromkeys(first.answers, "n/a")})
    assert after.saved
    again = desk.answer(token, second)
    assert not again.saved
    assert again.session == after.session
    with patient.read() as session_:
        assert set(session_.scalars(select(AnswerRow.answer))) == {"negative"}


def test_a_refresh_or_another_device_goes_on_where_it_stopped(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    token, session = begin(desk, study, "Ada")
    assert session.task is not None
    session = desk.answer(token, reply(session.task)).session
    assert desk.session(token) == session
    with pytest.raises(AlreadyHere):
        come(desk, study, "ada")
    assert come(desk, study, "ada", resume=True).session == session
    assert count(patient, PersonRow) == 1


def test_slots_of_people_who_left_go_to_others(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    for number in range(4):
        begin(desk, study, f"p{number}")
    assert come(desk, study, "early").session.stage == "full"
    leave_for(patient, 61)
    seen = play(desk, study, "late")
    assert len(seen) == 4


def test_who_comes_back_after_all_gets_the_same_tasks_if_nobody_took_them(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE.model_copy(update={"items": 30}))
    token, before = begin(desk, study, "Ada")
    leave_for(patient, 61)
    begin(desk, study, "Grace")
    after = desk.session(token)
    assert after.task is not None
    assert before.task is not None
    assert after.progress == before.progress
    with patient.read() as session:
        assert session.scalar(select(func.count()).where(TaskRow.reclaimed.is_(True))) == 0


@pytest.mark.slow
def test_a_late_answer_is_kept_as_an_extra_one_when_the_slot_is_taken(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE.model_copy(update={"items": 3, "votes": 1}))
    token, session = begin(desk, study, "slow")
    assert session.task is not None
    leave_for(patient, 61)
    play(desk, study, "quick")
    assert desk.answer(token, reply(session.task)).saved
    results = Office(patient).results(study)
    extra = next(rule for rule in results.exclusions if rule.rule == "extra")
    assert (extra.answers, extra.applied) == (6, True)
    assert Office(patient).study(study).votes.answered == 3


def test_a_late_answer_takes_its_slot_back_when_that_is_free(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE.model_copy(update={"attention_checks": 0}))
    token, session = begin(desk, study, "slow")
    assert session.task is not None
    with patient.write() as session_:
        session_.execute(update(TaskRow).values(slot=None, reclaimed=True))
    assert desk.answer(token, reply(session.task)).saved
    assert Office(patient).study(study).votes.answered == 1


def test_a_paused_study_lets_nobody_on_but_keeps_answers_that_are_on_their_way(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    token, session = begin(desk, study, "Ada")
    assert session.task is not None
    Office(patient).move(study, "pause")
    assert come(desk, study, "Grace").token is None
    outcome = desk.answer(token, reply(session.task))
    assert outcome.saved
    assert (outcome.session.stage, outcome.session.task) == ("paused", None)
    Office(patient).move(study, "publish")
    assert desk.session(token).stage == "tasks"


def test_a_preview_and_a_visit_without_a_name_store_nothing(patient: Store, desk: Desk) -> None:
    design = COHERENCE.model_copy(update={"recruiting": Recruiting(providers=("mturk", "plain"))})
    study = published(patient, design)
    preview = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "h", "turkSubmitTo": "https://www.mturk.com"}
    shown = come(desk, study, parameters=preview)
    assert (shown.token, shown.session.stage) == (None, "preview")
    assert shown.session.task is not None
    assert come(desk, study).session.stage == "name"
    assert count(patient, PersonRow) == count(patient, IdentityRow) == count(patient, TokenRow) == 0


def test_an_mturk_worker_takes_part_once_whatever_the_assignment(patient: Store, desk: Desk) -> None:
    design = COHERENCE.model_copy(update={"recruiting": Recruiting(providers=("mturk",))})
    study = published(patient, design)
    worker = {"assignmentId": "A1", "hitId": "h", "workerId": "w", "turkSubmitTo": "https://www.mturk.com"}
    joined = come(desk, study, parameters=worker)
    session = joined.session
    while session.stage != "finished":
        if session.stage in ("consent", "instructions"):
            session = desk.finish(joined.token, session.stage)
        else:
            session = desk.answer(joined.token, reply(session.task)).session
    assert session.completion.form.action == "https://www.mturk.com/mturk/externalSubmit"
    assert session.completion.form.fields["assignmentId"] == "A1"
    assert come(desk, study, parameters=worker).session.stage == "finished"
    with pytest.raises(AlreadyTookPart):
        come(desk, study, parameters=worker | {"assignmentId": "A2"})
    assert count(patient, PersonRow) == 1


def test_people_of_a_provider_that_was_not_chosen_are_refused(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    with pytest.raises(BadParameter, match="possible is plain"):
        come(desk, study, parameters={"PROLIFIC_PID": "p"})


def test_nobody_can_complete_early_or_answer_for_another(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    token, session = begin(desk, study, "Ada")
    other, _ = begin(desk, study, "Grace")
    assert session.task is not None
    with pytest.raises(NotFinished):
        desk.complete(token)
    with pytest.raises(Exception, match="no such task"):
        desk.answer(other, Answer(task=session.task.id, answers={}, milliseconds=1))


@pytest.mark.slow
def test_a_rehearsal_takes_no_votes_from_the_study(patient: Store, desk: Desk) -> None:
    study = published(patient, COHERENCE)
    office = Office(patient)
    key = office.study(study).links.rehearsal.partition("rehearsal=")[2]
    joined = come(desk, study, parameters={"rehearsal": key, "name": "r1"})
    assert joined.session.study.simulated
    token, session = joined.token, joined.session
    while session.stage != "finished":
        if session.stage in ("consent", "instructions"):
            session = desk.finish(token, session.stage)
        else:
            session = desk.answer(token, reply(session.task)).session
    document = office.study(study)
    assert (document.votes.answered, document.people.arrived, document.people.simulated) == (0, 0, 1)
    assert office.results(study).answers == 0
    assert office.results(study, simulated=True, keep=["attention"]).answers == 18
    office.forget_rehearsals(study)
    assert office.results(study, simulated=True, keep=["attention"]).answers == 0
    assert len(play(desk, study, "real")) == 4


def test_deleting_a_study_leaves_nothing_of_it(patient: Store, desk: Desk) -> None:
    study, other = published(patient, COHERENCE), published(patient, PREFERENCE)
    play(desk, study, "Ada")
    play(desk, other, "Ada")
    Office(patient).delete(study)
    with patient.read() as session:
        for table in Base.metadata.sorted_tables:
            if "study" in table.columns:
                assert session.scalar(select(func.count()).select_from(table).where(table.c.study == study)) == 0
    assert count(patient, AnswerRow) in (3, 4)
    assert count(patient, TokenRow) == 1
    with pytest.raises(Exception, match="no such study"):
        Office(patient).study(study)
