"""What stands between the network and the routes."""

import structlog
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from espalier.api import metrics
from espalier.api.access import gate, sign_in
from espalier.api.access.annotators import AnnotatorsStayOut
from espalier.api.access.doors import SIGN_IN, SIGN_OUT
from espalier.api.access.policy import KeyPolicy
from espalier.api.access_log import AccessLog
from espalier.api.pace import Pace
from espalier.api.request_guard import RequestGuard
from espalier.api.security_headers import SecurityHeaders
from espalier.settings import Settings

_log = structlog.get_logger(__name__)


def install(app: FastAPI, chosen: Settings) -> None:
    """The last one added is met first: a request is logged and counted, its answer given its headers, its key asked
    for, its turn waited for, and only then its body read."""
    app.add_middleware(
        RequestGuard,
        max_bytes=chosen.max_body_bytes,
        seconds=chosen.body_seconds,
        hosts=chosen.allowed_hosts,
        larger=dict.fromkeys(
            (
                *("/v1/batches", "/v1/studies", "/v1/studies/datasets", "/v1/evaluations", "/v1/evaluations/plan"),
                *("/v1/diagnoses", "/v1/diagnoses/plan", "/v1/edits", "/v1/edits/plan"),
            ),
            chosen.max_batch_bytes,
        ),
        forms=(SIGN_IN, SIGN_OUT),
        room=chosen.bodies_megabytes * 10**6,
    )
    app.add_middleware(AnnotatorsStayOut)
    policy = KeyPolicy.of(chosen.keys, chosen.host, chosen.trusted_proxies, chosen.allowed_hosts)
    app.add_middleware(Pace, policy=policy)
    app.state.keys_required = policy.always
    app.add_middleware(gate.Gate, book=lambda: app.state.keys, sign_ins=lambda: app.state.sign_ins, policy=policy)
    app.include_router(sign_in.router)
    if chosen.cors_origins:
        app.add_middleware(CORSMiddleware, allow_origins=chosen.cors_origins, allow_methods=["*"], allow_headers=["*"])
    app.add_middleware(SecurityHeaders)
    app.state.metrics = metrics.Metrics()
    app.add_middleware(metrics.CountRequests, metrics=app.state.metrics)
    app.include_router(metrics.router)
    app.add_middleware(AccessLog)


def announce(app: FastAPI) -> None:
    """Whoever starts a server that nobody can use should read why."""
    if app.state.keys_required and not any(key.revoked is None for key in app.state.keys.all()):
        _log.warning('access keys are asked for, and there is none: make one with espalier keys create "name"')
