"""The interface on the API's port, and what keeps the server running."""

from pathlib import Path

from fastapi.testclient import TestClient

from espalier.api.app import create_app
from espalier.settings import Settings


def built(folder: Path) -> Settings:
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<title>Espalier</title>")
    (folder / "docs.html").write_text("<title>API</title>")
    (folder / "assets" / "index-1a2b.js").write_text("export {}")
    return Settings(frontend=folder)


def test_pages_are_asked_for_again_and_hashed_files_are_kept(tmp_path: Path) -> None:
    client = TestClient(create_app(built(tmp_path)))
    assert "Espalier" in client.get("/").text
    assert "API" in client.get("/docs").text
    assert client.get("/").headers["cache-control"] == "no-cache"
    assert "immutable" in client.get("/assets/index-1a2b.js").headers["cache-control"]


def test_files_outside_the_interface_are_not_served(tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    client = TestClient(create_app(built(folder)))
    assert client.get("/assets/..%2f..%2fsecret.txt").status_code == 404


def test_files_of_an_interface_that_is_not_built_are_not_there(tmp_path: Path) -> None:
    client = TestClient(create_app(Settings(frontend=tmp_path / "none")), raise_server_exceptions=False)
    assert client.get("/assets/index.js").status_code == 404


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_a_person_at_an_unknown_address_gets_the_page_that_says_so(tmp_path: Path) -> None:
    lost = TestClient(create_app(built(tmp_path))).get("/no/such/page", headers=BROWSER)
    assert lost.status_code == 404
    assert lost.headers["content-type"].startswith("text/html")
    assert "Espalier" in lost.text


def test_a_program_at_an_unknown_address_gets_a_problem(tmp_path: Path) -> None:
    client = TestClient(create_app(built(tmp_path)))
    for answer in (client.get("/no/such/page"), client.get("/v1/no-such-thing", headers=BROWSER)):
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
    assert client.post("/no/such/page", headers=BROWSER).headers["content-type"] == "application/problem+json"


def test_an_interface_that_is_not_built_is_said_and_the_api_still_answers(tmp_path: Path) -> None:
    client = TestClient(create_app(Settings(frontend=tmp_path)))
    assert client.get("/").status_code == 503
    assert "make run" in client.get("/").json()["detail"]
    assert client.get("/health/live").status_code == 200


def test_the_server_is_ready_only_once_the_first_model_is_loaded(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/health/ready").json() == {"status": "ready", "problems": []}
    not_started = TestClient(create_app(Settings(frontend=tmp_path)))
    assert not_started.get("/health/ready").status_code == 503


def test_the_description_of_the_api_names_the_problem_document(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    assert "ProblemDocument" in description["components"]["schemas"]
    answers = description["paths"]["/v1/predictions"]["post"]["responses"]
    assert "application/problem+json" in answers["4XX"]["content"]
