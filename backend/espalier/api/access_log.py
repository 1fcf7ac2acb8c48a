"""One line for each request: its route, never its path or query, in which texts and people's ids stand."""

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from espalier.access import KEY, Caller

_log = structlog.get_logger("espalier.requests")


class AccessLog:
    """Whoever asked is named only by the id of a key: an address may be an annotator's."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            caller: Caller | None = scope.get("state", {}).get("caller")
            known = {"key": caller.client.removeprefix(KEY)} if caller and caller.client.startswith(KEY) else {}
            seconds = round(time.perf_counter() - started, 3)
            _log.info("request", method=scope["method"], route=route_of(scope), status=status, seconds=seconds, **known)


def route_of(scope: Scope) -> str:
    """As it is written in the code; `none` where nothing answers, or a file does."""
    found: str = getattr(scope.get("route"), "path", "none")
    return found
