"""KServe's V1 protocol: with KServe's own client, and at its edges."""

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from espalier.api.routes.kserve import ExplainBody, explain_instances
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.library import explain
from espalier.models.catalog import catalog
from espalier.models.predict import predict
from espalier.store.base import now

ROOT = Path(__file__).parents[2]
PEER = ROOT / ".cache" / "kserve" / "bin" / "python"
"""`make .cache/kserve/install.stamp` puts it there; `make test` does."""


async def test_explanations_are_given_as_they_were_stored() -> None:
    stored = '{"n":1 ,  "as":"it was written"}'

    class Stored:
        async def submit(self, request: ExplanationRequest, client: str) -> Job:
            return Job("a", "succeeded", request, now(), client, explanation=stored)

    engine: Any = Stored()
    answer = await explain_instances("sst2-bow", ExplainBody(instances=["Good.", "Bad."]), engine, "me")
    assert answer.body.decode() == f'{{"explanations":[{stored},{stored}]}}'


def test_the_official_client_finds_models_predicts_and_explains(service: str) -> None:
    script = Path(__file__).with_name("kserve_peer.py")
    done = subprocess.run([PEER, script, service], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["listed"] == [entry.name for entry in catalog().entries()]
    assert answer["ready"] == [True] * len(answer["listed"])

    here = predict(catalog().load("sst2-bow"), "A lovely film.")
    first, second = answer["predicted"]["predictions"]
    assert first["probabilities"] == pytest.approx(dict(zip(here.classes, here.probabilities, strict=True)), abs=1e-6)
    assert (first["label"], second["label"]) == ("positive", "negative")

    (explained,) = answer["explained"]["explanations"]
    same = explain("A lovely film.", "sst2-bow", "leave-one-out")
    assert explained["result"] == json.loads(same.result.model_dump_json())


@pytest.mark.parametrize(
    ("verb", "body", "status", "said"),
    [
        ("predict", {"instances": []}, 422, "instances"),
        ("predict", {"instances": ["x"] * 2001}, 422, "instances"),
        ("explain", {"instances": ["x"] * 65}, 422, "instances"),
        ("predict", {"instances": [""]}, 422, "empty text"),
        ("predict", {}, 422, "instances"),
        ("explain", {"instances": [{"text": "Good.", "colour": "red"}]}, 422, "got colour"),
        ("explain", {"instances": ["Good."], "parameters": {"method": "magic"}}, 404, "unknown method"),
        ("explain", {"instances": ["Good.", "good " * 600], "parameters": {"method": "hedge"}}, 422, "too"),
        ("describe", {"instances": ["Good."]}, 405, "GET"),
    ],
)
def test_what_cannot_be_served_is_a_problem(service: str, verb: str, body: object, status: int, said: str) -> None:
    answer = httpx.post(f"{service}/v1/models/sst2-bow:{verb}", json=body, timeout=60)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert said in answer.json()["detail"]


def test_many_instances_are_predicted_in_order_and_as_one_by_one(service: str) -> None:
    texts = [f"The {noun} is {word}." for noun in ("film", "music") for word in ("good", "bad", "warm") * 70]
    instances: list[object] = [*texts, {"text": "A film.", "pair": "It is dull."}]
    answer = httpx.post(f"{service}/v1/models/sst2-bow:predict", json={"instances": instances}, timeout=120)
    found = answer.json()["predictions"]
    model = catalog().load("sst2-bow")
    assert len(found) == len(instances)
    for text, each in zip([*texts, None], found, strict=True):
        alone = predict(model, text) if text else predict(model, "A film.", "It is dull.")
        assert list(each["probabilities"].values()) == pytest.approx(alone.probabilities, abs=1e-9)
        assert each["label"] == alone.label


def test_a_bad_instance_among_many_is_said(service: str) -> None:
    body = {"instances": ["Good."] * 300 + [""]}
    answer = httpx.post(f"{service}/v1/models/sst2-bow:predict", json=body, timeout=60)
    assert (answer.status_code, "empty text" in answer.json()["detail"]) == (422, True)


def test_a_model_that_is_not_there_is_said_with_those_that_are(service: str) -> None:
    for answer in (
        httpx.get(f"{service}/v1/models/nobody"),
        httpx.post(f"{service}/v1/models/nobody:predict", json={"instances": ["Good."]}),
    ):
        assert answer.status_code == 404
        assert "sst2-bow" in answer.json()["detail"]
