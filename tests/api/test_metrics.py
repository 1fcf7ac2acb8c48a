"""/metrics, read by Prometheus' own parser."""

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from espalier.api.app import create_app
from espalier.settings import Settings


@pytest.fixture
def client(tmp_path) -> TestClient:
    return TestClient(create_app(Settings(frontend=tmp_path)), raise_server_exceptions=False)


def samples(client: TestClient, name: str) -> dict[tuple[str, ...], float]:
    """Values by the values of their labels."""
    text = client.get("/metrics").text
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
