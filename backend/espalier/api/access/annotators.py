"""An annotator's token opens the session it was given for, and nothing else: not even on a server without keys."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from espalier.api import problems
from espalier.api.access.doors import door
from espalier.studies.records.people import TOKEN_PREFIX


class AnnotatorsStayOut:
    """Refuses requests that carry such a token anywhere but at the open doors."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and door(scope["path"]) != "open":
            _, _, given = Request(scope).headers.get("authorization", "").partition(" ")
            if given.strip().startswith(TOKEN_PREFIX):
                said = "this token does not open this: got an annotator's, possible is /v1/session"
                await problems.response("not-allowed", 403, said)(scope, receive, send)
                return
        await self.app(scope, receive, send)
