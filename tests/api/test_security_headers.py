"""What browsers are told about every answer."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from espalier.api.app import create_app
from espalier.settings import Settings


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<title>Espalier</title>")
    (folder / "assets" / "index-1a2b.js").write_text("export {}")
    return folder


@pytest.fixture(scope="module")
def client(built: Path) -> TestClient:
    """Not entered: the headers need no model."""
    return TestClient(create_app(Settings(frontend=built)), raise_server_exceptions=False)


def rules(policy: str) -> dict[str, list[str]]:
    return {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}


@pytest.mark.parametrize("path", ["/", "/assets/index-1a2b.js", "/openapi.json", "/health/live", "/nothing", "/s/x"])
def test_every_answer_forbids_guessing_types_and_scripts_from_elsewhere(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = rules(headers["content-security-policy"])
    assert policy["script-src"] == ["'self'"]
    assert policy["default-src"] == ["'self'"]
    assert policy["object-src"] == policy["base-uri"] == ["'none'"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_failure_of_the_server_carries_them_too(built: Path) -> None:
    app = create_app(Settings(frontend=built))

    @app.get("/fails")
    def fails() -> None:
        raise RuntimeError

    answer = TestClient(app, raise_server_exceptions=False).get("/fails")
    assert answer.status_code == 500
    assert "content-security-policy" in answer.headers


def test_nobody_may_frame_the_workbench(client: TestClient) -> None:
    headers = client.get("/").headers
    assert rules(headers["content-security-policy"])["frame-ancestors"] == ["'none'"]
    assert headers["x-frame-options"] == "DENY"


def test_study_pages_may_be_framed_by_the_providers_and_send_their_form_to_mturk(client: TestClient) -> None:
    headers = client.get("/s/some-study").headers
    policy = rules(headers["content-security-policy"])
    assert "https://worker.mturk.com" in policy["frame-ancestors"]
    assert "https://app.prolific.com" in policy["frame-ancestors"]
    assert {"https://www.mturk.com", "https://workersandbox.mturk.com"} <= set(policy["form-action"])
    assert "x-frame-options" not in headers


def test_other_sites_may_not_read_answers(client: TestClient) -> None:
    answer = client.get("/health/live", headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in answer.headers


def test_sites_the_operator_names_may_read_answers(built: Path) -> None:
    client = TestClient(create_app(Settings(frontend=built, cors_origins="https://a.example, https://b.example")))
    for origin, allowed in (("https://b.example", "https://b.example"), ("https://c.example", None)):
        answer = client.get("/health/live", headers={"Origin": origin})
        assert answer.headers.get("access-control-allow-origin") == allowed
