"""The door on real sockets: bodies that are too large, too slow or of the wrong kind; names, headers and paths."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

from espalier.api import http_protocol, problems
from espalier.api.http_protocol import StrictProtocol
from espalier.api.request_guard import RequestGuard
from espalier.settings import Settings

Address = tuple[str, int]


class Echo(BaseModel):
    text: str


def guarded(**options: Any) -> FastAPI:
    app = FastAPI(redirect_slashes=False)
    problems.install(app)
    app.add_middleware(RequestGuard, **{"max_bytes": 1000, "seconds": 0.3, **options})

    @app.post("/echo")
    async def echo(body: Echo) -> Echo:
        return body

    return app


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_protocol, "HEADER_SECONDS", 0.3)
        config = uvicorn.Config(guarded(), port=0, http=StrictProtocol, ws="none", log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.005)
        yield server.servers[0].sockets[0].getsockname()
        server.should_exit = True
        thread.join()


def answer_to(address: Address, *pieces: bytes) -> tuple[int, dict[str, str], bytes]:
    """What the server says to these bytes before it closes or the answer is whole."""
    with socket.create_connection(address, timeout=10) as connection:
        for piece in pieces:
            connection.sendall(piece)
        received = b""
        while b"\r\n\r\n" not in received:
            received += (more := connection.recv(65536))
            assert more, f"closed without an answer: {received!r}"
        head, _, body = received.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        while len(body) < int(headers.get("content-length", 0)):
            body += connection.recv(65536)
    return int(lines[0].split()[1]), headers, body


def problem_of(answer: tuple[int, dict[str, str], bytes], status: int) -> str:
    got, headers, body = answer
    assert got == status
    assert headers["content-type"] == "application/problem+json"
    document = json.loads(body)
    assert document["status"] == status
    return str(document["detail"])


def post(length: int | None, *more: str, kind: str = "application/json", host: str = "127.0.0.1") -> bytes:
    lines = ["POST /echo HTTP/1.1", f"Host: {host}", f"Content-Type: {kind}", *more]
    lines += [] if length is None else [f"Content-Length: {length}"]
    return "\r\n".join([*lines, "", ""]).encode()


BODY = b'{"text": "good"}'


def test_a_whole_body_in_pieces_is_answered(address: Address) -> None:
    status, _, body = answer_to(address, post(len(BODY)), BODY[:5], BODY[5:])
    assert (status, json.loads(body)) == (200, {"text": "good"})


def test_a_body_that_trickles_is_cut_off(address: Address) -> None:
    started = time.monotonic()
    answer = answer_to(address, post(len(BODY)), BODY[:5])
    assert "came too slowly" in problem_of(answer, 408)
    assert answer[1]["connection"] == "close"
    assert time.monotonic() - started < 5


def test_a_chunked_body_that_trickles_is_cut_off(address: Address) -> None:
    chunk = b"5\r\n" + BODY[:5] + b"\r\n"
    problem_of(answer_to(address, post(None, "Transfer-Encoding: chunked"), chunk), 408)


def test_a_declared_length_beyond_the_limit_is_refused_before_the_body_comes(address: Address) -> None:
    assert "up to 1,000 bytes" in problem_of(answer_to(address, post(10**12, "Expect: 100-continue")), 413)


def test_a_chunked_body_beyond_the_limit_is_refused(address: Address) -> None:
    chunk = b"400\r\n" + b"x" * 1024 + b"\r\n"
    problem_of(answer_to(address, post(None, "Transfer-Encoding: chunked"), chunk), 413)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_a_body_that_is_not_called_json_is_refused(address: Address, kind: str) -> None:
    assert "possible is application/json" in problem_of(answer_to(address, post(len(BODY), kind=kind), BODY), 415)


def test_the_media_type_may_carry_a_character_set(address: Address) -> None:
    assert answer_to(address, post(len(BODY), kind="Application/JSON; charset=utf-8"), BODY)[0] == 200


@pytest.mark.parametrize(
    "body", [b"{not json", b"", b"\xff\xfe", b"[" * 900, b'{"text": 1}', b"null", b'{"text": ' + b"9" * 900 + b"}"]
)
def test_a_body_that_is_not_what_it_should_be_is_a_problem(address: Address, body: bytes) -> None:
    status, headers, _ = answer_to(address, post(len(body)), body)
    assert status in (400, 422)
    assert headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999", b"-1E+400", b"9" * 400 + b".0"])
def test_a_number_that_json_does_not_have_is_refused(address: Address, number: bytes) -> None:
    body = b'{"text": "good", "seed": ' + number + b"}"
    assert "not finite" in problem_of(answer_to(address, post(len(body)), body), 422)


def test_half_a_surrogate_pair_is_refused_wherever_it_stands(address: Address) -> None:
    body = b'{"text": "good", "other": {"\\uD83D": 1}}'
    assert "lone surrogate U+D83D" in problem_of(answer_to(address, post(len(body)), body), 422)


@pytest.mark.parametrize("body", [rb'{"text": "\ud83c\udfac NaN 1e999"}', b'{"text": "good", "seed": 1e100}'])
def test_what_only_looks_suspicious_passes(address: Address, body: bytes) -> None:
    assert answer_to(address, post(len(body)), body)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost@evil"])
def test_a_server_on_loopback_is_not_reached_by_another_sites_name(address: Address, host: str) -> None:
    assert "ESPALIER_ALLOWED_HOSTS" in problem_of(answer_to(address, post(len(BODY), host=host), BODY), 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:80"])
def test_a_server_on_loopback_is_reached_by_its_own_names(address: Address, host: str) -> None:
    assert answer_to(address, post(len(BODY), host=host), BODY)[0] == 200


def test_named_hosts_are_the_only_ones() -> None:
    app = guarded(hosts=("demo.example",))
    assert TestClient(app, base_url="http://demo.example:90").post("/echo", json={"text": "x"}).status_code == 200
    assert TestClient(app, base_url="http://localhost").post("/echo", json={"text": "x"}).status_code == 421


NOT_HTTP = {
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n",
    "a space before the colon": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A : x\r\n\r\n",
    "a line break in a header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: x\n\x00y: z\r\n\r\n",
    "two lengths": post(3, "Content-Length: 4") + b"abcd",
    "a negative length": post(-1),
    "two hosts": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "an unknown transfer coding": post(None, "Transfer-Encoding: gzip, chunked"),
    "a space in the path": b"GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("trick", NOT_HTTP)
def test_what_is_not_http_is_refused_with_a_problem(address: Address, trick: str) -> None:
    status, headers, _ = answer_to(address, NOT_HTTP[trick])
    assert status in (400, 501)
    assert headers["content-type"] == "application/problem+json"
    assert headers["connection"] == "close"
    assert "content-security-policy" in headers


def test_headers_without_end_are_refused(address: Address) -> None:
    problem_of(answer_to(address, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-A: " + b"x" * 100_000), 431)


def test_headers_that_trickle_are_cut_off(address: Address) -> None:
    assert "no whole request came" in problem_of(answer_to(address, b"GET / HTTP/1.1\r\nHost: loc"), 408)


def test_the_second_request_on_a_connection_may_not_dawdle_either(address: Address) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(post(len(BODY)) + BODY)
        first = b""
        while not first.endswith(BODY.replace(b" ", b"")):
            first += connection.recv(65536)
        assert first.startswith(b"HTTP/1.1 200")
        connection.sendall(b"POST /echo HTT")
        assert connection.recv(65536).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "path", ["/../etc/passwd", "/%2e%2e/etc/passwd", "//evil.example/", "/echo/", "/%00", "/echo%0d%0aX-A:%20b", "/\\"]
)
def test_path_tricks_find_nothing_and_lead_nowhere(address: Address, path: str) -> None:
    answer = answer_to(address, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    problem_of(answer, 404)
    assert "location" not in answer[1]
    assert "x-a" not in answer[1]


def test_connections_beyond_the_limit_are_told_to_come_again_and_the_others_are_served(address: Address) -> None:
    limited = Settings(connections=10)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as held:
        patch.setattr(http_protocol, "settings", lambda: limited)
        patch.setattr(http_protocol, "HEADER_SECONDS", 30.0)
        for _ in range(10):
            held.enter_context(socket.create_connection(address, timeout=10))
        deadline = time.monotonic() + 10
        while (answer := answer_to(address, b""))[0] != 503:
            assert time.monotonic() < deadline
        assert "too many connections" in problem_of(answer, 503)
        assert int(answer[1]["retry-after"]) > 0
    problem_of(answer_to(address, b"nonsense\r\n\r\n"), 400)  # there is room again


def test_one_address_cannot_take_all_connections(address: Address) -> None:
    limited = Settings(client_connections=3)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as held:
        patch.setattr(http_protocol, "settings", lambda: limited)
        patch.setattr(http_protocol, "_OWN", frozenset())
        patch.setattr(http_protocol, "HEADER_SECONDS", 30.0)
        for _ in range(3):
            held.enter_context(socket.create_connection(address, timeout=10))
        deadline = time.monotonic() + 10
        while (answer := answer_to(address, b""))[0] != 503:
            assert time.monotonic() < deadline
        assert "from 127.0.0.1" in problem_of(answer, 503)


@pytest.mark.parametrize("proxies", ["*", "127.0.0.1", "10.0.0.0/8,127.0.0.0/8"])
def test_a_trusted_proxy_may_open_connections_for_many(address: Address, proxies: str) -> None:
    limited = Settings(client_connections=3, trusted_proxies=proxies)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as held:
        patch.setattr(http_protocol, "settings", lambda: limited)
        patch.setattr(http_protocol, "_OWN", frozenset())
        patch.setattr(http_protocol, "HEADER_SECONDS", 30.0)
        for _ in range(6):
            held.enter_context(socket.create_connection(address, timeout=10))
        problem_of(answer_to(address, b"nonsense\r\n\r\n"), 400)  # answered, not sent away


def test_whoever_is_no_trusted_proxy_is_none() -> None:
    for trusted in ((), ("10.0.0.1",), ("10.0.0.0/8", "proxy.example")):
        assert not http_protocol._is_proxy("127.0.0.1", trusted)
