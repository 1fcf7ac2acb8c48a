"""The application: routes, errors, limits, and the interface."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.metadata import version

from fastapi import FastAPI

from espalier.api import frontend, guards, openapi, problems
from espalier.api.routes import (
    batches,
    catalog,
    explanations,
    health,
    kserve,
    participation,
    predictions,
    studies,
    trees,
)
from espalier.engine.admission import Admission
from espalier.engine.batches import BatchRunner
from espalier.engine.embedded.devices import default_devices
from espalier.engine.embedded.engine import EmbeddedEngine, Limits
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.settings import Settings, settings
from espalier.store import Store
from espalier.store.batches import Batches
from espalier.store.jobs import Jobs
from espalier.store.keys import AccessKeys
from espalier.studies.service import Studies


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the store and start the workers. They load models while the port answers; /health/ready says when."""
    await asyncio.to_thread(app.state.store.migrate)
    await asyncio.to_thread(guards.announce, app)
    await app.state.engine.start()
    await app.state.batches.start()
    await app.state.studies.begin()
    yield
    app.state.stopping.set()
    await app.state.studies.end()
    await app.state.batches.stop()
    await app.state.engine.stop(app.state.settings.stop_seconds)
    app.state.store.close()


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
    app.state.settings = chosen
    app.state.store = Store.at(chosen.database_url)
    app.state.engine = _engine(app.state.store, app.state.shelf, chosen)
    app.state.batches = BatchRunner(app.state.engine, Batches(app.state.store))
    app.state.studies = Studies(app.state.store, app.state.engine, app)
    app.state.keys = AccessKeys(app.state.store)
    app.state.stopping = asyncio.Event()
    problems.install(app)
    openapi.name_event_models(app)
    guards.install(app, chosen)
    app.state.engine.on_end = app.state.metrics.ended
    for routes in (catalog, explanations, batches, predictions, trees, kserve, studies, participation):
        app.include_router(routes.router, prefix="/v1", responses=problems.RESPONSES)
    app.include_router(health.router)
    frontend.install(app, chosen.frontend)
    return app


def _engine(store: Store, shelf: Shelf, chosen: Settings) -> EmbeddedEngine:
    limits = Limits(
        jobs=chosen.worker_jobs,
        models=chosen.worker_models,
        memory=chosen.worker_megabytes * 10**6,
        keep=timedelta(days=chosen.keep_days),
    )
    admission = Admission(chosen.jobs, chosen.evaluations, chosen.client_jobs, chosen.client_evaluations)
    return EmbeddedEngine(Jobs(store), shelf, chosen.devices or default_devices(), limits, admission)
