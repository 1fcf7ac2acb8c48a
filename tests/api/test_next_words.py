"""Language models over HTTP: next words where classes were, in predictions, explanations, batches and KServe."""

import json
import time
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.models.causal.conftest import network, tokenizer
from tests.models.masked import made as masked

from espalier.api.app import create_app
from espalier.models.next_words import OTHER
from espalier.places import MODELS
from espalier.settings import Settings

PROMPT = "the film was not"
TINY = {"model": "tiny", "text": PROMPT}
FILLED = {"text": "the film is not good", "model": "bow", "method": "shap", "reference": "conditional"}
STUDY = {"title": "Words", "protocol": "coherence", "models": ["tiny"], "methods": ["hedge"], "items": 5}
STAND_INS = {"text": "the film is not good", "model": "bow", "reference": "conditional", "absent": [1, 4]}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    home = tmp_path_factory.mktemp("models")
    network("llama").save_pretrained(home / "llama")
    tokenizer().save_pretrained(home / "llama")
    masked.network().save_pretrained(home / "masked")
    masked.tokenizer().save_pretrained(home / "masked")
    sources = {"tiny": "llama", "mlm-general": "masked", "bow": str(MODELS / "sst2-bow")}
    entries = [f'[models.{name}]\ntitle = "Tiny"\nsource = "{source}"\n' for name, source in sources.items()]
    (home / "catalog.toml").write_text("".join(entries))
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
    listed = {model["name"]: model for model in client.get("/v1/catalog").json()["models"]}
    said = {name: (model["says"], model["family"]) for name, model in listed.items()}
    assert said == {"tiny": ("next-words", "causal"), "mlm-general": ("blank", "masked-lm"), "bow": ("classes", "bow")}
    assert listed["tiny"]["classes"] == listed["mlm-general"]["classes"] == []


@pytest.mark.parametrize("model", [{"model": "tiny"}, {"model": "mlm-general", "text": "the film was [MASK] ."}])
def test_another_scale_is_another_result_though_the_first_was_not_named(client, model):
    unnamed, named = (
        explained(client, method="leave-one-out", **model, **scale) for scale in ({}, {"scale": "probability"})
    )
    assert (unnamed["scale"], named["scale"]) == ("log_odds", "probability")
    assert explained(client, method="leave-one-out", **model, scale="log_odds") == unnamed


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


def test_a_prediction_says_the_pieces_of_its_words_and_which_one_begins_as_the_model_would(client):
    likeliest = client.post("/v1/predictions", json=TINY).json()
    word = f"{likeliest['label']}xyz"
    answer = client.post("/v1/predictions", json={**TINY, "outcomes": [word], "count": 3}).json()
    written = {each["name"]: pieces for each, pieces in zip(answer["classes"], answer["pieces"], strict=False)}
    assert ["".join(pieces) for pieces in written.values()] == list(written)
    assert len(written[word]) > 1
    assert (answer["beginning"]["text"], answer["beginning"]["word"]) == (likeliest["label"], word)
    assert likeliest["beginning"] is None


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


def test_a_batch_says_how_absent_words_are_filled_in(client):
    filled = {key: FILLED[key] for key in ("model", "method", "reference")}
    how = {"fill": "in-turn", "draws": 2, "filler": "mlm-general"}
    batch = client.post("/v1/batches", json={"texts": [FILLED["text"]], **filled, **how}).json()
    (line,) = [json.loads(line) for line in client.get(batch["results"]).text.splitlines() if line]
    assert line["explanation"] == explained(client, **FILLED, **how)
    assert (line["explanation"]["fill"], line["explanation"]["filler"]) == ("in-turn", "mlm-general")


def test_kserve_predicts_and_explains_next_words(client):
    said = client.post("/v1/models/tiny:predict", json={"instances": [PROMPT, "the end"]}).json()["predictions"]
    assert all(each["label"] != OTHER and sum(each["probabilities"].values()) == pytest.approx(1) for each in said)
    named = {"instances": [PROMPT, {"text": PROMPT, "outcomes": [" dull"]}], "parameters": {"outcomes": [" good"]}}
    both = client.post("/v1/models/tiny:predict", json=named).json()["predictions"]
    assert [set(each["probabilities"]) for each in both] == [{" good", OTHER}, {" dull", OTHER}]
    alone = client.post("/v1/predictions", json={**TINY, "outcomes": [" good"]}).json()["classes"]
    assert both[0]["probabilities"] == {each["name"]: each["probability"] for each in alone}
    few = {"instances": [{"text": PROMPT, "count": 2}]}
    assert len(client.post("/v1/models/tiny:predict", json=few).json()["predictions"][0]["probabilities"]) == 3
    body = {"instances": [{"text": PROMPT, "method": "leave-one-out", "outcome": " good"}]}
    (why,) = client.post("/v1/models/tiny:explain", json=body).json()["explanations"]
    assert why["classes"][why["target"]] == " good"


