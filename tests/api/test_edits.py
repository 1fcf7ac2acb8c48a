"""A model that is edited while the service runs: in the catalog at once, asked like any other, and gone when undone."""

import shutil
from pathlib import Path

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
