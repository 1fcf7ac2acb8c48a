"""Who comes from where."""

import pytest

from espalier.problems import BadParameter
from espalier.studies.design import Recruiting
from espalier.studies.providers import Identity, NameNeeded, Preview, completion, links, recognise, submit_address

MTURK = {"assignmentId": "3X", "hitId": "H", "workerId": "W", "turkSubmitTo": "https://workersandbox.mturk.com"}


def test_prolific_s_parameters_name_the_person() -> None:
    found = recognise({"PROLIFIC_PID": "p1", "STUDY_ID": "s", "SESSION_ID": "t", "utm": "x"}, None, "key")
    assert found == Identity("prolific", "p1", {"STUDY_ID": "s", "SESSION_ID": "t"})


def test_mturk_s_preview_is_nobody() -> None:
    assert isinstance(recognise(MTURK | {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}, None, "key"), Preview)


def test_an_mturk_worker_is_named_by_worker_not_by_assignment() -> None:
    found = recognise(MTURK, None, "key")
    assert isinstance(found, Identity)
    assert (found.source, found.name) == ("mturk", "W")


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example",
        "http://www.mturk.com",
        "https://www.mturk.com.evil.example",
        "https://www.mturk.com@evil.example",
        "https://www.mturk.com:444",
        "https://evil.example/https://www.mturk.com",
        "https://www.mturk.com/elsewhere",
        "//www.mturk.com",
        "javascript:alert(1)",
        "https://[",
        "",
    ],
)
def test_answers_are_submitted_to_mturk_and_nowhere_else(address: str) -> None:
    with pytest.raises(BadParameter, match="turkSubmitTo is not MTurk"):
        submit_address(address)
    with pytest.raises(BadParameter):
        recognise(MTURK | {"turkSubmitTo": address}, None, "key")


def test_mturk_s_two_hosts_are_submitted_to() -> None:
    assert submit_address("https://www.mturk.com") == "https://www.mturk.com/mturk/externalSubmit"
    assert submit_address("https://workersandbox.mturk.com/") == "https://workersandbox.mturk.com/mturk/externalSubmit"


def test_mturk_s_form_carries_the_assignment() -> None:
    found = recognise(MTURK, None, "key")
    assert isinstance(found, Identity)
    form = completion(found, Recruiting(), "receipt").form
    assert form is not None
    assert form.action == "https://workersandbox.mturk.com/mturk/externalSubmit"
    assert form.fields["assignmentId"] == "3X"


def test_prolific_is_returned_to_with_the_study_s_code() -> None:
    ending = completion(Identity("prolific", "p", {}), Recruiting(completion_code="C&1"), "receipt")
    assert ending.url == "https://app.prolific.com/submissions/complete?cc=C%261"


def test_a_plain_link_asks_for_a_name_and_knows_it_again() -> None:
    assert isinstance(recognise({}, None, "key"), NameNeeded)
    assert isinstance(recognise({}, "   ", "key"), NameNeeded)
    assert recognise({}, " Ada  Lovelace", "key") == recognise({"name": "ada lovelace"}, None, "key")


def test_names_that_cannot_be_printed_are_refused() -> None:
    with pytest.raises(BadParameter):
        recognise({"PROLIFIC_PID": "a\0b"}, None, "key")
    with pytest.raises(BadParameter):
        recognise({}, "a\0b", "key")


def test_a_rehearsal_needs_the_owner_s_link() -> None:
    found = recognise({"rehearsal": "key", "name": "r1"}, None, "key")
    assert isinstance(found, Identity)
    assert found.source == "simulated"
    with pytest.raises(BadParameter):
        recognise({"rehearsal": "guess", "name": "r1"}, None, "key")


def test_only_the_chosen_providers_get_links() -> None:
    found = links("https://a.org", "s1", Recruiting(providers=("prolific",)), "key")
    assert found.plain is None
    assert found.prolific is not None
    assert found.prolific.startswith("https://a.org/s/s1?PROLIFIC_PID={{%PROLIFIC_PID%}}&")
