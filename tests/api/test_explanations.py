"""Explanations as jobs, with a real worker and a real store."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx import Response

from espalier.api.documents import JobDocument, PartialEvent, PreparedDocument
from espalier.findings.document import document
from espalier.library import explain

SENTENCE = "The music is lovely, but the film is not."
REVIEW = (
    "I went in expecting nothing. The first half hour is slow, and the music does not help at all. But then the "
    "daughter comes home, and from that scene on the film never puts a foot wrong. There are faults."
)
LONG = "A film with lovely music, a marvellous cast and no plot at all is not what I would call entertaining. " * 3


def ask(client: TestClient, query: str = "", headers: dict[str, str] | None = None, **fields: Any) -> Response:
    return client.post(f"/v1/explanations{query}", json={"model": "sst2-bow"} | fields, headers=headers)


def explained(client: TestClient, **fields: Any) -> dict[str, Any]:
    answer = ask(client, headers={"Prefer": "wait=60"}, **fields)
    assert answer.status_code == 200
    document: dict[str, Any] = answer.json()
    assert document["status"] == "succeeded", document["problem"]
    return document


def stream(client: TestClient, identity: str, after: str | None = None) -> list[dict[str, Any]]:
    headers = {} if after is None else {"Last-Event-ID": after}
    text = client.get(f"/v1/explanations/{identity}/events", headers=headers).text
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    events = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [{"event": each["event"], "id": int(each["id"]), "data": json.loads(each["data"])} for each in events]


def test_an_accepted_job_says_where_it_is_and_ends_there(client: TestClient) -> None:
    answer = ask(client, text="An accepted film.", method="leave-one-out")
    assert answer.status_code == 202
    place = answer.headers["location"]
    assert place == f"/v1/explanations/{answer.json()['id']}"
    stream(client, answer.json()["id"])
    job = client.get(place).json()
    assert job["status"] == "succeeded"
    assert JobDocument.model_validate(job).explanation is not None


def test_the_service_explains_as_the_library_does(client: TestClient) -> None:
    found = explained(client, text=SENTENCE, model="sst2-minilm", method="ls-tree")["explanation"]
    truth = document(explain(SENTENCE, "sst2-minilm", "ls-tree"))
    for timing in ("seconds", "evaluations", "provenance"):
        assert found.pop(timing)
        truth.pop(timing)
    assert found["finding"]
    assert found == truth


def test_a_long_text_is_opened_level_by_level(client: TestClient) -> None:
    """What the parts of a sentence add up to is what it has in the text; and so for a phrase in the sentence."""

    def level(**fields: Any) -> dict[str, Any]:
        found: dict[str, Any] = explained(
            client, text=REVIEW, model="sst2-cnn", method="shap", players="nested", **fields
        )["explanation"]
        return found

    above = level()
    assert (above["player_kind"], above["levels"][0]["kind"]) == ("sentences", "text")
    for depth, kind in ((1, "sentence"), (2, "phrase")):
        longest = max(above["players"], key=lambda player: player["end"] - player["start"])
        whole = above["result"]["values"][above["players"].index(longest)]
        inside = level(open=[longest["start"], longest["end"]])
        assert sum(inside["result"]["values"]) == pytest.approx(whole, abs=1e-9)
        assert inside["levels"][depth]["kind"] == kind
        assert inside["levels"][depth]["value"] == pytest.approx(whole, abs=1e-12)
        assert [inside["players"][0]["start"], inside["players"][-1]["end"]] == [longest["start"], longest["end"]]
        above = inside


@pytest.mark.parametrize("method", ["ls-tree", "hedge", "asiv", "mahe"])
def test_every_view_of_a_level_has_its_parts_for_players(client: TestClient, method: str) -> None:
    top = explained(client, text=REVIEW, model="sst2-cnn", method=method, players="nested")["explanation"]
    assert [player["kind"] for player in top["levels"][0]["parts"]] == ["sentence"] * 4
    assert len(top["players"]) == 4


def test_the_same_request_twice_gives_the_same_bytes(client: TestClient) -> None:
    first = explained(client, text="The same film twice.", method="shap")
    again = ask(client, text="The same film twice.", method="shap")
    assert again.status_code == 200
    document = client.get(f"/v1/explanations/{first['id']}").content
    assert _explanation_bytes(again.content) == _explanation_bytes(document)
    assert again.json()["id"] != first["id"]


def _explanation_bytes(document: bytes) -> bytes:
    return document[document.index(b'"explanation":') :]


def test_a_change_of_any_setting_is_another_explanation(client: TestClient) -> None:
    base = {"text": "Settings of a film.", "method": "lime"}
    explained(client, **base)
    for change in ({"seed": 1}, {"scale": "logit"}, {"target": "negative"}, {"parameters": {"samples": 50}}):
        assert ask(client, **base, **change).status_code == 202


@pytest.mark.slow
def test_events_tell_the_whole_story_in_order(client: TestClient) -> None:
    identity = ask(client, text=SENTENCE, model="sst2-minilm", method="asiv").json()["id"]
    events = stream(client, identity)
    assert [each["id"] for each in events] == sorted({each["id"] for each in events})
    names = [each["event"] for each in events]
    assert names[0] == "status"
    assert names[-1] == "finished"
    assert {"prepared", "progress"} <= set(names)
    prepared = next(each["data"] for each in events if each["event"] == "prepared")
    PreparedDocument.model_validate(prepared)
    for each in events:
        if each["event"] == "partial":
            PartialEvent.model_validate(each["data"])
    last = events[-1]["data"]
    assert {name: last["explanation"][name] for name in prepared} == prepared
    assert last == client.get(f"/v1/explanations/{identity}").json()


def test_a_stream_goes_on_after_the_last_event_it_had(client: TestClient) -> None:
    identity = ask(client, text="A stream of a film.", model="sst2-minilm", method="hedge").json()["id"]
    events = stream(client, identity)
    resumed = stream(client, identity, after=str(events[0]["id"]))
    assert [each["event"] for each in resumed] == ["finished"]
    assert resumed[0]["data"] == events[-1]["data"]


def test_a_cancelled_job_stays_cancelled(client: TestClient) -> None:
    identity = ask(client, text=LONG, model="sst2-minilm", method="asiv").json()["id"]
    assert client.delete(f"/v1/explanations/{identity}").json()["status"] == "cancelled"
    assert client.get(f"/v1/explanations/{identity}").json()["status"] == "cancelled"
    assert [each["data"]["status"] for each in stream(client, identity)] == ["cancelled"]


def test_cancelling_what_has_finished_changes_nothing(client: TestClient) -> None:
    identity = explained(client, text="A finished film.", method="leave-one-out")["id"]
    assert client.delete(f"/v1/explanations/{identity}").json()["status"] == "succeeded"


def test_an_idempotency_key_gives_the_same_job(client: TestClient) -> None:
    key = {"Idempotency-Key": "7e57"}
    first = ask(client, headers=key, text="One film.", method="hedge").json()["id"]
    assert ask(client, headers=key, text="One film.", method="hedge").json()["id"] == first
    answer = ask(client, headers=key, text="Another film.", method="hedge")
    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:espalier:problem:idempotency-key-reused"


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"text": ""}, 422, "empty text"),
        ({"text": "A film.", "model": "nobody"}, 404, "sst2-minilm"),
        ({"text": "A film.", "method": "magic"}, 404, "ls-tree"),
        ({"text": "A film.", "target": "purple"}, 404, "positive"),
        ({"text": "A film.", "method": "shap", "parameters": {"colour": 1}}, 422, "colour"),
        ({"text": "A film. A cast.", "method": "shap", "players": "nested", "open": [1, 4]}, 422, "[0, 3], [3, 6]"),
        ({"text": "A film. A cast.", "method": "shap", "open": [0, 3]}, 422, "players = nested"),
        ({"text": "good " * 150, "method": "asiv"}, 422, "phrases or sentences"),
        ({"text": "good " * 2000, "model": "sst2-minilm"}, 422, "512"),
        ({"text": "A film.", "method": "linear-shap", "model": "sst2-minilm"}, 422, "sst2-bow"),
    ],
)
def test_what_cannot_be_done_is_refused_before_it_is_accepted(
    client: TestClient, fields: dict[str, Any], status: int, said: str
) -> None:
    answer = ask(client, **fields)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert said in answer.json()["detail"]


def test_an_unknown_job_is_not_found(client: TestClient) -> None:
    for path in ("/v1/explanations/nothing", "/v1/explanations/nothing/events"):
        assert client.get(path).status_code == 404
        assert client.get(path).json()["type"] == "urn:espalier:problem:not-found"
    assert client.delete("/v1/explanations/nothing").status_code == 404


def test_the_catalog_says_what_can_be_asked(client: TestClient) -> None:
    catalog = client.get("/v1/catalog").json()
    methods = {each["name"]: each for each in catalog["methods"]}
    assert methods["ls-tree"]["needs_tree"]
    assert methods["linear-shap"]["models"] == ["sst2-bow", "imdb-bow"]
    assert "samples" in methods["lime"]["parameters"]["properties"]
    models = {each["name"]: each for each in catalog["models"]}
    assert models["sst2-minilm"]["classes"] == ["negative", "positive"]
    kinds = {each["kind"] for each in catalog["samples"]}
    assert {each["examples"] for each in catalog["models"]} - {None} <= kinds
