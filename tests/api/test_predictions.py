"""POST /v1/predictions and /v1/trees, with the shipped models."""

import time
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.models.first_use import with_patience

from espalier.models.catalog import Catalog
from espalier.models.families import family_of
from espalier.models.predict import predict
from espalier.settings import settings

TEXT = "The music is lovely, but the film isn't 🎬 good."


def model_names() -> list[str]:
    return [entry.name for entry in Catalog(settings().catalog).entries()]


def test_the_catalog_offers_every_entry_in_its_order(client: TestClient) -> None:
    offered = client.get("/v1/catalog").json()["models"]
    assert [model["name"] for model in offered] == model_names()
    assert all(model["title"] and model["description"] for model in offered)


def classifiers() -> list[str]:
    shipped = Catalog(settings().catalog)
    return [name for name in model_names() if family_of(shipped.source(name)).says == "classes"]


def predicted(client: TestClient, name: str) -> dict[str, Any]:
    """A model over the language model is made ready at its first use, which takes half a minute: until then one is told
    to ask again."""
    deadline = time.monotonic() + 300
    while (answer := client.post("/v1/predictions", json={"model": name, "text": TEXT})).status_code == 503:
        assert answer.json()["type"] == "urn:espalier:problem:being-made-ready"
        assert time.monotonic() < deadline, "not ready after five minutes"
        time.sleep(0.5)
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("name", map(with_patience, classifiers()))
def test_every_classifier_of_the_catalog_answers(client: TestClient, name: str) -> None:
    answer = predicted(client, name)
    probabilities = {each["name"]: each["probability"] for each in answer["classes"]}
    assert sum(probabilities.values()) == pytest.approx(1)
    assert answer["label"] == max(probabilities, key=lambda label: probabilities[label])


def test_the_service_says_what_the_library_says(client: TestClient) -> None:
    name = model_names()[0]
    expected = predict(Catalog(settings().catalog).load(name), TEXT)
    answer = client.post("/v1/predictions", json={"model": name, "text": TEXT}).json()
    assert [each["name"] for each in answer["classes"]] == list(expected.classes)
    assert [each["probability"] for each in answer["classes"]] == pytest.approx(expected.probabilities, abs=1e-6)


def test_words_can_be_cut_from_the_text_by_their_offsets(client: TestClient) -> None:
    answer = client.post("/v1/predictions", json={"model": model_names()[0], "text": TEXT}).json()
    assert [TEXT[word["start"] : word["end"]] for word in answer["words"]] == [word["text"] for word in answer["words"]]


def test_a_tree_covers_the_words_in_order(client: TestClient) -> None:
    answer = client.post("/v1/trees", json={"text": TEXT}).json()
    leaves = [node["start"] for node in answer["nodes"] if not node["children"]]
    assert leaves == list(range(len(answer["words"])))
    assert (answer["nodes"][0]["start"], answer["nodes"][0]["end"]) == (0, len(answer["words"]))
    assert any(node["labels"] for node in answer["nodes"])
