"""/v1/evaluations on the service with a real worker."""

import csv
import io
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

TEXTS = ["A lovely , warm film .", "It is not good .", "Dull from start to end !", "=1+1 is a fine film ."]
DESIGN: dict[str, Any] = {
    "title": "A small run",
    "dataset": {"kind": "rows", "rows": [{"text": text, "label": "positive"} for text in TEXTS]},
    "models": ["sst2-bow"],
    "methods": [{"method": "leave-one-out"}, {"method": "lime", "parameters": {"samples": 64}}],
    "measures": ["aopc-delete", "sufficiency-pad", "cohesion"],
    "best_order": False,
}


@pytest.fixture(scope="module")
def run(client: TestClient) -> dict[str, Any]:
    answer = client.post("/v1/evaluations", json=DESIGN)
    assert answer.status_code == 202, answer.text
    document: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/v1/evaluations/{document['id']}"
    deadline = time.monotonic() + 300
    while document["status"] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
        document = client.get(f"/v1/evaluations/{document['id']}").json()
    return document


def test_a_run_is_done_in_the_background(client: TestClient, run: dict[str, Any]) -> None:
    assert (run["status"], run["done"], run["total"], run["failed"]) == ("finished", 4, 4, 0)
    assert run["design"]["dataset"] == {"kind": "kept", "name": "rows", "rows": 4}
    listed = client.get("/v1/evaluations").json()["evaluations"]
    assert run["id"] in [each["id"] for each in listed]


def test_results_have_the_table_and_a_paragraph(client: TestClient, run: dict[str, Any]) -> None:
    found = client.get(f"/v1/evaluations/{run['id']}/results").json()
    assert [line["method"] for line in found["lines"]] == ["leave-one-out", "lime", "random-order"]
    assert found["lines"][0]["cells"][0]["interval"]["n"] == 4
    assert found["complete"]
    assert "sst2-bow" in found["paragraph"]
    # Kept: the same bytes the second time.
    again = client.get(f"/v1/evaluations/{run['id']}/results").json()
    assert again == found


def test_rows_come_by_the_page(client: TestClient, run: dict[str, Any]) -> None:
    page = client.get(f"/v1/evaluations/{run['id']}/rows", params={"after": 1, "texts": 2}).json()
    assert [each["index"] for each in page["texts"]] == [1, 2]
    assert page["after"] == 3
    assert page["texts"][0]["text"] == TEXTS[1]
    assert [row["method"] for row in page["texts"][0]["rows"]] == ["leave-one-out", "lime", "random-order"]
    assert client.get(f"/v1/evaluations/{run['id']}/rows", params={"after": 3}).json()["after"] is None
    points = client.get(f"/v1/evaluations/{run['id']}/points", params={"measure": "aopc-delete"}).json()
    measured = page["texts"][0]["rows"][0]["measured"]["values"]["aopc-delete"]
    assert points["values"][0][1] == pytest.approx(measured, abs=1e-6)


def test_exports_are_whole_and_no_formulas(client: TestClient, run: dict[str, Any]) -> None:
    table = client.get(f"/v1/evaluations/{run['id']}/rows.csv")
    assert "attachment" in table.headers["content-disposition"]
    read = list(csv.DictReader(io.StringIO(table.text, newline="")))
    assert len(read) == 12
    assert read[9]["sentence"] == f"'{TEXTS[3]}"
    rows = client.get(f"/v1/evaluations/{run['id']}/rows.json").json()
    assert float(read[0]["aopc-delete"]) == rows[0]["aopc-delete"]
    means = client.get(f"/v1/evaluations/{run['id']}/table.json").json()
    assert means[0]["mean"] == pytest.approx(sum(row["aopc-delete"] for row in rows[::3]) / 4)
    assert len(client.get(f"/v1/evaluations/{run['id']}/table.csv").text.splitlines()) == len(means) + 1


def test_a_plan_says_the_price_and_begins_nothing(client: TestClient) -> None:
    before = len(client.get("/v1/evaluations").json()["evaluations"])
    said = client.post("/v1/evaluations/plan", json=DESIGN).json()
    assert (said["texts"], said["rows"]) == (4, 12)
    assert said["evaluations"] > 0
    assert len(client.get("/v1/evaluations").json()["evaluations"]) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"measures": ["accuracy"]}, "unknown measure"),
        ({"models": ["nobody"]}, "unknown model"),
        ({"models": ["word-lstm-lm"]}, "classifiers"),
        ({"dataset": {"kind": "file", "name": "a.tsv", "content": "title\nx\n"}}, "no column text"),
        (
            {"dataset": {"kind": "file", "name": "a.csv", "content": 'text\nfine\n"open' + "x" * 200_000}},
            "line 3 of a.csv",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(client: TestClient, change: dict[str, Any], said: str) -> None:
    for path in ("/v1/evaluations", "/v1/evaluations/plan"):
        answer = client.post(path, json=DESIGN | change)
        assert answer.status_code in (404, 422), answer.text
        assert said in answer.json()["detail"]


def test_a_cancelled_run_can_be_deleted(client: TestClient) -> None:
    many = {"kind": "rows", "rows": [{"text": f"Film number {number} is good , not bad ."} for number in range(500)]}
    made = client.post("/v1/evaluations", json=DESIGN | {"dataset": many}).json()
    cancelled = client.post(f"/v1/evaluations/{made['id']}/cancel").json()
    assert cancelled["status"] == "cancelled"
    assert cancelled["done"] < cancelled["total"]
    assert client.delete(f"/v1/evaluations/{made['id']}").status_code == 204
    assert client.get(f"/v1/evaluations/{made['id']}").status_code == 404
    assert client.get("/v1/evaluations/unknown/results").status_code == 404


def test_measures_are_listed_with_their_operators(client: TestClient) -> None:
    found = client.get("/v1/evaluations/measures").json()
    names = [each["name"] for each in found["measures"]]
    assert {"aopc-delete", "aopc-pad", "aopc-mask", "log-odds-pad", "cohesion"} <= set(names)
    assert set(found["usual"]) <= set(names)
