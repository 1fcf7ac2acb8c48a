"""Every error the service answers with, in one shape: application/problem+json (RFC 9457)."""

import logging
from typing import Any, ClassVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from espalier.api.security_headers import STRICT
from espalier.problems import BeingMadeReady, Problem

MEDIA_TYPE = "application/problem+json"

RETRY_SECONDS = 5

MOST_ERRORS = 10
"""Errors of one request that are named."""

LONGEST_PART = 200
"""Characters of a field's name, or of what is wrong with it: the client chose them."""

_CODES = {404: "not-found", 405: "method-not-allowed", 413: "too-large"}

_log = logging.getLogger(__name__)


class MakingDocument(BaseModel):
    """How far a model is that is made ready for its first use."""

    done: int = Field(ge=0, description="Parts that are done.")
    count: int = Field(ge=1, description="Of how many; they take about the same time.")


class ProblemDocument(BaseModel):
    """What was wrong, and what would be right."""

    type: str = Field(description="Names the kind of problem for programs.", examples=["urn:espalier:problem:bad-text"])
    title: str = Field(description="The kind of problem in words; the same for every problem of its kind.")
    status: int
    detail: str = Field(description="What was wrong this time, and what is possible.")


RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "The request cannot be served as it is",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
    }
}
"""For the OpenAPI description of routes that answer with problems."""


class NotReady(Problem):
    """The server cannot do this yet, or not as it was set up."""

    code = "not-ready"
    status = 503


class Unavailable:
    """For the OpenAPI description of routes that need a worker or the store."""

    RESPONSES: ClassVar[dict[int | str, dict[str, Any]]] = {
        503: RESPONSES["4XX"]
        | {
            "description": "No worker or no store can be had now, or a model is made ready for "
            "its first use (`being-made-ready`, with `making: {done, count}`); try again after a moment"
        }
    }


def response(
    code: str,
    status: int,
    detail: str,
    headers: dict[str, str] | None = None,
    making: tuple[int, int] | None = None,
) -> JSONResponse:
    document = ProblemDocument(
        type=f"urn:espalier:problem:{code}",
        title=code.replace("-", " ").capitalize(),
        status=status,
        # A message may quote what the client sent; lone surrogates in it are not UTF-8.
        detail=detail.encode("utf-8", "backslashreplace").decode(),
    )
    # A member that only one kind of problem has, as RFC 9457 allows: how far a model's first use is.
    more = {} if making is None else {"making": MakingDocument(done=making[0], count=making[1]).model_dump()}
    return JSONResponse(document.model_dump() | more, status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Answer every failure of the app with a problem document."""
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, failed)
    app.add_exception_handler(Exception, _unexpected)

    describe = app.openapi

    def described() -> dict[str, Any]:
        # FastAPI names only the models of application/json answers by itself.
        description = describe()
        schema = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
        description["components"]["schemas"] |= schema.pop("$defs", {}) | {"ProblemDocument": schema}
        return description

    app.openapi = described  # type: ignore[method-assign]


def answer(error: Problem, more: dict[str, str] | None = None) -> JSONResponse:
    """A problem as it is answered wherever it shows up, with the headers that belong to it and others."""
    # Whatever is not available now may be in a moment: nobody should have to guess when to ask again.
    pause: int | None = getattr(error, "retry_after", RETRY_SECONDS if error.status == 503 else None)
    making = error.progress if isinstance(error, BeingMadeReady) else None
    headers = {} if pause is None else {"Retry-After": str(pause)}
    return response(error.code, error.status, error.message, headers | (more or {}), making)


def _problem(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)
    return answer(error)


def _invalid(_: Request, error: Exception) -> JSONResponse:
    """A body or query that is not of the described form. The values themselves are not echoed: they may be huge."""
    assert isinstance(error, RequestValidationError)
    errors = error.errors()
    found = [
        f"{_short('.'.join(map(str, each['loc']))) or 'request'}: {_short(each['msg'])}"
        for each in errors[:MOST_ERRORS]
    ]
    if len(errors) > MOST_ERRORS:
        found.append(f"and {len(errors) - MOST_ERRORS:,} more")
    return response("bad-request", 422, "the request is not of the expected form: " + "; ".join(found))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_PART else text[:LONGEST_PART] + "…"


def failed(request: Request, error: Exception) -> JSONResponse:
    """No such path, no such method, and whatever else the framework refuses by itself."""
    assert isinstance(error, HTTPException)
    detail = str(error.detail)
    if error.status_code == 404:
        detail = f"nothing is here: got {request.url.path}, possible is what /docs lists"
    if error.status_code == 405:
        possible = (error.headers or {}).get("Allow", "what /docs lists")
        detail = f"this method does not work here: got {request.method}, possible is {possible}"
    return response(_CODES.get(error.status_code, "bad-request"), error.status_code, detail, dict(error.headers or {}))


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    # The route, not the path: a path may hold what somebody wrote.
    route = getattr(request.scope.get("route"), "path", "none")
    _log.error("%s %s failed", request.method, route, exc_info=error)
    # Made outside all middleware, so the headers that every answer has are put on here.
    headers = dict(STRICT.headers)
    return response("internal-error", 500, "the server failed at this request; its log says why", headers)
