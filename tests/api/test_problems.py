"""Whatever is wrong, the answer is a problem document (RFC 9457) that says what would be right."""

import json
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response

from espalier.api import problems
from espalier.api.problems import NotReady
from espalier.problems import BeingMadeReady


def problem_of(response: Response, status: int) -> dict[str, Any]:
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert document["status"] == status
    assert document["type"].startswith("urn:espalier:problem:")
    return document


def predict(client: TestClient, **fields: Any) -> Response:
    # Written by hand, because the client refuses to send lone surrogates as they are.
    return client.post("/v1/predictions", content=json.dumps(fields), headers={"content-type": "application/json"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty text"),
        (" \n\t ", "empty text"),
        ("a\0b", "got U+0000 (NUL)"),
        ("x" * 100_000, "got 100,000 characters"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused(client: TestClient, text: str, said: str) -> None:
    assert said in problem_of(predict(client, model="sst2-minilm", text=text), 422)["detail"]


@pytest.mark.parametrize("path", ["/v1/predictions", "/v1/trees"])
def test_a_lone_surrogate_is_refused(client: TestClient, path: str) -> None:
    body = {"text": "broken \ud83d emoji"} | ({"model": "sst2-minilm"} if path == "/v1/predictions" else {})
    response = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
    assert "text" in problem_of(response, 422)["detail"]


def test_a_text_beyond_the_models_length_is_refused_and_not_cut(client: TestClient) -> None:
    document = problem_of(predict(client, model="sst2-minilm", text="good " * 2_000), 422)
    assert document["type"] == "urn:espalier:problem:too-long"


def test_an_unknown_model_is_answered_with_the_known_ones(client: TestClient) -> None:
    detail = problem_of(predict(client, model="nobody", text="Hello."), 404)["detail"]
    assert "'nobody'" in detail
    assert "sst2-minilm" in detail


def test_an_unknown_field_is_refused(client: TestClient) -> None:
    document = problem_of(predict(client, model="sst2-minilm", text="Hello.", colour="red"), 422)
    assert "body.colour" in document["detail"]


def test_a_body_that_is_not_json_is_refused(client: TestClient) -> None:
    response = client.post("/v1/trees", content=b"{not json", headers={"content-type": "application/json"})
    assert "JSON" in problem_of(response, 422)["detail"]


def test_a_body_beyond_the_limit_is_refused(client: TestClient) -> None:
    response = client.post("/v1/trees", json={"text": "x" * 1_000_001})
    assert "up to 1,000,000 bytes" in problem_of(response, 413)["detail"]


def test_a_body_without_a_declared_length_is_counted_as_it_comes(client: TestClient) -> None:
    response = client.post("/v1/trees", content=(b"x" * 100_000 for _ in range(11)))
    problem_of(response, 413)


def test_a_path_that_does_not_exist_is_named(client: TestClient) -> None:
    assert "/v1/nothing" in problem_of(client.get("/v1/nothing"), 404)["detail"]


def test_a_wrong_method_is_answered_with_the_right_one(client: TestClient) -> None:
    response = client.get("/v1/predictions")
    assert "got GET, possible is POST" in problem_of(response, 405)["detail"]
    assert response.headers["allow"] == "POST"


def test_a_failure_of_the_server_gives_nothing_away() -> None:
    app = FastAPI()
    problems.install(app)

    @app.get("/fails")
    def fails() -> None:
        raise RuntimeError("the password is 1234")

    response = TestClient(app, raise_server_exceptions=False).get("/fails")
    assert "1234" not in problem_of(response, 500)["detail"]


def test_whoever_finds_the_service_away_is_told_when_to_come_again() -> None:
    app = FastAPI()
    problems.install(app)

    @app.get("/away")
    def away() -> None:
        raise NotReady("no worker is ready")

    response = TestClient(app).get("/away")
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) >= 1


def test_a_model_that_is_made_ready_says_how_far_it_is_and_when_to_ask_again() -> None:
    app = FastAPI()
    problems.install(app)

    @app.get("/unmade")
    def unmade() -> None:
        raise BeingMadeReady("smollm2", 40, 452)

    response = TestClient(app).get("/unmade")
    assert response.json()["making"] == {"done": 40, "count": 452}
    assert problem_of(response, 503)["type"] == "urn:espalier:problem:being-made-ready"
    assert response.headers["retry-after"] == "1"
