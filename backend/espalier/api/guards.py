"""What stands between the network and the routes."""

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from espalier.api import metrics
from espalier.api.access import gate, sign_in
from espalier.api.access.annotators import AnnotatorsStayOut
from espalier.api.access.doors import SIGN_IN
from espalier.api.request_guard import RequestGuard
from espalier.api.security_headers import SecurityHeaders
from espalier.settings import Settings


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
    app.add_middleware(gate.Gate, book=lambda: app.state.keys, required=gate.needed(chosen.keys, chosen.host))
    app.include_router(sign_in.router)
    if chosen.cors_origins:
        app.add_middleware(CORSMiddleware, allow_origins=chosen.cors_origins, allow_methods=["*"], allow_headers=["*"])
    app.add_middleware(SecurityHeaders)
    app.state.metrics = metrics.Metrics()
    app.add_middleware(metrics.CountRequests, metrics=app.state.metrics)
    app.include_router(metrics.router)
