"""Where a person enters a key, on a server that asks for keys. One page without scripts."""

import asyncio
from html import escape
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from espalier.access import fits, read
from espalier.api.access.doors import SIGN_IN
from espalier.api.access.gate import COOKIE

router = APIRouter(include_in_schema=False)

KEEP_DAYS = 30

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Espalier · sign in</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }}
main {{ max-width: 26rem; margin: 18vh auto 0; padding: 0 1rem; }}
h1 {{ font: 600 1.6rem/1.2 Georgia, serif; }}
input, button {{ font: inherit; width: 100%; box-sizing: border-box; padding: .6rem; margin-top: .5rem; }}
[role=alert] {{ color: light-dark(#a33b00, #ffb07c); }}
</style>
</head>
<body><main>
<h1>Espalier</h1>
<p>This server asks for an access key. Whoever runs it can give you one.</p>
{problem}
<form method="post" action="{action}">
<label>Access key
<input name="key" type="password" autocomplete="current-password" required autofocus></label>
<button>Sign in</button>
</form>
</main></body></html>"""


def _page(problem: str = "", status: int = 200) -> HTMLResponse:
    said = f'<p role="alert">{escape(problem)}</p>' if problem else ""
    return HTMLResponse(_PAGE.format(problem=said, action=SIGN_IN), status, {"Cache-Control": "no-store"})


@router.get(SIGN_IN)
async def sign_in_page() -> HTMLResponse:
    return _page()


@router.post(SIGN_IN)
async def sign_in(request: Request) -> Response:
    """Scripts cannot read the cookie, and a browser sends it along with no other site's requests, only with links."""
    given = parse_qs((await request.body()).decode("utf-8", "replace")).get("key", [""])[0]
    parts = read(given)
    key = await asyncio.to_thread(request.app.state.keys.get, parts[0]) if parts else None
    if parts is None or not fits(key, parts[1]):
        return _page("This key is not valid.", 401)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        COOKIE,
        given.strip(),
        max_age=KEEP_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return answer
