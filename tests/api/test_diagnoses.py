"""/v1/diagnoses on the service with a real worker."""

import csv
import io
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

TEXTS = ["A lovely , warm film , but long .", "It is not good .", "Dull , yet fun !", "=1+1 is not a fine film ."]
DESIGN: dict[str, Any] = {
    "title": "A small diagnosis",
    "dataset": {"kind": "rows", "rows": [{"text": text, "label": "positive"} for text in TEXTS]},
    "models": ["sst2-cnn", "sst2-bow"],
    "diagnostics": ["linearity", "depth", "contrast"],
    "linear": "sst2-bow",
}


def until_ended(client: TestClient, document: dict[str, Any]) -> dict[str, Any]:
    deadline = time.monotonic() + 300
    while document["status"] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
        document = client.get(f"/v1/diagnoses/{document['id']}").json()
    return document


@pytest.fixture(scope="module")
def run(client: TestClient) -> dict[str, Any]:
    answer = client.post("/v1/diagnoses", json=DESIGN)
    assert answer.status_code == 202, answer.text
    document: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/v1/diagnoses/{document['id']}"
    return until_ended(client, document)


def test_a_diagnosis_is_done_in_the_background(client: TestClient, run: dict[str, Any]) -> None:
    assert (run["status"], run["done"], run["total"], run["failed"]) == ("finished", 8, 8, 0)
    assert run["design"]["dataset"] == {"kind": "kept", "name": "rows", "rows": 4}
    assert run["id"] in [each["id"] for each in client.get("/v1/diagnoses").json()["diagnoses"]]
    assert run["id"] not in [each["id"] for each in client.get("/v1/evaluations").json()["evaluations"]]
    assert client.get(f"/v1/evaluations/{run['id']}").status_code == 404


def test_results_have_every_diagnostic_of_every_model(client: TestClient, run: dict[str, Any]) -> None:
    found = client.get(f"/v1/diagnoses/{run['id']}/results").json()
    assert [each["model"] for each in found["models"]] == DESIGN["models"]
    assert found["complete"]
    network, bag = found["models"]
    assert bag["linearity"]["words"]["mean"] > network["linearity"]["words"]["mean"]
    assert [each["top"] for each in network["depths"]] == list(range(1, 11))
    told = {each["word"]: each for each in network["contrast"]["words"]}
    assert (told["not"]["parent"]["count"], told["but"]["parent"]["count"]) == (2, 1)
    # Kept: the same bytes the second time.
    assert client.get(f"/v1/diagnoses/{run['id']}/results").json() == found


def test_exports_are_whole_and_no_formulas(client: TestClient, run: dict[str, Any]) -> None:
    table = client.get(f"/v1/diagnoses/{run['id']}/rows.csv")
    assert "attachment" in table.headers["content-disposition"]
    read = list(csv.DictReader(io.StringIO(table.text, newline="")))
    assert len(read) == 8
    assert read[6]["sentence"] == f"'{TEXTS[3]}"
    rows = client.get(f"/v1/diagnoses/{run['id']}/rows.json").json()
    assert rows[2]["contrast"] == "not"
    assert float(read[0]["depth_by_chance"]) == rows[0]["depth_by_chance"]
    numbers = client.get(f"/v1/diagnoses/{run['id']}/table.json").json()
    means = {(each["model"], each["diagnostic"], each["part"]): each["value"] for each in numbers}
    own = [row["depth_top_1"] for row in rows if row["model"] == "sst2-cnn"]
    assert means["sst2-cnn", "depth", "top 1"] == pytest.approx(sum(own) / 4)
    assert len(client.get(f"/v1/diagnoses/{run['id']}/table.csv").text.splitlines()) == len(numbers) + 1


def test_interactions_are_looked_for_by_the_worker(client: TestClient) -> None:
    asked = {"diagnostics": ["fit", "context-free"], "interactions": [["not", "fine"]], "random_pairs": 0, "draws": 100}
    made = client.post("/v1/diagnoses", json=DESIGN | asked | {"models": ["sst2-cnn"], "linear": None})
    assert made.status_code == 202, made.text
    ended = until_ended(client, made.json())
    assert (ended["status"], ended["failed"]) == ("finished", 0)
    (model,) = client.get(f"/v1/diagnoses/{ended['id']}/results").json()["models"]
    assert model["fit"]["found"]["of"] == 4
    (signs,) = model["context_free"]
    assert (signs["texts"], signs["same"]["of"]) == (1, 1)
    assert signs["occurrences"][0]["text"] == TEXTS[3]
    again = DESIGN | asked | {"interactions": [["fine", "not"]]}
    assert "no text with fine … not" in client.post("/v1/diagnoses/plan", json=again).json()["detail"]


