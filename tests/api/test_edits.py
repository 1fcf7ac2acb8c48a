"""A model that is edited while the service runs: in the catalog at once, asked like any other, and gone when undone.
Made by the command elsewhere, or by /v1/edits, with a real worker beside the process that makes it."""

import csv
import io
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient

from espalier.models.catalog import catalog
from espalier.models.edited import keep, network
from espalier.models.families import load_in_full
from espalier.settings import settings

TEXT = "A lovely, warm film."


def edited(name: str, of: str) -> Path:
    """An edit of a bag of words, all of whose weights point the other way."""
    source = catalog().source(of)
    before, after = (load_in_full(source, torch.device("cpu")) for _ in range(2))
    with torch.no_grad():
        for weights in network(after).parameters():
            weights.neg_()
    folder = settings().edits / name
    keep(folder, source, before, after, {"words": ["not", "good"]})
    return folder


def test_an_edit_is_a_model_of_the_running_service_until_it_is_undone(client: TestClient) -> None:
    before = client.get("/v1/catalog").json()["models"]
    original = next(each for each in before if each["name"] == "sst2-bow")
    folder = edited("turned-round", "sst2-bow")
    try:
        *others, last = client.get("/v1/catalog").json()["models"]
        assert [each["name"] for each in others] == [each["name"] for each in before]
        assert last["name"] == "turned-round"
        assert (last["family"], last["classes"]) == (original["family"], original["classes"])
        assert last["title"] == "Sentiment, bag of words, edited"
        assert "“not … good”" in last["description"]
        assert str(settings().data) not in client.get("/v1/catalog").text
        answers = [
            client.post("/v1/predictions", json={"model": name, "text": TEXT}).json()["label"]
            for name in ("sst2-bow", "turned-round")
        ]
        assert answers == ["positive", "negative"]
        asked = {"model": "turned-round", "text": TEXT, "method": "leave-one-out"}
        explained = client.post("/v1/explanations", json=asked, headers={"Prefer": "wait=60"})
        assert explained.json()["explanation"]["classes"][explained.json()["explanation"]["target"]] == "negative"
    finally:
        shutil.rmtree(folder)
    assert client.get("/v1/catalog").json()["models"] == before
    refused = client.post("/v1/predictions", json={"model": "turned-round", "text": TEXT})
    assert refused.status_code == 404
    assert "sst2-bow" in refused.json()["detail"]


EDITED = "This is not a good film."
ROWS = [
    {"text": "=not very good at all.", "label": "negative"},
    {"text": "The plot is not good.", "label": "0"},
    {"text": "Not half as good.", "label": "negative"},
    {"text": "The jokes are bad.", "label": "negative"},
    {"text": "A lovely, warm film.", "label": "positive"},
    {"text": "A fine one.", "label": "1"},
]
DESIGN: dict[str, Any] = {
    "title": "A small edit",
    "model": "sst2-cnn",
    "words": ["not", "good"],
    "text": EDITED,
    "dataset": {"kind": "rows", "rows": ROWS},
    "rate": 1e-3,
    "steps": 60,
    "draws": 200,
}


def names(client: TestClient) -> list[str]:
    return [each["name"] for each in client.get("/v1/catalog").json()["models"]]


@pytest.fixture(scope="module")
def made(client: TestClient) -> Iterator[dict[str, Any]]:
    """An edit that was asked for, at its end. Nobody else waits for it: everything is answered meanwhile."""
    before = names(client)
    answer = client.post("/v1/edits", json=DESIGN)
    assert answer.status_code == 202, answer.text
    document: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/v1/edits/{document['id']}"
    assert document["model"] is None
    deadline = time.monotonic() + 300
    seen = set()
    while document["status"] == "running":
        assert time.monotonic() < deadline
        told = client.post("/v1/predictions", json={"model": "sst2-cnn", "text": TEXT})
        assert (told.status_code, told.json()["label"]) == (200, "positive")
        assert names(client) in (before, [*before, f"sst2-cnn-not-good-{document['id'][:8]}"])
        seen.add(document["doing"])
        document = client.get(f"/v1/edits/{document['id']}").json()
    assert "beginning" in seen
    yield document
    # Whatever failed: on this process others come that count the models.
    client.delete(f"/v1/edits/{document['id']}")


def test_an_edit_is_made_in_the_background_and_is_a_model_of_the_catalog(
    client: TestClient, made: dict[str, Any]
) -> None:
    assert (made["status"], made["problem"], made["doing"]) == ("finished", None, None)
    assert made["done"] == made["total"] > 0
    assert made["design"]["dataset"] == {"kind": "kept", "name": "rows", "rows": 6}
    assert (made["texts"], made["tested"]) == (6, 3)
    listed = client.get("/v1/catalog").json()["models"][-1]
    assert (listed["name"], listed["title"], listed["family"]) == (made["model"], "A small edit", "cnn")
    asked = {"model": made["model"], "text": EDITED, "method": "leave-one-out"}
    answered = client.post("/v1/explanations", json=asked, headers={"Prefer": "wait=60"})
    assert answered.json()["status"] == "succeeded", answered.text


