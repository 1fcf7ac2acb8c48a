"""Reading what the service says, without a service."""

import json

import httpx
import pytest

from espalier.client.problems import refused
from espalier.client.wire import EventReader, pause_after


def lines(*events: dict[str, str]) -> list[str]:
    return [line for event in events for line in [*(f"{name}: {value}" for name, value in event.items()), ""]]


def test_events_are_read_with_their_names_ids_and_data() -> None:
    reader = EventReader()
    stream = lines(
        {"event": "status", "id": "1", "data": '{"status": "running"}'},
        {"event": "progress", "id": "2", "data": '{"evaluated": 3, "expected": null}'},
    )
    events = [event for line in stream if (event := reader.read(line)) is not None]
    assert [(event.name, event.id, event.data) for event in events] == [
        ("status", "1", {"status": "running"}),
        ("progress", "2", {"evaluated": 3, "expected": None}),
    ]


def test_data_over_several_lines_is_one_event() -> None:
    reader = EventReader()
    assert [reader.read(line) for line in ["data: {", 'data: "a": 1}']] == [None, None]
    event = reader.read("")
    assert event is not None
    assert event.data == {"a": 1}


def test_comments_that_keep_the_stream_open_say_nothing() -> None:
    reader = EventReader()
    assert [reader.read(line) for line in (": keep-alive", "", ":", "")] == [None] * 4


def test_an_event_that_was_cut_off_is_asked_for_again() -> None:
    reader = EventReader()
    for line in lines({"id": "7", "data": "{}"}):
        reader.read(line)
    reader.read("id: 8")
    reader.read('data: {"half"')
    assert reader.resume()["headers"]["Last-Event-ID"] == "7"


def answer(status: int, body: str, **headers: str) -> httpx.Response:
    request = httpx.Request("GET", "http://127.0.0.1/")
    return httpx.Response(status, content=body, headers=headers, request=request)


def test_a_problem_document_becomes_an_exception_with_its_code() -> None:
    document = {"type": "urn:espalier:problem:too-long", "title": "Too long", "status": 422, "detail": "too many words"}
    problem = refused(answer(422, json.dumps(document)))
    assert (problem.code, problem.status, problem.message) == ("too-long", 422, "too many words")
    assert pause_after(problem) is None


def test_a_busy_service_says_when_to_come_again() -> None:
    document = {"type": "urn:espalier:problem:busy", "status": 429, "detail": "the queue is full"}
    assert pause_after(refused(answer(429, json.dumps(document), **{"Retry-After": "7"}))) == 7


@pytest.mark.parametrize("body", ["<html>Bad gateway</html>", "[1]", "null", ""])
def test_what_is_not_a_problem_document_is_said_to_be_none(body: str) -> None:
    assert "without a problem document: got 502" in refused(answer(502, body)).message
