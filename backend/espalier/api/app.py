"""The application: routes, errors, limits, and the interface."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from espalier.api import frontend, metrics, openapi, problems
from espalier.api.request_guard import RequestGuard
from espalier.api.routes import catalog, explanations, health, kserve, predictions, trees
from espalier.api.security_headers import SecurityHeaders
from espalier.engine.in_process import InProcessEngine
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.settings import Settings, settings


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Load models in the background, so that the port answers at once and /health/ready says when the rest is there."""
    warming = asyncio.create_task(asyncio.to_thread(app.state.engine.warm))
    yield
    await warming


def create_app(chosen: Settings | None = None) -> FastAPI:
    """The service as `espalier serve` runs it."""
    chosen = chosen or settings()
    app = FastAPI(
        title="Espalier",
        version=version("espalier"),
        description="How a language model puts its prediction together, word by word, phrase by phrase.",
        lifespan=_lifespan,
        # FastAPI's own pages load their scripts from elsewhere; ours are built with the interface and work offline.
        docs_url=None,
        redoc_url=None,
        # A redirect would name the host that the request named, which may be anyone's.
        redirect_slashes=False,
        # Clients are generated: they get functions called make_prediction, not make_prediction_v1_predictions_post.
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.shelf = Shelf(Catalog(chosen.catalog))
    app.state.engine = InProcessEngine(app.state.shelf.catalog)
    app.state.stopping = asyncio.Event()
    problems.install(app)
    openapi.name_event_models(app)
    _guard(app, chosen)
    for routes in (catalog, explanations, predictions, trees, kserve):
        app.include_router(routes.router, prefix="/v1", responses=problems.RESPONSES)
    app.include_router(health.router)
    app.include_router(metrics.router)
    frontend.install(app, chosen.frontend)
    return app


def _guard(app: FastAPI, chosen: Settings) -> None:
    """What stands between the network and the routes; the last one added is met first."""
    app.add_middleware(
        RequestGuard, max_bytes=chosen.max_body_bytes, seconds=chosen.body_seconds, hosts=chosen.allowed_hosts
    )
    if chosen.cors_origins:
        app.add_middleware(CORSMiddleware, allow_origins=chosen.cors_origins, allow_methods=["*"], allow_headers=["*"])
    app.add_middleware(SecurityHeaders)
    app.state.metrics = metrics.Metrics()
    app.add_middleware(metrics.CountRequests, metrics=app.state.metrics)
