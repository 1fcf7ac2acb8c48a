"""What a browser may do with an answer: strict for everything, with exceptions by path.

Nothing on a page may come from elsewhere, no script may stand in a page itself, and no other site may frame a page or
read an answer (there are no CORS headers unless an operator names origins).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(frozen=True)
class PagePolicy:
    """Who may frame a page, and where its forms may lead besides its own server."""

    framed_by: tuple[str, ...] = ()
    forms_to: tuple[str, ...] = ()
    headers: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        headers = {
            "Content-Security-Policy": self.content_security_policy(),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        if not self.framed_by:
            headers["X-Frame-Options"] = "DENY"  # says only "nobody"; hosts that may are for frame-ancestors to name
        object.__setattr__(self, "headers", headers)

    def content_security_policy(self) -> str:
        rules = {
            "default-src": ["'self'"],
            "script-src": ["'self'"],
            # Dialogs and menus lock scrolling with a style element of their own; a style cannot run anything.
            "style-src": ["'self'", "'unsafe-inline'"],
            # Pictures are saved from memory: an SVG becomes a PNG by way of an image.
            "img-src": ["'self'", "data:", "blob:"],
            "font-src": ["'self'", "data:"],
            "connect-src": ["'self'"],
            "object-src": ["'none'"],
            "base-uri": ["'none'"],
            "form-action": ["'self'", *self.forms_to],
            "frame-ancestors": [*self.framed_by] or ["'none'"],
        }
        return "; ".join(f"{name} {' '.join(values)}" for name, values in rules.items())


STRICT = PagePolicy()

MTURK = ("https://www.mturk.com", "https://worker.mturk.com", "https://workersandbox.mturk.com")
PROLIFIC = ("https://app.prolific.com", "https://app.prolific.co")

ANNOTATION = PagePolicy(framed_by=("'self'", *MTURK, *PROLIFIC), forms_to=MTURK)
"""Study pages: shown inside the providers' own pages, and finished by a form that goes to MTurk."""

POLICIES: tuple[tuple[str, PagePolicy], ...] = (("/s/", ANNOTATION),)
"""Exceptions from STRICT by the beginning of the path; the first that fits."""


class SecurityHeaders:
    """Puts the policy of its path on every answer, whatever made it."""

    def __init__(self, app: ASGIApp, policies: Iterable[tuple[str, PagePolicy]] = POLICIES) -> None:
        self.app = app
        self.policies: Sequence[tuple[str, PagePolicy]] = tuple(policies)

    def policy(self, path: str) -> PagePolicy:
        return next((policy for beginning, policy in self.policies if path.startswith(beginning)), STRICT)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        policy = self.policy(scope["path"])

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(policy.headers)
            await send(message)

        await self.app(scope, receive, protected)
