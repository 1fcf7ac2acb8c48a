"""The built interface, served from the same port as the API."""

from os import PathLike, stat_result
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

from espalier.api import problems
from espalier.api.problems import NotReady


def install(app: FastAPI, folder: Path) -> None:
    """Pages have routes of their own: a catch-all at the root would hide the API's 404 and 405 answers.

    Scripts and styles carry a hash in their names and may be kept forever; pages must be asked for again each time.
    """

    def page(name: str, status: int = 200) -> FileResponse:
        path = folder / name
        if not path.is_file():
            raise NotReady(f"the interface is not built: got no {path}, possible is after make run")
        return FileResponse(path, status, {"Cache-Control": "no-cache"})

    # The page itself knows which of its parts stands at which address (frontend/src/routes.tsx).
    @app.get("/", include_in_schema=False)
    @app.get("/lab", include_in_schema=False)
    @app.get("/lab/{path:path}", include_in_schema=False)
    @app.get("/studies", include_in_schema=False)
    @app.get("/studies/{path:path}", include_in_schema=False)
    @app.get("/s/{path:path}", include_in_schema=False)
    def interface() -> FileResponse:
        return page("index.html")

    @app.get("/docs", include_in_schema=False)
    def docs() -> FileResponse:
        return page("docs.html")

    @app.exception_handler(HTTPException)
    def failed(request: Request, error: HTTPException) -> Response:
        """A person who follows a wrong link gets the page that says so; a program gets the problem it can read."""
        if error.status_code == 404 and _navigates(request) and (folder / "index.html").is_file():
            return page("index.html", 404)
        return problems.failed(request, error)

    app.mount("/assets", Assets(directory=folder / "assets", check_dir=False))


def _navigates(request: Request) -> bool:
    """Whether somebody's browser asks for a page. Below /v1 everything speaks to programs, whoever asks."""
    asked = "text/html" in request.headers.get("accept", "")
    return asked and request.method in ("GET", "HEAD") and not request.url.path.startswith("/v1/")


class Assets(StaticFiles):
    """Files whose names change with their contents."""

    async def check_config(self) -> None:
        """An interface that is not built has no files: that is no failure of the server."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
