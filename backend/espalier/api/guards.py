"""What stands between the network and the routes."""

import structlog
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from espalier.api import metrics
from espalier.api.access import gate, sign_in
from espalier.api.access.annotators import AnnotatorsStayOut
from espalier.api.access.doors import SIGN_IN
from espalier.api.request_guard import RequestGuard
from espalier.api.security_headers import SecurityHeaders
from espalier.settings import Settings

_log = structlog.get_logger(__name__)


def install(app: FastAPI, chosen: Settings) -> None:
    """The last one added is met first: a request is counted, its answer given its headers, its key asked for, and only
    then its body read."""
    app.add_middleware(
        RequestGuard,
        max_bytes=chosen.max_body_bytes,
        seconds=chosen.body_seconds,
        hosts=chosen.allowed_hosts,
        larger=dict.fromkeys(("/v1/batches", "/v1/studies", "/v1/studies/datasets"), chosen.max_batch_bytes),
        forms=(SIGN_IN,),
    )
    app.add_middleware(AnnotatorsStayOut)
    app.state.keys_required = gate.needed(chosen.keys, chosen.host)
    app.add_middleware(gate.Gate, book=lambda: app.state.keys, required=app.state.keys_required)
    app.include_router(sign_in.router)
    if chosen.cors_origins:
        app.add_middleware(CORSMiddleware, allow_origins=chosen.cors_origins, allow_methods=["*"], allow_headers=["*"])
    app.add_middleware(SecurityHeaders)
    app.state.metrics = metrics.Metrics()
    app.add_middleware(metrics.CountRequests, metrics=app.state.metrics)
    app.include_router(metrics.router)


def announce(app: FastAPI) -> None:
    """Whoever starts a server that nobody can use should read why."""
    if app.state.keys_required and not any(key.revoked is None for key in app.state.keys.all()):
        _log.warning('access keys are asked for, and there is none: make one with espalier keys create "name"')
