"""Which key opens which path. What is not named here needs a key: a new route is closed until someone opens it."""

from typing import Literal

from espalier.access import Scope

Door = Scope | Literal["open"]

SIGN_IN = "/sign-in"
SIGN_OUT = "/sign-out"

_OPEN = (
    "/health/",  # for whoever keeps the server running
    "/assets/",
    SIGN_IN,
    SIGN_OUT,
    # Annotators have no key: a study's page, and their session, which has a token of its own.
    "/s/",
    "/v1/sessions",
    "/v1/session",
)
_OWNERS = "/v1/studies"
_ADMINS = ("/metrics", "/v1/edits")
"""What everybody together does, and what changes what everybody is offered: the catalog has no owners."""


def door(path: str) -> Door:
    """The key this request needs."""
    if any(path == opened.rstrip("/") or path.startswith(opened.rstrip("/") + "/") for opened in _OPEN):
        return "open"
    if path == _OWNERS or path.startswith(_OWNERS + "/"):
        return "owner"
    return "admin" if any(path == each or path.startswith(each + "/") for each in _ADMINS) else "use"
