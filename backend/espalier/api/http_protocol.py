"""HTTP itself, stricter than uvicorn's default: what is not HTTP is answered with a problem, and headers cannot dawdle.

uvicorn waits for headers forever, so that a few hundred idle sockets could keep everyone else out.
"""

import asyncio
import sys
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from espalier.api import problems
from espalier.api.security_headers import STRICT
from espalier.settings import settings

_CODES = {408: "too-slow", 503: "busy"}
_AGAIN = {503: {"Retry-After": "5"}}

_OWN = frozenset({"127.0.0.1", "::1"})
"""Programs on this machine, a proxy among them perhaps, that speaks for many."""

HEADER_SECONDS = 15.0
"""How long a client may take to send its request line and headers."""


@lru_cache(maxsize=1_000)
def _is_proxy(address: str, trusted: tuple[str, ...]) -> bool:
    """By its address, by its network, or because all are (`*`): as uvicorn reads the same setting."""
    if "*" in trusted or address in trusted:
        return True
    with suppress(ValueError):  # a name, or a socket's path
        return any(ip_address(address) in ip_network(each) for each in trusted if "/" in each)
    return False


class StrictProtocol(H11Protocol):
    """`uvicorn.run(http=StrictProtocol)`."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if reason := self._too_many():
            self._refuse(503, reason)
            return
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None and not self.transport.is_closing():
            self._expect_headers()  # the first bytes of the next request on a connection that was kept

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _too_many(self) -> str | None:
        """Each connection takes a file of the process's, of which there are few; without any left nobody gets in."""
        if len(self.connections) > settings().connections:
            return f"too many connections: got more than {settings().connections}, possible is to come again later"
        address = self.client[0] if self.client else None
        if address is None or address in _OWN or _is_proxy(address, settings().trusted_proxies):
            return None
        others: list[Any] = [getattr(each, "client", None) for each in self.connections]
        of_one = sum(other is not None and other[0] == address for other in others)
        if of_one > settings().client_connections:
            return f"too many connections from {address}: possible are up to {settings().client_connections}"
        return None

    def send_400_response(self, msg: str) -> None:
        """Called by uvicorn while it handles h11's error, which knows better than 400 where headers are too long."""
        error = sys.exception()
        status = getattr(error, "error_status_hint", 400)
        self._refuse(status, f"this is not a request in HTTP/1.1: {error or msg}")

    def _expect_headers(self) -> None:
        self._waiting = self.loop.call_later(HEADER_SECONDS, self._headers_are_late)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _headers_are_late(self) -> None:
        self._waiting = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self._refuse(408, f"no whole request came: got none within {HEADER_SECONDS:g} seconds")

    def _refuse(self, status: int, detail: str) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = problems.response(
                _CODES.get(status, "bad-http"), status, detail, dict(STRICT.headers) | _AGAIN.get(status, {})
            )
            headers: list[Any] = [*answer.raw_headers, (b"connection", b"close")]
            response = h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status])
            for event in (response, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
