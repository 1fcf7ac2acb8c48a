"""Refuse a request body that is too large before it is read into memory."""

from fastapi import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """Counts what arrives, so that a body without Content-Length, or with a false one, is stopped as well."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.max_bytes:
                # Reading stops here. FastAPI lets an HTTPException through and turns any other one into a plain 400.
                raise HTTPException(413, f"request body too large: possible are up to {self.max_bytes:,} bytes")
            return message

        await self.app(scope, counted, send)
