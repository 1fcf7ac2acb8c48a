"""Where a person enters a key, on a server that asks for keys; and where they sign out. Pages without scripts.

The browser then has a token of its own, which is not the key: it ends with signing out, with the key, or after a month.
"""

from html import escape
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from espalier.access import fits, read
from espalier.api.access.doors import SIGN_IN, SIGN_OUT
from espalier.api.access.gate import COOKIE
from espalier.api.access.origin import check_origin, local
from espalier.api.access.threads import look_up

router = APIRouter(include_in_schema=False)

KEEP_DAYS = 30

HINT = "espalier_signed_in"
"""A cookie that scripts can read, so that pages show how to sign out. It says that somebody did sign in, and opens
nothing."""

# Where a page sends no referrer, as all others here, a browser says "null" for the origin of its forms, too.
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
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
{said}
<form method="post" action="{action}">
<input type="hidden" name="next" value="{target}">
<label>Access key
<input name="key" type="password" autocomplete="current-password" required autofocus></label>
<button>Sign in</button>
</form>
<p>Signed in already? <a href="{target}">Go on</a>, or</p>
<form method="post" action="{end}"><button>Sign out</button></form>
</main></body></html>"""


def _page(target: str, problem: str = "", status: int = 200) -> HTMLResponse:
    said = f'<p role="alert">{escape(problem)}</p>' if problem else ""
    page = _PAGE.format(said=said, action=SIGN_IN, end=SIGN_OUT, target=escape(target))
    return HTMLResponse(page, status, {"Cache-Control": "no-store"})


@router.get(SIGN_IN)
async def sign_in_page(next: str = "/") -> HTMLResponse:
    """Who follows a link from elsewhere comes here even when signed in, for the cookie stays behind: "Go on"."""
    return _page(local(next))


@router.post(SIGN_IN)
async def sign_in(request: Request) -> Response:
    """Scripts cannot read the cookie, and a browser sends it along with nothing that another site asks for."""
    check_origin(request)
    fields = parse_qs((await request.body()).decode("utf-8", "replace"))
    target = local(fields.get("next", ["/"])[0])
    parts = read(fields.get("key", [""])[0])
    key = await look_up(request.app.state.keys.get, parts[0]) if parts else None
    if key is None or parts is None or not fits(key, parts[1]):
        return _page(target, "This key is not valid.", 401)
    token = await look_up(request.app.state.sign_ins.begin, key)
    answer = RedirectResponse(target, 303)
    is_secure = request.url.scheme == "https"
    for name, value, hidden in ((COOKIE, token, True), (HINT, "yes", False)):
        answer.set_cookie(name, value, max_age=KEEP_DAYS * 86_400, httponly=hidden, samesite="strict", secure=is_secure)
    return answer


@router.post(SIGN_OUT)
async def sign_out(request: Request) -> Response:
    check_origin(request)
    if (token := request.cookies.get(COOKIE)) is not None:
        await look_up(request.app.state.sign_ins.end, token)
    answer = RedirectResponse(SIGN_IN, 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    answer.delete_cookie(HINT, samesite="strict")
    return answer
