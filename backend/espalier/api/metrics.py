"""Numbers for whoever keeps the server running, in Prometheus' text format at /metrics."""

import time
from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from espalier.api.dependencies import EngineDep
from espalier.engine.protocol import End, EngineStatus

router = APIRouter(tags=["health"])

SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """What is counted. Each app has its own, so that two in one process do not add up."""

    def __init__(self) -> None:
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
        labels = ("method", "status")
        self.jobs = Counter("espalier_jobs", "Jobs that ended.", labels, registry=self.registry)
        self.evaluations = Counter(
            "espalier_evaluations", "Evaluations of models by ended jobs.", ("method",), registry=self.registry
        )
        self.model_seconds = Counter(
            "espalier_model_seconds", "Seconds jobs waited for the model.", ("method",), registry=self.registry
        )
        self.queued = Gauge("espalier_jobs_queued", "Jobs no worker has begun.", registry=self.registry)
        self.running = Gauge("espalier_jobs_running", "Jobs that workers are doing.", registry=self.registry)
        self.workers = _Workers()
        self.registry.register(self.workers)
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def ended(self, end: End) -> None:
        """Called by the engine at the end of every job that a worker of this server did."""
        job = end.job
        method = job.request.method
        self.jobs.labels(method, job.status).inc()
        self.evaluations.labels(method).inc(job.evaluated)
        self.model_seconds.labels(method).inc(end.model_seconds)

    def look(self, status: EngineStatus) -> None:
        """How the engine is at this moment."""
        self.queued.set(status.queued)
        self.running.set(status.running)
        self.workers.status = status


class _Workers(Collector):
    """One sample for each worker there is. Their restarts are counted by the engine."""

    status: EngineStatus | None = None

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("espalier_worker_up", "1 when the worker is ready.", labels=("worker", "device"))
        restarts = CounterMetricFamily(
            "espalier_worker_restarts", "Times the worker was started again.", labels=("worker", "device")
        )
        memory = GaugeMetricFamily("espalier_worker_memory_bytes", "Memory of the worker.", labels=("worker", "device"))
        running = GaugeMetricFamily(
            "espalier_worker_running", "Jobs the worker is doing, of all servers.", labels=("worker", "device")
        )
        waiting = GaugeMetricFamily(
            "espalier_worker_waiting", "Jobs that wait for the worker, of all servers.", labels=("worker", "device")
        )
        lapsed = CounterMetricFamily("espalier_claims_lapsed", "Jobs that were taken from a server that has gone.")
        lapsed.add_metric((), self.status.taken_over if self.status else 0)
        for number, worker in enumerate(self.status.workers if self.status else ()):
            labels = (worker.name or str(number), worker.device)
            running.add_metric(labels, worker.running)
            waiting.add_metric(labels, worker.waiting)
            up.add_metric(labels, float(worker.state == "ready"))
            restarts.add_metric(labels, worker.restarts)
            memory.add_metric(labels, worker.memory_bytes or 0)
        return iter((up, restarts, memory, running, waiting, lapsed))


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
async def metrics(request: Request, engine: EngineDep) -> Response:
    """Requests, jobs, queue, evaluations and workers, counted since the server started."""
    kept: Metrics = request.app.state.metrics
    kept.look(await engine.status())
    return Response(generate_latest(kept.registry), media_type=CONTENT_TYPE_LATEST)
