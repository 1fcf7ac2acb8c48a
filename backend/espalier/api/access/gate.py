"""Lets through who has the right key: programs by an Authorization header, browsers by the cookie of their sign-in."""

import time
from collections.abc import Callable
from urllib.parse import urlencode

from fastapi.responses import RedirectResponse
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from espalier.access import KEY, AccessKey, Caller, KeyBook, SignInBook, fits, read
from espalier.api import problems
from espalier.api.access.doors import SIGN_IN, door
from espalier.api.access.origin import check_origin
from espalier.api.access.policy import KeyPolicy
from espalier.api.access.threads import look_up
from espalier.problems import Problem

COOKIE = "espalier_sign_in"

KEEP_SECONDS = 5.0
"""How long a key that was looked up is remembered: a revoked key is refused after that time."""


class NoKey(Problem):
    code = "no-key"
    status = 401


class NotAllowed(Problem):
    code = "not-allowed"
    status = 403


class Gate:
    """Leaves who asked in `scope["state"]["caller"]`: the key's id, else the address. Quotas are counted by it, and it
    is whom what was asked for belongs to."""

    def __init__(
        self, app: ASGIApp, book: Callable[[], KeyBook], sign_ins: Callable[[], SignInBook], policy: KeyPolicy
    ) -> None:
        self.app = app
        self.policy = policy
        self._keys = _Remembered(lambda identity: book().get(identity))
        self._sign_ins = sign_ins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        try:
            key = await self._key(request)
        except Problem as problem:
            # Another key helps who has none or a lesser one; it does not help where keys cannot be looked up.
            shown = self._to_sign_in(request) if problem.status in (401, 403) else None
            asking = {"WWW-Authenticate": 'Bearer realm="espalier"'} if problem.status == 401 else {}
            await (shown or problems.answer(problem, asking))(scope, receive, send)
            return
        address = request.client.host if request.client else "unknown"
        caller = Caller(f"{KEY}{key.id}", key.scope == "admin") if key else Caller(f"address:{address}")
        scope.setdefault("state", {})["caller"] = caller
        await self.app(scope, receive, send)

    async def _key(self, request: Request) -> AccessKey | None:
        # Not request.url: that is put together from the Host header, in which anything may stand.
        need = door(request.scope["path"])
        # CORS asks first without any key (OPTIONS); nothing but headers is answered.
        if need == "open" or not self.policy.asks(request.scope) or request.method == "OPTIONS":
            return None
        if (given := _bearer(request)) is not None:
            key = await self._by_key(given)
        elif (token := request.cookies.get(COOKIE)) is not None:
            # Asked for every time: whoever signs out, at this server or another, is out.
            key = await look_up(self._sign_ins().key, token)
            check_origin(request)
        else:
            raise NoKey(
                "an access key is needed: got none, possible is an Authorization: Bearer header with a key "
                "that espalier keys create gave"
            )
        if key is None:
            raise NoKey("this access key is not valid: got one that is unknown or revoked, possible is a current one")
        if not key.opens(need):
            raise NotAllowed(f"this access key does not open this: got scope {key.scope}, possible is {need}")
        return key

    async def _by_key(self, text: str) -> AccessKey | None:
        parts = read(text)
        if parts is None:
            return None
        identity, secret = parts
        key = await self._keys.get(identity)
        return key if fits(key, secret) else None

    @staticmethod
    def _to_sign_in(request: Request) -> RedirectResponse | None:
        """A person who opens a page is shown where to enter a key; a program gets the problem."""
        wants_page = "text/html" in request.headers.get("accept", "")
        if request.method != "GET" or not wants_page or request.scope["path"].startswith("/v1/"):
            return None
        asked = request.scope["path"]
        if query := request.scope["query_string"].decode("latin-1"):
            asked += f"?{query}"
        return RedirectResponse(SIGN_IN if asked == "/" else f"{SIGN_IN}?{urlencode({'next': asked})}", 303)


def _bearer(request: Request) -> str | None:
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else None


class _Remembered:
    """Keys as they were a moment ago, so that not every request asks the store."""

    def __init__(self, look: Callable[[str], AccessKey | None]) -> None:
        self._look = look  # late: the store opens when the server starts, after it was put together
        self._kept: dict[str, tuple[float, AccessKey]] = {}

    async def get(self, name: str) -> AccessKey | None:
        until, key = self._kept.get(name, (0.0, None))
        if until >= time.monotonic():
            return key
        key = await look_up(self._look, name)
        self._kept.pop(name, None)
        if key is not None:  # what is unknown is not kept: anyone could fill the memory with it
            self._kept[name] = (time.monotonic() + KEEP_SECONDS, key)
        return key