def test_it_is_listed_with_the_other_edits_and_with_no_other_runs(client: TestClient, made: dict[str, Any]) -> None:
    listed = client.get("/v1/edits").json()
    assert made["id"] in [each["id"] for each in listed["edits"]]
    (model,) = [each for each in listed["models"] if each["edit"] == made["id"]]
    assert (model["name"], model["of"], model["words"]) == (made["model"], "sst2-cnn", ["not", "good"])
    assert (model["text"], model["target"], model["strength"]) == (EDITED, "positive", 3.0)
    assert listed["refused"] is None
    assert str(settings().data) not in client.get("/v1/edits").text
    for other in ("evaluations", "diagnoses"):
        assert made["id"] not in client.get(f"/v1/{other}").text
        assert client.get(f"/v1/{other}/{made['id']}").status_code == 404


def test_results_have_the_term_the_shares_and_what_it_cost(client: TestClient, made: dict[str, Any]) -> None:
    answer = client.get(f"/v1/edits/{made['id']}/results")
    found = answer.json()
    assert found["here_before"] < 0 < found["here_after"]
    assert (found["before"]["of"], found["after"]["of"]) == (3, 3)
    turned = [each["after"] > 0 for each in found["occurrences"] if each["before"] < 0]
    assert (found["turned"]["count"], found["turned"]["of"]) == (sum(turned), len(turned))
    assert found["turned"]["low"] <= found["turned"]["share"] <= found["turned"]["high"]
    accuracy = found["accuracy"]
    lost = 100 * (accuracy["before"]["count"] - accuracy["after"]["count"]) / 3
    assert accuracy["lost"]["mean"] == pytest.approx(lost)
    assert "We edited sst2-cnn at “not … good” in one text" in found["paragraph"]
    assert str(settings().data) not in answer.text


def test_rows_and_numbers_can_be_taken_home_and_are_no_formulas(client: TestClient, made: dict[str, Any]) -> None:
    path = f"/v1/edits/{made['id']}"
    rows = list(csv.DictReader(io.StringIO(client.get(f"{path}/rows.csv").text, newline="")))
    assert [row["sentence"] for row in rows] == ["'=not very good at all.", ROWS[1]["text"], ROWS[2]["text"]]
    results = client.get(f"{path}/results").json()
    exact = client.get(f"{path}/rows.json").json()
    assert [row["term_after"] for row in exact] == [each["after"] for each in results["occurrences"]]
    table = {each["number"]: each for each in client.get(f"{path}/table.json").json()}
    assert table["points lost"]["value"] == results["accuracy"]["lost"]["mean"]
    assert table["term in the edited text, after"]["value"] == results["here_after"]


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        ({"model": "sst2-bow"}, 422, "adds up its words"),
        ({"model": "word-lstm-lm"}, 422, "cannot be taught"),
        ({"words": ["not", "zebra"]}, 422, "the text does not have not … zebra"),
        ({"words": ["is", "film"]}, 422, "no text with is … film"),
        ({"words": ["not"]}, 422, "words"),
        ({"strength": 1}, 422, "strength"),
        ({"name": "../x"}, 422, "name"),
        ({"dataset": {"kind": "file", "name": "a.tsv", "content": "title\nx\n"}}, 422, "no column text"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(
    client: TestClient, change: dict[str, Any], status: int, said: str
) -> None:
    for path in ("/v1/edits", "/v1/edits/plan"):
        answer = client.post(path, json=DESIGN | change)
        assert (answer.status_code, said in answer.text) == (status, True), answer.text


def test_a_plan_says_the_price_and_begins_nothing(client: TestClient) -> None:
    before = len(client.get("/v1/edits").json()["edits"])
    said = client.post("/v1/edits/plan", json=DESIGN).json()
    assert (said["matching"], said["asked"], said["labelled"]) == (3, 3, 3)
    assert said["evaluations"] > 0
    assert said["most_megabytes"] == settings().worker_limits.hard_memory // 10**6
    assert len(client.get("/v1/edits").json()["edits"]) == before


def test_an_edit_is_undone_and_its_run_deleted(client: TestClient, made: dict[str, Any]) -> None:
    """The last one of this file: what is undone is gone for good."""
    path = f"/v1/edits/{made['id']}"
    assert client.delete(f"/v1/edits/models/{made['model']}").status_code == 204
    assert made["model"] not in names(client)
    assert client.get(path).json()["model"] is None
    assert client.get(f"{path}/results").status_code == 200
    again = client.delete(f"/v1/edits/models/{made['model']}")
    assert (again.status_code, "unknown edit" in again.json()["detail"]) == (404, True)
    refused = client.post("/v1/predictions", json={"model": made["model"], "text": TEXT})
    assert refused.status_code == 404
    assert client.delete(path).status_code == 204
    for gone in (path, f"{path}/results", f"{path}/rows.csv"):
        assert client.get(gone).status_code == 404
    assert client.delete("/v1/edits/models/..%2f..%2fmodels").status_code == 404
    assert client.delete("/v1/edits/models/sst2-cnn").status_code == 404
