"""/metrics, read by Prometheus' own parser."""

import re
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from espalier.api.app import create_app
from espalier.api.metrics import Metrics
from espalier.engine.protocol import End
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.settings import Settings
from espalier.store.base import now


@pytest.fixture
def client(tmp_path) -> TestClient:
    return TestClient(create_app(Settings(frontend=tmp_path)), raise_server_exceptions=False)


def samples(client: TestClient, name: str) -> dict[tuple[str, ...], float]:
    return by_labels(client.get("/metrics").text, name)


def by_labels(text: str, name: str) -> dict[tuple[str, ...], float]:
    """Values by the values of their labels."""
    return {
        tuple(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name
    }


def test_requests_are_counted_by_route_and_status(client: TestClient) -> None:
    for _ in range(3):
        client.get("/health/live")
    client.get("/v1/nothing/here")
    counted = samples(client, "espalier_requests_total")
    assert counted["GET", "/health/live", "200"] == 3
    assert counted["GET", "none", "404"] == 1
    assert samples(client, "espalier_request_seconds_count")["GET", "/health/live"] == 3


def test_a_route_that_fails_is_counted_as_500(client: TestClient) -> None:
    @client.app.get("/fails")
    def fails() -> None:
        raise RuntimeError

    client.get("/fails")
    assert samples(client, "espalier_requests_total")["GET", "/fails", "500"] == 1


def test_methods_nobody_knows_are_counted_together(client: TestClient) -> None:
    for number in range(3):
        client.request(f"TRICK{number}", "/health/live")
    assert samples(client, "espalier_requests_total")["other", "/health/live", "405"] == 3


def test_jobs_are_counted_by_method_and_end(service: str) -> None:
    def counted(name: str) -> dict[tuple[str, ...], float]:
        return by_labels(httpx.get(f"{service}/metrics", timeout=60).text, name)

    before = counted("espalier_jobs_total").get(("hedge", "succeeded"), 0.0)
    body = {"text": "Counted once, and never before.", "model": "sst2-bow", "method": "hedge"}
    answer = httpx.post(f"{service}/v1/explanations", json=body, headers={"Prefer": "wait=30"}, timeout=60)
    assert answer.json()["status"] == "succeeded"
    assert counted("espalier_jobs_total")["hedge", "succeeded"] == before + 1
    assert counted("espalier_evaluations_total")["hedge",] > 0
    assert counted("espalier_model_seconds_total")["hedge",] > 0
    assert counted("espalier_jobs_queued") == {(): 0.0}
    assert all(up == 1 for up in counted("espalier_worker_up").values())
    assert counted("espalier_worker_restarts_total")


def test_every_metric_of_ours_is_documented(service: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    families = text_string_to_metric_families(httpx.get(f"{service}/metrics", timeout=60).text)
    # "_created" is when the counting began; the format adds it.
    names = re.compile(r"espalier_\w+(?<!_created)")
    ours = [family for family in families if names.fullmatch(family.name)]
    assert len(ours) >= 10
    for family in ours:
        name = f"{family.name}_total" if family.type == "counter" else family.name
        assert f"| `{name}` |" in page, name


def test_what_an_ended_job_took_is_counted_without_reading_its_explanation() -> None:
    """It can have megabytes, and is told of on the event loop."""
    counted = Metrics()
    job = Job("j", "succeeded", ExplanationRequest(text="A.", method="lime"), now(), evaluated=7, explanation="no JSON")
    counted.ended(End(job, 0.25))
    said = generate_latest(counted.registry).decode()
    assert 'espalier_model_seconds_total{method="lime"} 0.25' in said
    assert 'espalier_evaluations_total{method="lime"} 7.0' in said
