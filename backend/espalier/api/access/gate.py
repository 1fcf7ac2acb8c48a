"""Lets through who has the right key: programs by an Authorization header, browsers by the cookie of their sign-in."""

import asyncio
import ipaddress
import time
from collections.abc import Callable
from typing import Literal

from fastapi.responses import RedirectResponse
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from espalier.access import AccessKey, KeyBook, fits, read
from espalier.api import problems
from espalier.api.access.doors import SIGN_IN, door
from espalier.problems import Problem

COOKIE = "espalier_key"

KEEP_SECONDS = 5.0
"""How long a key that was looked up is remembered: a revoked key is refused after that time."""


class NoKey(Problem):
    code = "no-key"
    status = 401


class NotAllowed(Problem):
    code = "not-allowed"
    status = 403


def needed(policy: Literal["auto", "required", "off"], host: str) -> bool:
    """Whether keys are asked for: by default on every address that other machines can reach."""
    if policy != "auto":
        return policy == "required"
    return not is_loopback(host)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class Gate:
    """Leaves who asked in `scope["state"]["client"]`: the key's id, else the address. Quotas are counted by it."""

    def __init__(self, app: ASGIApp, book: Callable[[], KeyBook], required: bool) -> None:
        self.app = app
        self.required = required
        self._keys = _Remembered(book)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        try:
            key = await self._key(request)
        except Problem as problem:
            answer = self._to_sign_in(request) or problems.response(
                problem.code, problem.status, problem.message, {"WWW-Authenticate": 'Bearer realm="espalier"'}
            )
            await answer(scope, receive, send)
            return
        address = request.client.host if request.client else "unknown"
        scope.setdefault("state", {})["client"] = f"key:{key.id}" if key else f"address:{address}"
        await self.app(scope, receive, send)

    async def _key(self, request: Request) -> AccessKey | None:
        # Not request.url: that is put together from the Host header, in which anything may stand.
        need = door(request.scope["path"])
        # CORS asks first without any key (OPTIONS); nothing but headers is answered.
        if need == "open" or not self.required or request.method == "OPTIONS":
            return None
        given = _bearer(request) or request.cookies.get(COOKIE)
        if given is None:
            raise NoKey(
                "an access key is needed: got none, possible is an Authorization: Bearer header with a key "
                "that espalier keys create gave"
            )
        key = await self._keys.check(given)
        if key is None:
            raise NoKey("this access key is not valid: got one that is unknown or revoked, possible is a current one")
        if not key.opens(need):
            raise NotAllowed(f"this access key does not open this: got scope {key.scope}, possible is {need}")
        return key

    @staticmethod
    def _to_sign_in(request: Request) -> RedirectResponse | None:
        """A person who opens a page is shown where to enter a key; a program gets the problem."""
        wants_page = "text/html" in request.headers.get("accept", "")
        if request.method != "GET" or not wants_page or request.scope["path"].startswith("/v1/"):
            return None
        return RedirectResponse(SIGN_IN, 303)


def _bearer(request: Request) -> str | None:
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else None


class _Remembered:
    """Keys by id as the book had them a moment ago, so that not every request asks the store."""

    def __init__(self, book: Callable[[], KeyBook]) -> None:
        self._book = book  # asked for late: the store opens when the server starts, after it was put together
        self._kept: dict[str, tuple[float, AccessKey]] = {}

    async def check(self, text: str) -> AccessKey | None:
        parts = read(text)
        if parts is None:
            return None
        identity, secret = parts
        until, key = self._kept.get(identity, (0.0, None))
        if until < time.monotonic():
            key = await asyncio.to_thread(self._book().get, identity)
            self._kept.pop(identity, None)
            if key is not None:  # unknown ids are not kept: anyone could fill the memory with them
                self._kept[identity] = (time.monotonic() + KEEP_SECONDS, key)
        return key if fits(key, secret) else None
