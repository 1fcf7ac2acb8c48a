"""`--model` takes a folder, too; and without it the catalog's first model is meant."""

import json
import shutil
import time

import httpx
import pytest
from tests.serving import serving

from espalier.api.routes.batches import BatchRequest
from espalier.api.routes.predictions import PredictionRequest
from espalier.explain.request import ExplanationRequest
from espalier.library import explain
from espalier.models.catalog import Catalog
from espalier.models.sources import looks_like_hub_id
from espalier.problems import BadModel
from espalier.studies.design import StudyDesign

TEXT = "The film is not very good."


@pytest.fixture
def folder(small_catalog, tmp_path):
    """A model that no catalog lists."""
    return shutil.copytree(small_catalog.parent / "lstm", tmp_path / "my model")


def test_predict_takes_a_folder(espalier, folder):
    printed = json.loads(espalier("predict", TEXT, "--model", str(folder), "--json").stdout)
    listed = json.loads(espalier("predict", TEXT, "--model", "lstm", "--json").stdout)
    assert printed["model"] == "my-model"
    assert printed["probabilities"] == listed["probabilities"]


def test_explain_takes_a_folder_from_where_one_is(espalier, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    printed = json.loads(espalier("explain", TEXT, "-m", "./my model", "-x", "leave-one-out", "--json").stdout)
    listed = explain(TEXT, "lstm", "leave-one-out")
    assert printed["result"] == json.loads(listed.result.model_dump_json())


def test_without_a_model_the_first_of_the_catalog_is_meant(espalier):
    assert json.loads(espalier("predict", TEXT, "--json").stdout)["model"] == "bow"
    assert json.loads(espalier("explain", TEXT, "-x", "leave-one-out", "--json").stdout)["model"] == "bow"
    assert explain(TEXT, method="leave-one-out").model == "bow"


@pytest.mark.usefixtures("espalier")
def test_requests_without_a_model_mean_the_first_of_the_catalog():
    assert ExplanationRequest(text=TEXT).model == "bow"
    assert BatchRequest(texts=(TEXT,)).model == "bow"
    assert PredictionRequest(text=TEXT).model == "bow"
    assert StudyDesign(title="A study", protocol="coherence", methods=("hedge",)).models == ("bow",)


@pytest.mark.parametrize("given", ["./nothing", "/nowhere/at/all", "~/nothing-here"])
def test_a_folder_that_is_not_there_is_said_in_one_line(espalier, given):
    done = espalier("predict", TEXT, "--model", given)
    assert done.exit_code == 2
    assert f"no model: got '{given}'" in done.stderr


def test_two_folders_of_one_name_are_two_models(small_catalog, tmp_path):
    first = shutil.copytree(small_catalog.parent / "lstm", tmp_path / "a" / "lstm")
    second = shutil.copytree(small_catalog.parent / "bow", tmp_path / "b" / "lstm")
    catalog = Catalog(small_catalog, direct=[str(first)])
    assert [entry.name for entry in catalog.entries()] == ["lstm-2", "bow", "lstm"]
    assert catalog.first == "lstm-2"
    assert (catalog.choose(str(second)), catalog.choose(str(first)), catalog.choose("lstm")) == (
        "lstm-3",
        "lstm-2",
        "lstm",
    )
    assert catalog.load("lstm-3").family == "bow"


def test_an_empty_catalog_says_so(tmp_path):
    (tmp_path / "catalog.toml").write_text("")
    with pytest.raises(BadModel, match="no models: got an empty catalog"):
        Catalog(tmp_path / "catalog.toml").choose(None)


@pytest.mark.parametrize(
    ("given", "is_one"),
    [("org/name", True), ("gpt2", True), ("./org/name", False), ("a/b/c", False), ("/srv", False), ("~/model", False)],
)
def test_hub_ids_are_told_from_paths(given, is_one):
    assert looks_like_hub_id(given) == is_one


@pytest.mark.slow
def test_serve_takes_a_folder_and_means_it_when_no_model_is_named(small_catalog, folder, tmp_path):
    with serving(tmp_path, "--model", str(folder), ESPALIER_CATALOG=str(small_catalog)) as address:
        listed = httpx.get(f"{address}/v1/catalog", timeout=60).json()["models"]
        predicted = httpx.post(f"{address}/v1/predictions", json={"text": TEXT}, timeout=60).json()
        asked = {"text": TEXT, "method": "leave-one-out"}
        explained = httpx.post(
            f"{address}/v1/explanations", json=asked, headers={"Prefer": "wait=60"}, timeout=90
        ).json()
    assert [model["name"] for model in listed] == ["my-model", "bow", "lstm"]
    assert predicted["model"] == explained["explanation"]["model"] == "my-model"


@pytest.mark.slow
def test_a_model_that_cannot_be_loaded_is_named_and_the_others_are_served(small_catalog, folder, tmp_path):
    """Its worker was started again for ever."""
    (folder / "weights.safetensors").write_bytes(b"no weights")
    with serving(tmp_path, "--model", str(folder), ESPALIER_CATALOG=str(small_catalog)) as address:
        client = httpx.Client(base_url=address, timeout=60)
        named, deadline = [], time.monotonic() + 120
        while not named and time.monotonic() < deadline:  # a worker may be ready before it was asked for the model
            named = client.get("/health/ready").json()["problems"]
        listed = {model["name"]: model["problem"] for model in client.get("/v1/catalog").json()["models"]}
        refused = client.post("/v1/predictions", json={"text": TEXT})
        served = client.post("/v1/predictions", json={"text": TEXT, "model": "bow"})
        restarts = client.get("/metrics").text
    assert named == ["my-model cannot be loaded"]
    assert "my-model cannot be loaded: got" in listed["my-model"]
    assert listed["bow"] is None
    assert (refused.status_code, refused.json()["detail"]) == (422, listed["my-model"])
    assert served.status_code == 200
    assert 'espalier_worker_restarts_total{device="cpu",worker="0"} 0.0' in restarts
