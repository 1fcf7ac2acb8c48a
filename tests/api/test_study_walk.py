"""An annotator's token tried on the whole API: it opens the annotator's own session and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.store.study_play import published

from espalier.api.access.doors import door
from espalier.api.app import create_app
from espalier.settings import Settings
from espalier.studies.design import StudyDesign

MODELS, METHODS = ("secretmodel",), ("secretmethod", "othersecret")
DESIGN = StudyDesign(
    title="T", protocol="coherence", models=MODELS, methods=METHODS, items=4, votes=3, items_per_person=4, seed=3
)
VERBS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(params=["off", "required"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestClient]:
    """A server with and without keys. No worker is needed: nothing that would need one may be reached."""
    app = create_app(Settings(data=tmp_path, keys=request.param))
    app.state.store.migrate()
    # Not entered, so that no worker is started.
    yield TestClient(app, raise_server_exceptions=False, base_url="http://localhost")
    app.state.store.close()


class Annotator:
    """Somebody who takes part and keeps everything they were ever told."""

    def __init__(self, client: TestClient, study: str, name: str) -> None:
        self.told: list[str] = []
        self._client = client
        joined = self.send("POST", "/v1/sessions", {"study": study, "name": name})
        self.headers = {"Authorization": f"Bearer {joined['token']}"}
        session = joined["session"]
        while session["stage"] != "finished":
            if session["stage"] in ("consent", "instructions"):
                session = self.send("POST", "/v1/session/stages", {"stage": session["stage"]})
                continue
            task = session["task"]
            answers = {line["letter"]: "n/a" for line in task["lines"]}
            body = {"task": task["id"], "answers": answers, "milliseconds": 4321}
            session = self.send("POST", "/v1/session/answers", body)["session"]

    def send(self, verb: str, path: str, body: Any = None) -> Any:
        answer = self._client.request(verb, path, json=body, headers=getattr(self, "headers", None))
        assert answer.status_code == 200, answer.text
        self.told.append(answer.text)
        return answer.json()


def test_the_whole_api_is_closed_to_an_annotator_but_for_the_session(client: TestClient) -> None:
    app: Any = client.app
    study = published(app.state.store, DESIGN)
    headers = Annotator(client, study, "Ada").headers
    walked = 0
    for path, methods in app.openapi()["paths"].items():
        address = path.replace("{study}", study).replace("{person}", "1").replace("{form}", "json")
        for verb in (verb for verb in VERBS if verb in methods):
            answer = client.request(verb, address, headers=headers, json=None if verb == "get" else {})
            if door(address) == "open":
                continue
            walked += 1
            assert answer.status_code in (401, 403), f"{verb} {address} answered {answer.status_code}"
            assert answer.headers["content-type"] == "application/problem+json"
    assert walked > 20
    # Pages, and paths that are no route at all, are no way around.
    for address in (
        "/",
        "/docs",
        "/studies",
        f"/studies/{study}",
        "/openapi.json",
        "/metrics",
        "/v1/nothing",
        "/v1/studies/",
    ):
        assert client.get(address, headers=headers, follow_redirects=False).status_code in (303, 401, 403)


def test_nothing_an_annotator_is_told_names_methods_models_predictions_or_others(client: TestClient) -> None:
    app: Any = client.app
    study = published(app.state.store, DESIGN)
    Annotator(client, study, "the other person")
    annotator = Annotator(client, study, "Ada")
    annotator.send("GET", "/v1/session")
    annotator.send("POST", "/v1/session/completion")
    said = "\n".join(annotator.told)
    for secret in (*MODELS, *METHODS, "probability", "0.9", "the other person", "4321", "coherent", "votes"):
        assert secret not in said
    assert '"prediction":null' in said
    assert '"prediction":"' not in said


def test_a_made_up_token_opens_no_session(client: TestClient) -> None:
    for headers in ({}, {"Authorization": "Bearer annotator_made-up"}, {"Authorization": "Basic x"}):
        answer = client.get("/v1/session", headers=headers)
        assert answer.status_code == 401
        assert answer.json()["type"] == "urn:espalier:problem:no-session"


def test_the_study_s_page_may_be_framed_by_mturk_and_its_form_may_go_there(client: TestClient) -> None:
    policy = client.get("/s/any").headers["Content-Security-Policy"]
    assert "frame-ancestors 'self' https://www.mturk.com" in policy
    assert "form-action 'self' https://www.mturk.com" in policy
