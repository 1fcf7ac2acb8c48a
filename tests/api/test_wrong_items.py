"""Lists of what they should not hold, and more fields than there are: refused at the first, for little work."""

import json
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from espalier.api import strict_json
from espalier.api.app import create_app
from espalier.api.routes.batches import BatchRequest
from espalier.api.routes.kserve import PredictBody
from espalier.api.routes.stand_ins import StandInsRequest
from espalier.datasets.forms import Dataset
from espalier.explain.request import ExplanationRequest
from espalier.fields import Several
from espalier.lab.design import EvaluationDesign
from espalier.settings import Settings
from espalier.studies.design import StudyDesign

pytestmark = pytest.mark.slow  # a refused connection is kept open for a second

MANY = 90_000
"""As many as a body may have values."""

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    folder = tmp_path_factory.mktemp("data")
    made = create_app(Settings(data=folder, frontend=folder))
    made.state.store.migrate()
    return made


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


STUDY = {"title": "T", "protocol": "coherence", "methods": ["leave-one-out"]}
WRONG: dict[str, tuple[Any, dict[str, Any]]] = {
    "texts": (BatchRequest, {"texts": [1] * MANY}),
    "background of a batch": (BatchRequest, {"texts": ["A film."], "background": [1] * MANY}),
    "outcomes": (ExplanationRequest, {"text": "A film.", "outcomes": [1] * MANY}),
    "spans": (ExplanationRequest, {"text": "A film.", "spans": [1] * MANY}),
    "pairs in spans": (ExplanationRequest, {"text": "A film.", "spans": [["x", "y"]] * MANY}),
    "background": (ExplanationRequest, {"text": "A film.", "background": [1] * MANY}),
    "absent": (StandInsRequest, {"text": "A film.", "absent": ["x"] * MANY}),
    "models of a run": (EvaluationDesign, {"models": [1] * MANY, "methods": [{"method": "hedge"}]}),
    "methods of a run": (EvaluationDesign, {"models": ["m"], "methods": [1] * MANY}),
    "rows": (Dataset, {"kind": "rows", "rows": [1] * MANY}),
    "rows of a run": (
        EvaluationDesign,
        {"models": ["m"], "methods": [], "dataset": {"kind": "rows", "rows": [1] * MANY}},
    ),
    "providers": (StudyDesign, STUDY | {"recruiting": {"providers": [1] * MANY}}),
    "gold": (StudyDesign, STUDY | {"gold": [1] * MANY}),
    "practice": (
        StudyDesign,
        STUDY | {"practice": [{"text": "A film.", "phrases": [1] * MANY, "answers": [1] * MANY}]},
    ),
    "instances": (PredictBody, {"instances": [1] * MANY}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_list_of_wrong_items_is_a_few_errors(name: str) -> None:
    form, given = WRONG[name]
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(form).validate_python(given)
    assert refused.value.error_count() <= 5


def test_no_more_items_are_looked_at_than_there_may_be() -> None:
    """Items that are right one by one: the length is known before they are looked at."""
    looked_at = 0

    def look(item: int) -> int:
        nonlocal looked_at
        looked_at += 1
        return item

    eight = TypeAdapter(Annotated[Several[Annotated[int, AfterValidator(look)]], Field(max_length=8)])
    with pytest.raises(ValidationError, match="at most 8 items"):
        eight.validate_python([1] * MANY)
    assert looked_at <= 9


ATTACKS: dict[str, tuple[str, bytes]] = {
    "texts": ("/v1/batches", json.dumps({"texts": [1] * 1_300_000}).encode()),
    "outcomes": ("/v1/explanations", json.dumps({"text": "A film.", "outcomes": [1] * 330_000}).encode()),
    "spans": ("/v1/explanations", json.dumps({"text": "A film.", "spans": [1] * 330_000}).encode()),
    "absent": ("/v1/stand-ins", json.dumps({"text": "A film.", "absent": ["x"] * 190_000}).encode()),
    "models": ("/v1/evaluations/plan", json.dumps({"models": [1] * 660_000}).encode()),
    "rows": ("/v1/studies/datasets", json.dumps({"kind": "rows", "rows": [1] * 660_000}).encode()),
    "rows of a study": ("/v1/studies", json.dumps({"dataset": {"kind": "rows", "rows": [{}] * 300_000}}).encode()),
    "instances": ("/v1/models/sst2-bow:predict", json.dumps({"instances": [1] * 330_000}).encode()),
    "unknown fields": ("/v1/batches", json.dumps({f"field{number}": 1 for number in range(400_000)}).encode()),
    "fewer unknown fields": ("/v1/evaluations", json.dumps({f"f{number}": 1 for number in range(40_000)}).encode()),
    "fields of a row": (
        "/v1/studies/datasets",
        json.dumps({"kind": "rows", "rows": [{f"f{number}": 1 for number in range(900)}] * 40}).encode(),
    ),
    "empty objects": ("/v1/batches", json.dumps({"texts": [{}] * 1_000_000}).encode()),
    "empty texts": ("/v1/studies", b'{"title": [' + b'"",' * 1_000_000 + b'""]}'),
    "as many as pass": ("/v1/batches", json.dumps({"texts": [1] * (strict_json.MOST_VALUES - 1)}).encode()),
}


async def spent(client: httpx.AsyncClient, path: str, body: bytes) -> float:
    started = time.thread_time()
    answer = await client.post(path, content=body, headers=JSON)
    took = time.thread_time() - started
    assert answer.status_code == 422, answer.text[:300]
    assert len(answer.content) < 5_000
    return took


@pytest.mark.parametrize("name", ATTACKS)
async def test_a_body_of_wrong_items_costs_no_more_than_one_text_of_its_size(
    client: httpx.AsyncClient, name: str
) -> None:
    """Processor time of the thread that answers everybody. A text of the same size is refused as well, once read."""
    path, body = ATTACKS[name]
    plain = json.dumps({"unknown": "x" * len(body)}).encode()[: len(body) - 2] + b'"}'
    await spent(client, path, b"{}")
    allowed = 10 * min([await spent(client, path, plain) for _ in range(3)]) + 0.05
    assert min([await spent(client, path, body) for _ in range(3)]) < allowed


async def test_a_dataset_of_as_many_rows_as_there_may_be_is_read(client: httpx.AsyncClient) -> None:
    rows = [{"text": f"Film {number}, a good one.", "label": "positive"} for number in range(20_000)]
    answer = await client.post("/v1/studies/datasets", json={"kind": "rows", "rows": rows})
    assert answer.status_code == 200, answer.text
    assert answer.json()["rows"] == 20_000


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
async def test_a_body_in_another_encoding_is_not_counted_past(client: httpx.AsyncClient, encoding: str) -> None:
    body = json.dumps({f"field{number}": 1 for number in range(5_000)}).encode(encoding)
    answer = await client.post("/v1/explanations", content=body, headers=JSON)
    assert answer.status_code == 422
    assert "not UTF-8" in answer.json()["detail"]
