"""Numbers for whoever keeps the server running, in Prometheus' text format at /metrics."""

import time
from collections.abc import Iterable

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

router = APIRouter(tags=["health"])

SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """What is counted. Each app has its own, so that two in one process do not add up."""

    def __init__(self, collectors: Iterable[Collector] = ()) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "espalier_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "espalier_request_seconds",
            "Time until the answer began.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        for collector in collectors:
            self.registry.register(collector)


class CountRequests:
    """Counts by route, not by path: paths are without number."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status, waited = 500, 0.0  # what the server answers when a route fails

        async def counted(message: Message) -> None:
            nonlocal status, waited
            if message["type"] == "http.response.start":
                status, waited = message["status"], time.perf_counter() - started
            await send(message)

        try:
            await self.app(scope, receive, counted)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = getattr(scope.get("route"), "path", "none")
            self.metrics.requests.labels(method, route, str(status)).inc()
            self.metrics.seconds.labels(method, route).observe(waited or time.perf_counter() - started)


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "In Prometheus' format"}
    },
)
def metrics(request: Request) -> Response:
    """Requests, jobs, queue, evaluations and workers, counted since the server started."""
    kept: Metrics = request.app.state.metrics
    return Response(generate_latest(kept.registry), media_type=CONTENT_TYPE_LATEST)