def test_a_plan_says_the_price_and_begins_nothing(client: TestClient) -> None:
    before = len(client.get("/v1/diagnoses").json()["diagnoses"])
    said = client.post("/v1/diagnoses/plan", json=DESIGN).json()
    assert (said["texts"], said["units"]) == (4, 8)
    assert said["evaluations"] > 0
    assert len(client.get("/v1/diagnoses").json()["diagnoses"]) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"linear": None}, "linearity needs a linear model"),
        ({"linear": "sst2-cnn"}, "possible models are"),
        ({"models": ["nobody"]}, "unknown model"),
        ({"models": ["word-lstm-lm"]}, "classifiers"),
        ({"dataset": {"kind": "file", "name": "a.tsv", "content": "title\nx\n"}}, "no column text"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(client: TestClient, change: dict[str, Any], said: str) -> None:
    for path in ("/v1/diagnoses", "/v1/diagnoses/plan"):
        answer = client.post(path, json=DESIGN | change)
        assert answer.status_code in (404, 422), answer.text
        assert said in answer.json()["detail"]


def test_a_cancelled_diagnosis_can_be_deleted(client: TestClient) -> None:
    many = {"kind": "rows", "rows": [{"text": f"Film number {number} is good , not bad ."} for number in range(500)]}
    made = client.post("/v1/diagnoses", json=DESIGN | {"dataset": many}).json()
    cancelled = client.post(f"/v1/diagnoses/{made['id']}/cancel").json()
    assert cancelled["status"] == "cancelled"
    assert cancelled["done"] < cancelled["total"]
    assert client.delete(f"/v1/diagnoses/{made['id']}").status_code == 204
    assert client.get(f"/v1/diagnoses/{made['id']}").status_code == 404
    assert client.get("/v1/diagnoses/unknown/results").status_code == 404


def test_every_text_can_be_found_behind_a_number(client: TestClient, run: dict[str, Any]) -> None:
    path = f"/v1/diagnoses/{run['id']}"
    named = {each["name"]: each["method"] for each in client.get(f"{path}/results").json()["quantities"]}
    assert named["around not"] == "ls-tree"
    assert "around whereas" not in named  # in none of the texts
    found = client.get(f"{path}/points", params={"measure": "around not"}).json()
    assert (found["texts"], [line["model"] for line in found["lines"]]) == ([1, 3], DESIGN["models"])
    page = client.get(f"{path}/rows", params={"after": 1, "texts": 2}).json()
    assert [(each["index"], each["text"]) for each in page["texts"]] == [(1, TEXTS[1]), (2, TEXTS[2])]
    assert page["after"] == 3
    rows = page["texts"][0]["rows"]
    assert [row["measured"]["values"]["around not"] for row in rows] == [line[0] for line in found["values"]]
    refused = client.get(f"{path}/points", params={"measure": "around nowhere"})
    assert refused.status_code == 404
    assert "possible" in refused.json()["detail"]


def test_overfitting_is_tested_against_training_texts(client: TestClient) -> None:
    known = {"kind": "rows", "rows": [{"text": "A fine , fine film ."}, {"text": "Not one good joke ."}]}
    asked = {"diagnostics": ["overfitting"], "linear": None, "training": known}
    refused = client.post("/v1/diagnoses", json=DESIGN | asked | {"training": None})
    assert refused.status_code == 422
    assert "overfitting needs training texts" in refused.json()["detail"]
    ended = until_ended(client, client.post("/v1/diagnoses", json=DESIGN | asked).json())
    assert (ended["status"], ended["texts"], ended["training_texts"], ended["total"]) == ("finished", 4, 2, 12)
    path = f"/v1/diagnoses/{ended['id']}"
    found = client.get(f"{path}/results").json()
    test = found["models"][0]["overfitting"]
    assert (test["train"]["variance"]["n"], test["test"]["variance"]["n"]) == (2, 4)
    assert test["test"]["accuracy"] is not None
    assert "and 2 training texts (rows)" in found["paragraph"]
    # Sentence by sentence there are the texts; training texts are in the files.
    assert client.get(f"{path}/points", params={"measure": "score-variance"}).json()["texts"] == [0, 1, 2, 3]
    assert client.get(f"{path}/rows", params={"texts": 10}).json()["after"] is None
    assert sum(row["training"] for row in client.get(f"{path}/rows.json").json()) == 4


def test_a_picture_is_there_of_scores(client: TestClient, run: dict[str, Any]) -> None:
    drawn = client.get(f"/v1/diagnoses/{run['id']}/picture.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "attachment" in drawn.headers["content-disposition"]
    assert "Correlation with sst2-bow" in drawn.text
    assert "Depth of the top nodes" in drawn.text
    fitted = DESIGN | {"diagnostics": ["fit"], "linear": None, "models": ["sst2-bow"], "draws": 100}
    ended = until_ended(client, client.post("/v1/diagnoses", json=fitted).json())
    refused = client.get(f"/v1/diagnoses/{ended['id']}/picture.svg")
    assert refused.status_code == 422
    assert "got a diagnosis of fit, possible are linearity" in refused.json()["detail"]
