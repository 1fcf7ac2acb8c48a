"""The door: what is refused before any route sees it.

A body is read here, once and whole, with a limit on its size and on how long it may take; the app gets it afterwards
from memory. So a client that trickles its body holds a connection, never a worker, and is sent away when its time is
up.
"""

import asyncio
import ipaddress
from collections.abc import Mapping, Sequence
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from espalier.api import problems, strict_json
from espalier.api.access.doors import door
from espalier.api.access.policy import LOOPBACK_NAMES
from espalier.api.room import NoRoom, Place, Room
from espalier.problems import Problem

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"

STRANGERS_BYTES = 32_000
"""Largest body where no key is asked for: an annotator's answer, a sign-in. Prolific's token takes a few thousand."""

LINGER_SECONDS = 1.0
"""How long a connection is kept open for a client that is refused while it still speaks."""


class TooLarge(Problem):
    code = "too-large"
    status = 413


class TooSlow(Problem):
    code = "too-slow"
    status = 408


class WrongMediaType(Problem):
    code = "wrong-media-type"
    status = 415


class NoSuchPath(Problem):
    code = "not-found"
    status = 404


class WrongHost(Problem):
    code = "wrong-host"
    status = 421


class RequestGuard:
    """Checks the name the server is called by, then the body's type, size and pace.

    `larger` gives paths that take more than `max_bytes`; `forms` are paths that take a browser's form, not JSON; `room`
    is how many bytes of all bodies together are held.
    """

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int,
        seconds: float,
        hosts: Sequence[str] = (),
        larger: Mapping[str, int] | None = None,
        forms: Sequence[str] = (),
        room: int = 200_000_000,
    ) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.seconds = seconds
        self.hosts = frozenset(host.lower() for host in hosts)
        self.larger = dict(larger or {})
        self.forms = frozenset(forms)
        self.room = Room(room)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with self.room.place() as place:
            try:
                headers = Headers(scope=scope)
                self._check_host(scope, headers)
                _check_path(scope["path"])
                body = await self._body(scope, headers, receive, place)
            except Problem as problem:
                refused = problem
            else:
                if body is not None:
                    await self.app(scope, _replay(body, receive), send)
                return
        pause = {"Retry-After": str(refused.retry_after)} if isinstance(refused, NoRoom) else {}
        answer = problems.response(refused.code, refused.status, refused.message, {"Connection": "close"} | pause)
        await _say_and_close(answer, scope, receive, send)

    def _check_host(self, scope: Scope, headers: Headers) -> None:
        """A page of another site can make its own name point here; a server for this machine alone is not fooled."""
        if scope["path"].startswith("/health/"):
            return  # asked by address, by whatever keeps the server running; gives nothing away
        name = _host_name(headers.get("host", ""))
        possible = self.hosts or (frozenset(LOOPBACK_NAMES) if _at_loopback(scope) else None)
        if possible is not None and name not in possible:
            raise WrongHost(
                f"this server is not known by that name: got {name or 'no Host'!r}, "
                f"possible are {', '.join(sorted(possible))} (ESPALIER_ALLOWED_HOSTS)"
            )

    async def _body(self, scope: Scope, headers: Headers, receive: Receive, place: Place) -> bytes | None:
        """The whole body; None when the client has gone."""
        declared = headers.get("content-length")
        if declared is None and "transfer-encoding" not in headers:
            return b""
        limit = self._limit(scope["path"])
        if declared is not None and declared.isdecimal() and int(declared) > limit:
            raise _too_large(limit)
        try:
            async with asyncio.timeout(self.seconds):
                body = await _read(receive, limit, place)
        except TimeoutError:
            raise TooSlow(
                f"the request body came too slowly: got an unfinished one after {self.seconds:g} seconds, "
                "possible is a whole one within that time"
            ) from None
        if body and self._check_type(scope["path"], headers.get("content-type", "")) == JSON:
            strict_json.check(body, self._most_fields(scope["path"]))
        return body

    def _most_fields(self, path: str) -> int:
        if path in self.larger:
            return strict_json.MOST_FIELDS_OF_ROWS
        return 5 * strict_json.MOST_FIELDS if path.endswith(":predict") else strict_json.MOST_FIELDS

    def _limit(self, path: str) -> int:
        if door(path) == "open":
            return min(self.max_bytes, STRANGERS_BYTES)
        return self.larger.get(path, self.max_bytes)

    def _check_type(self, path: str, content_type: str) -> str:
        media_type = content_type.partition(";")[0].strip().lower()
        possible = FORM if path in self.forms else JSON
        if media_type != possible:
            raise WrongMediaType(f"wrong media type: got {media_type or 'none'!r}, possible is {possible}")
        return possible


def _check_path(path: str) -> None:
    """No path here has control characters, and not every database takes them in a question."""
    if not path.isprintable():
        raise NoSuchPath(f"nothing is here: got {path!r}, possible is what /docs lists")


async def _say_and_close(answer: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """The connection ends with the answer. What is still on its way is taken in for a moment and thrown away: were it
    left unread, the network would throw away the answer instead, and the client would see nothing but a lost line."""

    async def hold(message: Message) -> None:
        await send({**message, "more_body": True} if message["type"] == "http.response.body" else message)

    await answer(scope, receive, hold)
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _read(receive: Receive, limit: int, place: Place) -> bytes | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > limit:
            raise _too_large(limit)
        place.take(len(body))
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()  # from here on only the client's leaving can come
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"request body too large: possible are up to {limit:,} bytes")


def _host_name(host: str) -> str:
    """Without the port; an IPv6 address keeps its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _at_loopback(scope: Scope) -> bool:
    """Whether the connection came in at an address that only this machine reaches."""
    address = (scope.get("server") or ("",))[0]
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
