"""Who is let in, with which key, to what."""

import asyncio
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from espalier.access import AccessKey, Scope, issue
from espalier.api import problems
from espalier.api.access import gate, sign_in
from espalier.api.access.gate import COOKIE, Gate
from espalier.api.access.policy import KeyPolicy
from espalier.store import StoreUnavailable

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


class Signed(dict[str, str]):
    """Sign-ins in memory."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def begin(self, key: AccessKey) -> str:
        self[token := f"token{len(self)}"] = key.id
        return token

    def key(self, token: str) -> AccessKey | None:
        found = self._book.get(self.get(token, ""))
        return None if found is None or found.revoked else found

    def end(self, token: str) -> None:
        self.pop(token, None)


@pytest.fixture
def book() -> Book:
    return Book()


def guarded(book: Book, required: bool = True) -> TestClient:
    app = FastAPI()
    problems.install(app)
    app.add_middleware(
        Gate,
        book=lambda: book,
        sign_ins=lambda: app.state.sign_ins,
        policy=KeyPolicy(always=required, when_forwarded=True),
    )
    app.state.keys = book
    app.state.sign_ins = Signed(book)
    app.include_router(sign_in.router)

    @app.api_route("/{path:path}", methods=["GET", "POST"])
    def anything(path: str, request: Request) -> str:
        return str(request.state.caller.client)

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


OWN = {"Origin": "http://testserver"}


def test_a_person_signs_in_once_and_the_cookie_is_not_the_key(book: Book) -> None:
    client, key = guarded(book), book.issue("use")
    sent_on = client.get("/", headers=PAGE)
    assert (sent_on.status_code, sent_on.headers["location"]) == (303, "/sign-in")
    assert "<script" not in client.get("/sign-in").text
    assert client.post("/sign-in", data={"key": "wrong"}, headers=OWN).status_code == 401
    cookies = client.post("/sign-in", data={"key": f" {key}\n"}, headers=OWN).headers.get_list("set-cookie")
    (cookie,) = [each.lower() for each in cookies if each.startswith(f"{COOKIE}=")]
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert key.split("_", 2)[2] not in client.cookies[COOKIE]
    assert client.get("/", headers=PAGE).status_code == 200


def signed_in(book: Book) -> TestClient:
    client = guarded(book)
    client.post("/sign-in", data={"key": book.issue("use")}, headers=OWN)
    return client


def test_signing_out_ends_it_at_once_for_whoever_has_the_cookie(book: Book) -> None:
    client = signed_in(book)
    stolen = {"Cookie": f"{COOKIE}={client.cookies[COOKIE]}"}
    assert guarded(book).get("/v1/catalog", headers=stolen).status_code == 401  # another server's book
    assert client.get("/v1/catalog").status_code == 200
    client.post("/sign-out", headers=OWN)
    assert COOKIE not in client.cookies
    assert client.get("/v1/catalog", headers=stolen).status_code == 401


def test_a_page_can_see_that_somebody_signed_in_and_nothing_more(book: Book) -> None:
    client = guarded(book)
    answer = client.post("/sign-in", data={"key": book.issue("use")}, headers=OWN)
    readable = [each for each in answer.headers.get_list("set-cookie") if "httponly" not in each.lower()]
    assert [each.split(";")[0] for each in readable] == ["espalier_signed_in=yes"]
    client.post("/sign-out", headers=OWN)
    assert dict(client.cookies) == {}


def test_what_pages_see_of_a_sign_in_opens_nothing(book: Book) -> None:
    forged = {"Cookie": "espalier_signed_in=yes"}
    assert guarded(book).get("/v1/catalog", headers=forged).status_code == 401


def test_a_revoked_key_ends_its_sign_ins(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "KEEP_SECONDS", -1)
    client = signed_in(book)
    (identity,) = book
    book[identity] = replace(book[identity], revoked=datetime.now(UTC))
    assert client.get("/v1/catalog").status_code == 401


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://testserver.evil.example", "http://["])
def test_another_site_cannot_ask_in_the_name_of_who_is_signed_in(book: Book, origin: str | None) -> None:
    client = signed_in(book)
    headers = {} if origin is None else {"Origin": origin}
    refused = client.post("/v1/explanations", headers=headers)
    assert refused.status_code == 403
    assert refused.json()["type"] == "urn:espalier:problem:wrong-origin"
    assert client.post("/sign-out", headers=headers).status_code == 403
    assert client.post("/v1/explanations", headers=OWN).status_code == 200
    assert client.get("/v1/catalog", headers=headers).status_code == 200


def test_a_key_in_the_header_needs_no_origin(book: Book) -> None:
    assert guarded(book).post("/v1/explanations", headers=bearer(book.issue("use"))).status_code == 200


def test_signing_in_leads_to_where_the_person_wanted_to_go(book: Book) -> None:
    client, key = guarded(book), book.issue("use")
    wanted = "/?text=A%20film%20%26%20more&method=hedge"
    page = client.get(client.get(wanted, headers=PAGE).headers["location"])
    target = unescape(re.findall(r'name="next" value="([^"]*)"', page.text)[0])
    assert target == wanted
    assert client.post("/sign-in", data={"key": key, "next": target}, headers=OWN).headers["location"] == wanted


@pytest.mark.parametrize("elsewhere", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:1", ""])
def test_signing_in_leads_nowhere_else(book: Book, elsewhere: str) -> None:
    client, key = guarded(book), book.issue("use")
    assert f'value="{elsewhere}"' not in client.get("/sign-in", params={"next": elsewhere}).text or not elsewhere
    answer = client.post("/sign-in", data={"key": key, "next": elsewhere}, headers=OWN)
    assert answer.headers["location"] == "/"


class Away(Book):
    """A store that does not answer."""

    def get(self, id: str, default: object = None) -> AccessKey:  # type: ignore[override]
        raise StoreUnavailable("the store cannot be used now")


@pytest.mark.parametrize("headers", [{}, PAGE])
def test_whoever_comes_while_keys_cannot_be_looked_up_is_told_when_to_come_again(headers: dict[str, str]) -> None:
    answer = guarded(Away()).get("/", headers=bearer(issue("for a test", "use")[1]) | headers)
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1


async def test_threads_that_are_taken_by_other_work_lock_nobody_out(book: Book) -> None:
    key, free = book.issue("use"), threading.Event()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    taken = asyncio.create_task(asyncio.to_thread(free.wait, 60))
    await asyncio.sleep(0)
    transport = httpx.ASGITransport(app=guarded(book).app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client, asyncio.timeout(30):
        assert (await client.post("/v1/explanations", headers=bearer(key))).status_code == 200
    free.set()
    await taken


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
        ("local", "0.0.0.0", False),
        ("required", "127.0.0.1", True),
    ],
)
def test_keys_are_asked_for_where_others_can_reach_the_server(policy, host: str, asked: bool) -> None:
    assert KeyPolicy.of(policy, host).always is asked


@pytest.mark.parametrize(
    ("proxies", "names", "asked"),
    [
        (("127.0.0.1",), (), True),
        ((), ("demo.example",), True),
        ((), ("localhost", "demo.example"), True),
        ((), ("localhost", "127.0.0.1"), False),
    ],
)
def test_a_trusted_proxy_or_a_public_name_means_that_others_reach_a_loopback_address(
    proxies: tuple[str, ...], names: tuple[str, ...], asked: bool
) -> None:
    assert KeyPolicy.of("auto", "127.0.0.1", proxies, names).always is asked
    assert KeyPolicy.of("local", "0.0.0.0", proxies, names).always is asked
    assert KeyPolicy.of("off", "127.0.0.1", proxies, names).always is False


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via", "X-Real-IP"]
)
def test_a_request_that_came_through_a_proxy_needs_a_key_even_on_loopback(book: Book, header: str) -> None:
    client, key = guarded(book, required=False), book.issue("use")
    assert client.get("/v1/catalog").status_code == 200
    assert client.get("/v1/catalog", headers={header: "203.0.113.7"}).status_code == 401
    assert client.get("/v1/catalog", headers={header: "203.0.113.7"} | bearer(key)).status_code == 200


def test_a_proxy_that_leaves_no_header_is_known_by_its_old_http() -> None:
    policy = KeyPolicy.of("local", "0.0.0.0")
    assert policy.asks({"type": "http", "http_version": "1.0", "headers": []})
    assert not policy.asks({"type": "http", "http_version": "1.1", "headers": []})


def test_keys_that_are_off_are_off_behind_a_proxy_as_well() -> None:
    forwarded = {"type": "http", "http_version": "1.1", "headers": [(b"via", b"1.1 proxy")]}
    assert not KeyPolicy.of("off", "127.0.0.1", ("127.0.0.1",)).asks(forwarded)