def test_running_text_says_how_surprising_every_word_was(client):
    said = client.post("/v1/surprise", json={"model": "tiny", "text": "the film was lovely", "count": 3}).json()
    assert [word["text"] for word in said["words"]] == ["the", "film", "was", "lovely"]
    assert said["bits"] == pytest.approx(sum(word["bits"] for word in said["words"]))
    assert all(len(word["candidates"]) == 3 for word in said["words"])


def test_a_blank_is_explained_by_the_words_around_it(client):
    blank = {"model": "mlm-general", "text": "the film is [MASK] not dull"}
    said = client.post("/v1/predictions", json={**blank, "outcomes": ["good", "dull"]}).json()["classes"]
    assert [each["name"] for each in said] == ["good", "dull", OTHER]
    found = explained(client, **blank, outcome="good", against="dull")
    assert (found["classes"][found["target"]], found["classes"][found["against"]]) == ("good", "dull")
    assert found["result"]["values"][3] == pytest.approx(0, abs=1e-12)
    assert 3 in found["idle"]


def test_a_reference_that_fills_in_says_what_it_drew_and_what_that_adds(client):
    listed = {each["name"]: each for each in client.get("/v1/catalog").json()["references"]}
    assert "in-domain" not in listed  # its model is not here
    assert (listed["conditional"]["filler"], listed["conditional"]["draws"], listed["pad"]["draws"]) == (
        "mlm-general",
        4,
        1,
    )
    found = explained(client, **FILLED)
    assert (found["draws"], found["fill"], found["filler"]) == (4, "drawn", "mlm-general")
    assert found["evaluations"]["elsewhere"] > 0
    assert found["certainty"].startswith("exact for 4 draws")
    assert all(span["draw_error"] is not None for span in found["reading"]["spans"])


def test_what_stands_in_can_be_looked_at(client):
    found = client.post("/v1/stand-ins", json=STAND_INS).json()
    assert [player["text"] for player in found["players"]] == STAND_INS["text"].split()
    assert len(found["texts"]) == 4
    for each in found["texts"]:
        assert [word["stands_in"] for word in each["words"]] == [False, True, False, False, True]
        assert each["marked"] == f"the [{each['words'][1]['text']}] is not [{each['words'][4]['text']}]"
    hidden = client.post("/v1/stand-ins", json={**STAND_INS, "reference": "pad"}).json()
    assert [each["marked"] for each in hidden["texts"]] == ["the [ ] is not [ ]"]


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("explanations", {**TINY, "outcome": " good", "outcomes": [" goods"]}, 422, "one begins the other"),
        ("explanations", {**TINY, "target": " good"}, 422, "possible is outcome"),
        ("explanations", {**TINY, "method": "integrated-gradients"}, 422, "looks inside the model"),
        ("explanations", {**TINY, "reference": "mask", "method": "shap"}, 422, "no mask token"),
        ("predictions", {**TINY, "text": "film " * 300}, 422, "possible are up to 96"),
        ("surprise", {**TINY, "text": ""}, 422, "got no words"),
        ("surprise", {**TINY, "model": "huge"}, 404, "possible are bow, mlm-general, tiny"),
        ("surprise", {"model": "mlm-general", "text": "the film is good"}, 422, "got a running text"),
        ("predictions", {"model": "mlm-general", "text": "the film is good"}, 422, "got no blank"),
        ("explanations", {**FILLED, "draws": 0}, 422, "draws"),
        ("explanations", {**FILLED, "draws": 1000}, 422, "draws"),
        ("explanations", {**FILLED, "filler": "bow"}, 422, "asks a masked language model: got filler = bow"),
        ("explanations", {**FILLED, "filler": "huge"}, 404, "possible are bow, mlm-general, tiny"),
        ("explanations", {**FILLED, "reference": "in-domain"}, 404, "got 'mlm-movies'"),
        ("explanations", {**FILLED, "text": "这 部 电影 好"}, 422, "cannot read this text: got 4 of 4 words"),
        ("models/tiny:predict", {"instances": [{"text": PROMPT, "outcome": " good"}]}, 422, "outcome"),
        ("models/bow:predict", {"instances": [{"text": PROMPT, "count": 2}]}, 422, "chooses between classes"),
        ("batches", {"texts": [PROMPT], "model": "tiny", "draws": 0}, 422, "draws"),
        ("studies", STUDY, 422, "people guess classes in a study: got tiny, which says next words"),
        ("stand-ins", {**STAND_INS, "absent": [9]}, 422, "no such player: got 9, possible are 0 to 4"),
        ("stand-ins", {**STAND_INS, "filler": "tiny"}, 422, "possible are models of the family masked-lm"),
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
