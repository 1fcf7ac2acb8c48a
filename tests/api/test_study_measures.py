"""A coherence study's answers beside the measures of its items: over REST, with real explanations and a real run."""

import csv
import io
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from scipy.stats import spearmanr
from tests.lab.people.texts import TEXTS

DESIGN: dict[str, Any] = {
    "title": "Do measures know?",
    "protocol": "coherence",
    "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS[:12]]},
    "models": ["sst2-bow"],
    "methods": ["leave-one-out", "hedge"],
    "items": 12,
    "votes": 3,
    "items_per_person": 12,
    "seed": 5,
}
ALL = "simulated=true&keep=attention&keep=fast"
"""Simulated people fail attention checks, too."""


def until(client: TestClient, address: str, done: Any) -> Any:
    deadline = time.monotonic() + 300
    while not done(document := client.get(address).json()):
        assert time.monotonic() < deadline, document
        time.sleep(0.1)
    return document


def created(client: TestClient, **changes: Any) -> str:
    answer = client.post("/v1/studies", json=DESIGN | changes)
    assert answer.status_code == 201, answer.text
    address = answer.headers["location"]
    until(client, address, lambda document: document["status"] == "ready")
    return str(address)


@pytest.fixture(scope="module")
def address(client: TestClient) -> Iterator[str]:
    """A study that was rehearsed, with some wrong answers, and measured."""
    made = created(client)
    assert client.post(f"{made}/rehearsals", json={"people": 3, "error_rate": 0.3}).status_code == 202
    until(client, f"{made}/results?{ALL}", lambda results: results["answers"] >= 72)
    before = client.get(f"{made}/measures").json()
    assert before["run"] is None
    assert before["expected_evaluations"] > 0
    begun = client.post(f"{made}/measures")
    assert begun.status_code == 202, begun.text
    run = f"/v1/evaluations/{begun.json()['run']['evaluation']}"
    until(client, run, lambda document: document["status"] == "finished")
    yield made
    assert client.delete(made).status_code == 204
    # Nothing of a study stays, and that is true of its run.
    assert client.get(run).status_code == 404


def test_the_correlations_are_those_of_the_exported_rows(client: TestClient, address: str) -> None:
    found = client.get(f"{address}/measures?{ALL}").json()
    assert found["unmeasured"] == {}
    people: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in client.get(f"{address}/rows.json?simulated=true").json():
        if row["kind"] == "task":
            people[row["text"], row["method"]].append(row["answer"] == row["prediction"])
    assert len(people) == 24
    measured = {
        (row["sentence"], row["method"]): row
        for row in client.get(f"/v1/evaluations/{found['run']['evaluation']}/rows.json").json()
    }
    correlated = {(each["measure"], each["method"]): each for each in found["correlations"]}
    assert len(correlated) == 7 * 3
    for (name, method), each in correlated.items():
        both = {
            place: (sum(votes) / len(votes), measured[place][name])
            for place, votes in people.items()
            if method in (None, place[1]) and measured[place][name] is not None
        }
        texts = {text for text, _ in both}
        assert (each["correlation"]["items"], each["correlation"]["groups"]) == (len(both), len(texts))
        if len(texts) < 10:
            assert each["verdict"] == "too-few"
            continue
        scores = list(zip(*both.values(), strict=True))
        if min(len(set(score)) for score in scores) == 1:
            assert each["verdict"] == "alike"
            continue
        truth = spearmanr(*scores).statistic
        assert each["correlation"]["rho"] == pytest.approx(truth)
        assert each["correlation"]["low"] <= truth <= each["correlation"]["high"]
    assert sum(each["correlation"]["rho"] is not None for each in found["correlations"]) >= 7


def test_real_people_and_rehearsals_do_not_mix(client: TestClient, address: str) -> None:
    found = client.get(f"{address}/measures").json()
    assert (found["items"], found["correlations"], found["says"]) == ([], [], "")


def test_the_table_has_people_and_every_measure_in_one_line(client: TestClient, address: str) -> None:
    answer = client.get(f"{address}/measures.csv?{ALL}")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 24
    assert {row["text"] for row in rows} == set(TEXTS[:12])
    assert float(rows[0]["share"]) == int(rows[0]["right"]) / int(rows[0]["guesses"])
    assert float(rows[0]["phrase-deletion-delete"]) is not None


def test_measuring_again_begins_again_under_the_same_id(client: TestClient, address: str) -> None:
    before = client.get(f"{address}/measures").json()["run"]
    again = client.post(f"{address}/measures").json()["run"]
    assert again["evaluation"] == before["evaluation"]
    until(client, f"{address}/measures", lambda found: found["run"]["status"] == "finished")


def test_a_preference_has_no_guesses_to_stand_beside(client: TestClient) -> None:
    made = created(client, protocol="preference", items=2)
    for verb in ("get", "post"):
        answer = client.request(verb, f"{made}/measures")
        assert answer.status_code == 422
        assert "got a preference study, possible is a coherence study" in answer.json()["detail"]
    assert client.delete(made).status_code == 204
