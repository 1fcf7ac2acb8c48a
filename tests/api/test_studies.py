"""A study from its design to its deletion, over REST and with real explanations."""

import csv
import io
import time
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from espalier.store.jobs import JobRow

DESIGN = {
    "title": "Which words tell?",
    "protocol": "coherence",
    "models": ["sst2-bow"],
    "methods": ["leave-one-out", "hedge"],
    "items": 5,
    "votes": 2,
    "items_per_person": 5,
    "filters": {"minimum_words": 4, "maximum_words": 9, "correctly_classified": True},
    "recruiting": {"providers": ["plain", "prolific"], "completion_code": "C0DE"},
    "seed": 11,
}


def until(found: Callable[[], dict[str, Any]], status: str) -> dict[str, Any]:
    deadline = time.monotonic() + 120
    while (document := found())["status"] == "preparing":
        assert time.monotonic() < deadline, document
        time.sleep(0.1)
    assert document["status"] == status, document
    return document


def jobs_of(client: TestClient, study: str) -> int:
    """Explanations kept for a study."""
    app: Any = client.app
    with app.state.store.read() as session:
        return len(session.scalars(select(JobRow).where(JobRow.client == f"study:{study}")).all())


@pytest.fixture
def study(client: TestClient) -> str:
    """Prepared, not published."""
    created = client.post("/v1/studies", json=DESIGN)
    assert created.status_code == 201, created.text
    address = created.headers["location"]
    until(lambda: client.get(address).json(), "ready")
    return str(created.json()["id"])


@pytest.mark.slow
def test_a_study_goes_from_its_design_to_its_deletion(client: TestClient, study: str) -> None:
    address = f"/v1/studies/{study}"
    document = client.get(address).json()
    assert document["preparation"]["kept"] == 5
    assert document["seed"] == 11
    assert document["links"]["prolific"].endswith(
        f"/s/{study}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}&SESSION_ID={{{{%SESSION_ID%}}}}"
    )
    items = [item for item in client.get(f"{address}/items").json()["items"] if item["kind"] == "task"]
    assert all(shown["prediction"] == item["label"] for item in items for shown in item["shown"])
    assert client.post("/v1/sessions", json={"study": study, "name": "early"}).json()["session"]["stage"] == "closed"

    assert client.post(f"{address}/publish").json()["status"] == "published"
    person = {"study": study, "parameters": {"PROLIFIC_PID": "prolific-person", "STUDY_ID": "s", "SESSION_ID": "t"}}
    joined = client.post("/v1/sessions", json=person).json()
    headers, session = {"Authorization": f"Bearer {joined['token']}"}, joined["session"]
    while session["stage"] != "finished":
        if session["stage"] in ("consent", "instructions"):
            session = client.post("/v1/session/stages", json={"stage": session["stage"]}, headers=headers).json()
            continue
        answers = {line["letter"]: "positive" for line in session["task"]["lines"]}
        body = {"task": session["task"]["id"], "answers": answers, "milliseconds": 5000}
        session = client.post("/v1/session/answers", json=body, headers=headers).json()["session"]
    assert session["completion"]["url"] == "https://app.prolific.com/submissions/complete?cc=C0DE"
    again = client.post("/v1/sessions", json=person).json()["session"]
    assert again["stage"] == "finished"

    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}/rows.csv").text)))
    tasks = [row for row in rows if row["kind"] == "task"]
    assert len(tasks) == 10
    by_method = {method: [row for row in tasks if row["method"] == method] for method in DESIGN["methods"]}
    results = client.get(f"{address}/results", params={"keep": "attention"}).json()
    for cell in results["coherence"]:
        if cell["method"] is not None:
            assert cell["coherent"]["count"] == sum(
                row["prediction"] == "positive" for row in by_method[cell["method"]]
            )
    assert "prolific-person" not in client.get(f"{address}/rows.csv").text
    assert "prolific-person" in client.get(f"{address}/rows.csv", params={"identities": True}).text
    assert "paragraph" in client.get(f"{address}/summary.csv").text

    left_out = client.patch(f"{address}/people/1", json={"excluded": True, "reason": "asked to be"}).json()
    assert "asked to be" in left_out["people"][0]["left_out"]
    assert client.get(f"{address}/results", params={"keep": "attention"}).json()["answers"] == 0
    client.patch(f"{address}/people/1", json={"excluded": False})
    assert client.get(f"{address}/results", params={"keep": "attention"}).json()["answers"] == 10

    assert jobs_of(client, study) >= 10
    assert client.delete(address).status_code == 204
    assert jobs_of(client, study) == 0
    assert client.get(address).status_code == 404
    assert client.get("/v1/session", headers=headers).status_code == 401


@pytest.mark.slow
def test_a_rehearsal_fills_the_study_without_touching_it(client: TestClient, study: str) -> None:
    address = f"/v1/studies/{study}"
    assert client.post(f"{address}/rehearsals", json={"people": 3, "error_rate": 0}).status_code == 202
    deadline = time.monotonic() + 120
    while client.get(f"{address}/results", params={"simulated": True}).json()["answers"] < 20:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    results = client.get(f"{address}/results", params={"simulated": True}).json()
    assert results["attention"]["share"] == 1
    assert "REHEARSAL" in results["paragraph"]
    assert client.get(f"{address}/results").json()["answers"] == 0
    assert all(row["simulated"] for row in client.get(f"{address}/rows.json", params={"simulated": True}).json())
    assert client.delete(f"{address}/rehearsals").status_code == 204
    assert client.get(address).json()["people"]["simulated"] == 0
    client.delete(address)


def test_what_cannot_be_prepared_says_why(client: TestClient) -> None:
    rows = {"kind": "rows", "rows": [{"text": "Fine."}]}
    created = client.post("/v1/studies", json=DESIGN | {"dataset": rows, "filters": {"minimum_words": 9}}).json()
    failed = until(lambda: client.get(f"/v1/studies/{created['id']}").json(), "failed")
    assert "1 by length" in failed["preparation"]["problem"]
    assert client.post(f"/v1/studies/{created['id']}/publish").status_code == 409


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"methods": ["nonsense"]}, "unknown method"),
        ({"models": ["nonsense"]}, "unknown model"),
        ({"models": ["sst2-bow", "topic-minilm"]}, "must have the same classes"),
        ({"models": ["sst2-cnn"], "methods": ["linear-shap"]}, "cannot explain sst2-cnn"),
        ({"protocol": "preference", "methods": ["hedge"]}, "needs two methods"),
        ({"recruiting": {"providers": ["prolific"]}}, "completion code"),
        ({"dataset": {"kind": "rows", "rows": [{"text": "Fine."}]}}, "needs labels"),
        ({"dataset": {"kind": "rows", "rows": [{"text": "Fine.", "label": "1"}]}}, "no label is a class"),
        ({"items": 2000, "votes": 100}, "too many votes"),
        ({"gold": [{"text": "Fine.", "phrase": "Fine", "answer": "good"}]}, "no such answer"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_design_that_cannot_work_is_refused_with_what_can(
    client: TestClient, change: dict[str, Any], says: str
) -> None:
    answer = client.post("/v1/studies", json=DESIGN | change)
    assert answer.status_code in (404, 422), answer.text
    assert says in answer.json()["detail"]


def test_a_dataset_can_be_looked_at_before_it_is_used(client: TestClient) -> None:
    file = {"kind": "file", "name": "a.tsv", "content": "text\tlabel\nFine.\tpositive\nNot so fine.\tnegative\n"}
    found = client.post("/v1/studies/datasets", json=file).json()
    assert (found["rows"], found["labels"]) == (2, {"positive": 1, "negative": 1})
