"""Nobody takes part as somebody else, on both databases."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from sqlalchemy import event, update
from tests.store.study_play import come, published
from tests.studies.prolific_signer import Signer

from espalier.problems import BadParameter, Problem
from espalier.store import Store, open_store
from espalier.store.base import now
from espalier.store.studies.tables import TokenRow
from espalier.studies.design import Recruiting, StudyDesign
from espalier.studies.desk import AlreadyHere, Desk
from espalier.studies.documents import LinksWanted
from espalier.studies.joins import Joins, TooManyJoins
from espalier.studies.office import Office
from espalier.studies.proofs import BadProof, ProlificKeys, ProofNeeded
from espalier.studies.providers import Visitor
from espalier.studies.reception import AnotherSession, Reception
from espalier.studies.records.people import UnknownToken
from espalier.studies.session import Join

DESIGN = StudyDesign(
    title="T", protocol="preference", models=("a",), methods=("x", "y"), items=6, attention_checks=0, seed=1
)
PROLIFIC = {"PROLIFIC_PID": "victim", "STUDY_ID": "s1", "SESSION_ID": "t1"}


@pytest.fixture
def patient(address: str) -> Iterator[Store]:
    opened = open_store(address)
    yield opened
    opened.close()


@pytest.fixture
def desk(patient: Store) -> Desk:
    return Desk(patient)


def open_to(store: Store, **recruiting: object) -> str:
    given = Recruiting.model_validate({"completion_code": "C1"} | recruiting)
    return published(store, DESIGN.model_copy(update={"recruiting": given}))


def doubts(store: Store, study: str) -> tuple[dict[str, int], dict[str, int]]:
    """Of the first person, and of those who were refused: how often what."""
    found = Office(store).people(study)
    person = {each.reason: each.times for each in found.people[0].doubts} if found.people else {}
    return person, {each.reason: each.times for each in found.refused}


def test_a_prolific_id_alone_does_not_open_the_session_of_whom_it_names(patient: Store, desk: Desk) -> None:
    study = open_to(patient, providers=("prolific",))
    assert come(desk, study, parameters=PROLIFIC).token is not None
    for guess in ({}, {"SESSION_ID": "other"}):
        with pytest.raises(AnotherSession):
            come(desk, study, parameters={"PROLIFIC_PID": "victim"} | guess)
    assert come(desk, study, parameters=PROLIFIC).token is not None
    assert doubts(patient, study)[0] == {"another-session": 2}


def test_where_links_must_be_signed_an_id_alone_opens_nothing(patient: Store, tmp_path: Path) -> None:
    signer = Signer(tmp_path)
    desk = Desk(patient, Reception(patient, prolific=ProlificKeys(str(signer.published))))
    study = open_to(patient, providers=("prolific", "plain"), signed=True, prolific_study="s1")

    def comes(**parameters: str) -> str | None:
        return desk.join(Join(study=study, parameters=parameters), Visitor("192.0.2.1", "Demo.example")).token

    with pytest.raises(ProofNeeded):
        comes(**PROLIFIC)
    with pytest.raises(ProofNeeded):
        comes(name="Ada")
    with pytest.raises(ProofNeeded):
        comes()
    with pytest.raises(BadProof):
        comes(prolific_token=signer.token("evil.example"))
    with pytest.raises(BadProof):
        comes(prolific_token=signer.token("demo.example", prolific={"PROLIFIC_PID": "ada", "STUDY_ID": "s2"}))
    assert comes(prolific_token=signer.token("https://demo.example")) is not None
    again = {"PROLIFIC_PID": "ada", "STUDY_ID": "s1", "SESSION_ID": "another submission"}
    assert comes(prolific_token=signer.token("demo.example", prolific=again)) is not None
    assert Office(patient).study(study).people.arrived == 1
    assert doubts(patient, study) == ({}, {"bad-proof": 2, "no-proof": 3})


def test_a_link_made_for_a_person_lets_them_back_in_and_nobody_else(patient: Store, desk: Desk) -> None:
    study = open_to(patient, providers=("plain",))
    made = Office(patient, "https://demo.example").links(study, LinksWanted(names=["Ada"], days=1))
    (link,) = made.links
    own = dict(parse_qsl(link.address.partition("?")[2]))
    assert link.address.startswith(f"https://demo.example/s/{study}?name=ada&")
    assert come(desk, study, parameters=own).token is not None
    assert come(desk, study, parameters=own).token is not None
    for trick in ({"name": "ada"}, {"name": "ada", "resume": True}, {"parameters": {"name": "Ada"}}):
        with pytest.raises(ProofNeeded):
            come(desk, study, **trick)
    assert doubts(patient, study)[0] == {"no-proof": 3}


def test_coming_back_under_a_mere_name_is_told_to_the_owner(patient: Store, desk: Desk) -> None:
    study = open_to(patient, providers=("plain",))
    come(desk, study, "Ada")
    with pytest.raises(AlreadyHere):
        come(desk, study, "Ada")
    assert doubts(patient, study)[0] == {}
    come(desk, study, "Ada", resume=True)
    assert doubts(patient, study)[0] == {"by-name": 1}


def test_an_mturk_worker_with_another_assignment_is_told_to_the_owner(patient: Store, desk: Desk) -> None:
    study = open_to(patient, providers=("mturk",))
    worker = {"assignmentId": "A1", "hitId": "h", "workerId": "w", "turkSubmitTo": "https://www.mturk.com"}
    come(desk, study, parameters=worker)
    come(desk, study, parameters=worker | {"assignmentId": "A2"})
    assert doubts(patient, study)[0] == {"another-assignment": 1}


def test_mturk_cannot_be_asked_for_signed_links(patient: Store) -> None:
    with pytest.raises(Problem, match="MTurk does not sign"):
        open_to(patient, providers=("mturk",), signed=True)


def test_one_address_cannot_fill_a_study_with_invented_people(patient: Store) -> None:
    desk = Desk(patient, Reception(patient, Joins(3)))
    study = open_to(patient, providers=("plain",))
    for number in range(3):
        desk.join(Join(study=study, name=f"n{number}"), Visitor("192.0.2.1"))
    for number in range(3, 6):
        with pytest.raises(TooManyJoins):
            desk.join(Join(study=study, name=f"n{number}"), Visitor("192.0.2.1"))
    assert desk.join(Join(study=study, name="elsewhere"), Visitor("192.0.2.2")).token is not None
    assert doubts(patient, study)[1] == {"too-many": 1}
    key = Office(patient).study(study).links.rehearsal.partition("rehearsal=")[2]
    rehearsing = Join(study=study, parameters={"rehearsal": key, "name": "r"})
    assert desk.join(rehearsing, Visitor("192.0.2.1")).token is not None


def test_a_token_runs_out(patient: Store, desk: Desk) -> None:
    study = open_to(patient, providers=("plain",))
    token = come(desk, study, "Ada").token
    assert token is not None
    assert desk.session(token).stage == "consent"
    with patient.write() as session:
        session.execute(update(TokenRow).values(created=now() - timedelta(days=15)))
    with pytest.raises(UnknownToken):
        desk.session(token)
    fresh = come(desk, study, "Ada", resume=True).token
    assert fresh is not None
    assert desk.session(fresh).stage == "consent"


def test_guesses_at_a_rehearsal_are_counted(patient: Store) -> None:
    desk = Desk(patient, Reception(patient, Joins(3)))
    study = open_to(patient, providers=("plain",))
    for number in range(3):
        with pytest.raises(BadParameter, match="no link to a rehearsal"):
            desk.join(Join(study=study, parameters={"rehearsal": f"guess {number}"}), Visitor("192.0.2.1"))
    for guess in ("guess", ""):
        with pytest.raises(TooManyJoins):
            desk.join(Join(study=study, parameters={"rehearsal": guess}), Visitor("192.0.2.1"))


def test_nothing_of_a_study_is_read_for_whoever_comes_too_often(patient: Store) -> None:
    desk = Desk(patient, Reception(patient, Joins(1)))
    study = open_to(patient, providers=("plain",))
    desk.join(Join(study=study, name="n"), Visitor("192.0.2.1"))
    with pytest.raises(TooManyJoins):  # the first one is noted for the owner
        desk.join(Join(study=study, name="n"), Visitor("192.0.2.1"))
    asked: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        asked.append(statement)

    event.listen(patient.engine, "before_cursor_execute", hear)
    with pytest.raises(TooManyJoins):
        desk.join(Join(study=study, name="n"), Visitor("192.0.2.1"))
    event.remove(patient.engine, "before_cursor_execute", hear)
    read = [statement for statement in asked if "studies" in statement or "study_items" in statement]
    assert len(read) == 1
    assert "design" not in read[0]
