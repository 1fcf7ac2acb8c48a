"""Whether a browser's request comes from a page of this server. The cookie alone does not say: a browser may send it
along with what another site makes it ask for."""

from urllib.parse import urlsplit

from starlette.requests import Request

from espalier.problems import Problem

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""They change nothing, and no other site can read their answers."""


class WrongOrigin(Problem):
    code = "wrong-origin"
    status = 403


def check_origin(request: Request) -> None:
    """Refuse what changes something unless a page of this server asks for it: browsers say with each such request which
    page asks."""
    if request.method in SAFE:
        return
    given = request.headers.get("origin", "")
    try:
        asked = urlsplit(given).netloc.lower()
    except ValueError:
        asked = ""
    if not asked or asked != request.headers.get("host", "").lower():
        raise WrongOrigin(
            f"another site asks: got Origin {given[:100] or 'none'!r}, possible is this server's own, "
            "or an Authorization header instead of the cookie"
        )


def local(target: str) -> str:
    """A path of this server to go on to; the first page where it is none. `//host` and `/\\host` lead elsewhere."""
    fine = target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable()
    return target if fine else "/"
