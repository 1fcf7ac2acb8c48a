"""Who is let in, with which key, to what."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from espalier.access import AccessKey, Scope, issue
from espalier.api import problems
from espalier.api.access import gate, sign_in
from espalier.api.access.gate import COOKIE, Gate

PAGE = {"Accept": "text/html,application/xhtml+xml"}


class Book(dict[str, AccessKey]):
    """Keys in memory."""

    def issue(self, scope: Scope) -> str:
        key, text = issue("for a test", scope)
        self[key.id] = key
        return text

    def revoke(self, text: str) -> None:
        identity = text.split("_")[1]
        self[identity] = replace(self[identity], revoked=datetime.now(UTC))


@pytest.fixture
def book() -> Book:
    return Book()


def guarded(book: Book, required: bool = True) -> TestClient:
    app = FastAPI()
    problems.install(app)
    app.add_middleware(Gate, book=lambda: book, required=required)
    app.state.keys = book
    app.include_router(sign_in.router)

    @app.api_route("/{path:path}", methods=["GET", "POST"])
    def anything(path: str, request: Request) -> str:
        return str(request.state.client)

    return TestClient(app, follow_redirects=False)


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_without_a_key_nothing_but_health_pages_and_study_sessions_is_open(book: Book) -> None:
    client = guarded(book)
    for path in ("/health/live", "/health/ready", "/assets/x.js", "/s/abc", "/v1/session", "/v1/sessions", "/sign-in"):
        assert client.get(path).status_code == 200, path
    for path in ("/v1/catalog", "/metrics", "/openapi.json", "/v1/studies", "/v1/sessionsx", "/healthx", "/new-route"):
        answer = client.get(path)
        assert answer.status_code == 401, path
        assert answer.json()["type"] == "urn:espalier:problem:no-key"
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_key_for_use_opens_everything_but_studies(book: Book) -> None:
    client, key = guarded(book), book.issue("use")
    assert client.get("/v1/catalog", headers=bearer(key)).status_code == 200
    refused = client.get("/v1/studies/1", headers=bearer(key))
    assert refused.status_code == 403
    assert "got scope use, possible is owner" in refused.json()["detail"]


def test_an_owners_key_opens_everything(book: Book) -> None:
    client, key = guarded(book), book.issue("owner")
    assert client.get("/v1/studies", headers=bearer(key)).status_code == 200
    assert client.get("/v1/catalog", headers=bearer(key)).status_code == 200


def test_a_client_is_known_by_its_key(book: Book) -> None:
    key = book.issue("use")
    assert guarded(book).get("/v1/catalog", headers=bearer(key)).json() == f"key:{key.split('_')[1]}"


@pytest.mark.parametrize("trick", ["", "x", "espalier_00000000_" + "a" * 43, "é", "espalier__"])
def test_what_is_not_a_key_is_refused(book: Book, trick: str) -> None:
    answer = guarded(book).get("/v1/catalog", headers=[(b"Authorization", f"Bearer {trick}".encode())])
    assert answer.status_code == 401


def test_another_keys_secret_does_not_fit(book: Book) -> None:
    first, second = book.issue("use"), book.issue("owner")
    mixed = "_".join([*second.split("_")[:2], first.split("_", 2)[2]])
    assert guarded(book).get("/v1/catalog", headers=bearer(mixed)).status_code == 401


def test_a_revoked_key_is_refused_after_a_moment(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "KEEP_SECONDS", 0)
    client, key = guarded(book), book.issue("use")
    assert client.get("/v1/catalog", headers=bearer(key)).status_code == 200
    book.revoke(key)
    assert client.get("/v1/catalog", headers=bearer(key)).status_code == 401


def test_a_host_header_with_a_path_in_it_opens_nothing(book: Book) -> None:
    answer = guarded(book).get("/v1/catalog", headers={"Host": "localhost/health/?"})
    assert answer.status_code == 401


def test_the_secret_is_not_kept(book: Book) -> None:
    secret = book.issue("use").split("_", 2)[2]
    assert secret not in repr(book)


def test_a_person_signs_in_once_and_a_script_cannot_read_the_cookie(book: Book) -> None:
    client, key = guarded(book), book.issue("use")
    sent_on = client.get("/", headers=PAGE)
    assert (sent_on.status_code, sent_on.headers["location"]) == (303, "/sign-in")
    assert "<script" not in client.get("/sign-in").text
    assert client.post("/sign-in", data={"key": "wrong"}).status_code == 401
    cookie = client.post("/sign-in", data={"key": f" {key}\n"}).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert client.cookies[COOKIE] == key
    assert client.get("/", headers=PAGE).status_code == 200


def test_programs_are_not_sent_to_the_sign_in_page(book: Book) -> None:
    assert guarded(book).get("/v1/catalog", headers=PAGE).status_code == 401


def test_without_keys_everyone_is_let_in_and_known_by_address(book: Book) -> None:
    client = guarded(book, required=False)
    assert client.get("/v1/studies").json() == "address:testclient"


@pytest.mark.parametrize(
    ("policy", "host", "asked"),
    [
        ("auto", "127.0.0.1", False),
        ("auto", "::1", False),
        ("auto", "localhost", False),
        ("auto", "127.8.9.10", False),
        ("auto", "0.0.0.0", True),
        ("auto", "::", True),
        ("auto", "192.168.1.4", True),
        ("auto", "localhost.example", True),
        ("off", "0.0.0.0", False),
        ("required", "127.0.0.1", True),
    ],
)
def test_keys_are_asked_for_where_others_can_reach_the_server(policy, host: str, asked: bool) -> None:
    assert gate.needed(policy, host) is asked
