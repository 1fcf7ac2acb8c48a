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
    diagnoses,
    edits,
    evaluations,
    explanations,
    functions,
    health,
    kserve,
    participation,
    predictions,
    stand_ins,
    studies,
    study_measures,
    trees,
)
from espalier.engine.admission import Admission
from espalier.engine.batches import BatchLimits, BatchRunner
from espalier.engine.choice import choose_crew, questions_at_once
from espalier.engine.ledger.ledger import Ledger, Terms
from espalier.engine.protocol import Engine
from espalier.engine.turns import Turns
from espalier.lab.edits.place import no_edits
from espalier.lab.edits.plan import EditTerms
from espalier.lab.runner import RunLimits
from espalier.lab.service import Lab
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.settings import Settings, settings
from espalier.store import Store
from espalier.store.batches import Batches
from espalier.store.keys import AccessKeys
from espalier.store.sign_ins import SignIns
from espalier.studies.joins import Joins
from espalier.studies.proofs import ProlificKeys
from espalier.studies.reception import Reception
from espalier.studies.service import Studies

DATASETS_AT_ONCE = 2
"""Datasets, or all rows of a run, that are read side by side: each may take seconds, and a thread that others need."""

CLIENT_DATASETS = 8
DATASETS = 64
"""Of one client, and of all, that may be waited for."""


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the store and start the workers. They load models while the port answers; /health/ready says when."""
    await asyncio.to_thread(app.state.store.migrate)
    await asyncio.to_thread(guards.announce, app)
    await app.state.engine.start()
    await app.state.batches.start()
    await app.state.studies.begin()
    await app.state.lab.begin()
    yield
    app.state.stopping.set()
    await app.state.lab.end()
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
    app.state.shelf = Shelf(Catalog(chosen.catalog, direct=chosen.models, edits=chosen.edits))
    app.state.settings = chosen
    app.state.store = Store.at(chosen.database_url)
    app.state.engine = _engine(app.state.store, app.state.shelf, chosen)
    app.state.batches = _batches(app.state.engine, app.state.store, chosen)
    reception = Reception(app.state.store, Joins(chosen.joins), ProlificKeys(chosen.prolific_keys))
    app.state.studies = Studies(app.state.store, app.state.engine, app, reception)
    app.state.lab = _lab(app.state.engine, app.state.store, app.state.shelf, chosen)
    app.state.turns = Turns(questions_at_once(chosen), chosen.client_questions, chosen.questions)
    app.state.dataset_turns = Turns(DATASETS_AT_ONCE, CLIENT_DATASETS, DATASETS)
    app.state.keys = AccessKeys(app.state.store)
    app.state.sign_ins = SignIns(app.state.store)
    app.state.stopping = asyncio.Event()
    problems.install(app)
    openapi.name_event_models(app)
    guards.install(app, chosen)
    app.state.engine.on_end = app.state.metrics.ended
    for routes in (
        catalog,
        explanations,
        batches,
        predictions,
        stand_ins,
        trees,
        kserve,
        studies,
        study_measures,
        participation,
        evaluations,
        diagnoses,
        edits,
        functions,
    ):
        app.include_router(routes.router, prefix="/v1", responses=problems.RESPONSES)
    app.include_router(health.router)
    frontend.install(app, chosen.frontend)
    return app


def _engine(store: Store, shelf: Shelf, chosen: Settings) -> Engine:
    crew = choose_crew(chosen, store, shelf)
    admission = Admission(chosen.jobs, chosen.evaluations, chosen.client_jobs, chosen.client_evaluations)
    terms = Terms(timedelta(days=chosen.keep_days), chosen.claim_seconds)
    return Ledger(store, shelf, crew, terms, admission)


def _lab(engine: Engine, store: Store, shelf: Shelf, chosen: Settings) -> Lab:
    limits = RunLimits(chosen.client_evaluation_runs, chosen.client_evaluation_megabytes * 10**6)
    edits = EditTerms(bytes=chosen.worker_limits.hard_memory, refused=no_edits(chosen, store))
    return Lab(engine, store, shelf, limits, chosen.claim_seconds, edits)


def _batches(engine: Engine, store: Store, chosen: Settings) -> BatchRunner:
    limits = BatchLimits(chosen.client_batches, chosen.client_batch_megabytes * 10**6)
    return BatchRunner(engine, Batches(store), limits, chosen.claim_seconds)
