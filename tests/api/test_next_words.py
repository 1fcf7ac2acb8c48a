"""Language models over HTTP: next words where classes were, in predictions, explanations, batches and KServe."""

import json
import time
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.models.causal.conftest import network, tokenizer

from espalier.api.app import create_app
from espalier.models.next_words import OTHER
from espalier.settings import Settings

PROMPT = "the film was not"
TINY = {"model": "tiny", "text": PROMPT}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    home = tmp_path_factory.mktemp("models")
    network("llama").save_pretrained(home / "llama")
    tokenizer().save_pretrained(home / "llama")
    (home / "catalog.toml").write_text('[models.tiny]\ntitle = "Tiny"\nsource = "llama"\n')
    app = create_app(Settings(catalog=home / "catalog.toml", data=tmp_path_factory.mktemp("data")))
    with TestClient(app, raise_server_exceptions=False) as client:
        deadline = time.monotonic() + 300
        while client.get("/health/ready").status_code != 200:
            assert time.monotonic() < deadline, "no worker was ready after five minutes"
            time.sleep(0.1)
        yield client


def explained(client: TestClient, **fields) -> dict:
    answer = client.post("/v1/explanations", json={**TINY, "method": "shap", **fields}, headers={"Prefer": "wait=60"})
    job = answer.json()
    assert job.get("status") == "succeeded", job
    return job["explanation"]


def test_the_catalog_says_what_comes_out_of_a_model(client):
    (listed,) = client.get("/v1/catalog").json()["models"]
    assert (listed["says"], listed["family"], listed["classes"]) == ("next-words", "causal", [])


def test_a_prediction_gives_the_likeliest_next_words_and_the_rest(client):
    answer = client.post("/v1/predictions", json=TINY).json()
    names = [each["name"] for each in answer["classes"]]
    assert len(names) == 9
    assert names[-1] == OTHER
    assert answer["label"] == names[0]
    assert sum(each["probability"] for each in answer["classes"]) == pytest.approx(1)


def test_a_prediction_looks_at_the_words_that_are_named(client):
    asked = {**TINY, "outcomes": [" good", " wonderful"]}
    named = client.post("/v1/predictions", json=asked).json()["classes"]
    assert [each["name"] for each in named] == [" good", " wonderful", OTHER]
    both = client.post("/v1/predictions", json={**asked, "count": 3}).json()["classes"]
    assert {" good", " wonderful", OTHER} < {each["name"] for each in both}


def test_an_explanation_names_its_words_and_what_they_are_made_of(client):
    found = explained(client, outcome=" wonderful", against=" good")
    assert found["classes"][found["target"]] == " wonderful"
    assert found["classes"][found["against"]] == " good"
    assert found["scale"] == "log_odds"
    assert "".join(found["pieces"][found["target"]]) == " wonderful"
    assert sum(found["result"]["values"]) == pytest.approx(found["result"]["full"] - found["result"]["base"], abs=1e-6)
    assert found["finding"]


def test_a_repeated_question_is_answered_at_once_and_another_word_is_another_question(client):
    first = explained(client, outcome=" good")
    again = client.post("/v1/explanations", json={**TINY, "method": "shap", "outcome": " good"})
    assert again.status_code == 200
    assert again.json()["explanation"] == first
    assert explained(client, outcome=" dull")["result"]["values"] != first["result"]["values"]


def test_a_batch_explains_one_word_after_many_prompts(client):
    asked = {"texts": ["the film was", "the music was never"], "model": "tiny", "method": "leave-one-out"}
    batch = client.post("/v1/batches", json={**asked, "outcome": " lovely"}).json()
    lines = [json.loads(line) for line in client.get(batch["results"]).text.splitlines() if line]
    assert [line["explanation"]["classes"][line["explanation"]["target"]] for line in lines] == [" lovely"] * 2


def test_kserve_predicts_and_explains_next_words(client):
    said = client.post("/v1/models/tiny:predict", json={"instances": [PROMPT, "the end"]}).json()["predictions"]
    assert all(each["label"] != OTHER and sum(each["probabilities"].values()) == pytest.approx(1) for each in said)
    body = {"instances": [{"text": PROMPT, "method": "leave-one-out", "outcome": " good"}]}
    (why,) = client.post("/v1/models/tiny:explain", json=body).json()["explanations"]
    assert why["classes"][why["target"]] == " good"


def test_running_text_says_how_surprising_every_word_was(client):
    said = client.post("/v1/surprise", json={"model": "tiny", "text": "the film was lovely", "count": 3}).json()
    assert [word["text"] for word in said["words"]] == ["the", "film", "was", "lovely"]
    assert said["bits"] == pytest.approx(sum(word["bits"] for word in said["words"]))
    assert all(len(word["candidates"]) == 3 for word in said["words"])


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("explanations", {**TINY, "outcome": " good", "outcomes": [" goods"]}, 422, "one begins the other"),
        ("explanations", {**TINY, "target": " good"}, 422, "possible is outcome"),
        ("explanations", {**TINY, "method": "integrated-gradients"}, 422, "looks inside the model"),
        ("explanations", {**TINY, "reference": "mask", "method": "shap"}, 422, "no mask token"),
        ("predictions", {**TINY, "text": "film " * 300}, 422, "possible are up to 96"),
        ("surprise", {**TINY, "text": ""}, 422, "got no words"),
        ("surprise", {**TINY, "model": "huge"}, 404, "possible are tiny"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(client, path, body, status, detail):
    answer = client.post(f"/v1/{path}", json=body, headers={"Prefer": "wait=30"})
    assert answer.status_code == status
    assert detail in answer.json()["detail"]


@pytest.mark.parametrize(
    "text", ["a\u0007b\u001b[31mc", "x" * 20_000, "film " * 4_000, "שלום עולם \u202e", "👩‍👩‍👧‍👦" * 5, "日本語の文"]
)
def test_a_hostile_prompt_harms_nothing(client, text):
    answer = client.post("/v1/predictions", json={**TINY, "text": text})
    assert answer.status_code in (200, 422)
    assert client.post("/v1/predictions", json=TINY).status_code == 200
