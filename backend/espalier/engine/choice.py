"""Which crew does the work: the one place that knows them all."""

import asyncio
import os

from espalier.edition import edition
from espalier.engine.crews.embedded.crew import EmbeddedCrew
from espalier.engine.crews.embedded.devices import default_devices
from espalier.engine.crews.protocol import Crew
from espalier.engine.crews.ray.crew import RayCrew
from espalier.models.describe import Shelf
from espalier.places import MODELS
from espalier.settings import Settings
from espalier.store import Store
from espalier.store.turn import Turn

QUESTIONS_AT_ONCE = 2
"""Predictions and trees that a worker is asked for side by side: it has as many threads for them."""

FEW_CORES = 2
"""Where a worker is asked for one at a time: beside a flood of them, explanations then took a seventh to a quarter less
than beside two at a time."""

CLUSTER_QUESTIONS = 16
"""The same for a cluster, whose workers come and go."""


def choose_crew(chosen: Settings, store: Store, shelf: Shelf) -> Crew:
    """As the settings say."""
    limits, catalog = chosen.worker_limits, shelf.catalog
    if chosen.engine == "embedded":
        return EmbeddedCrew(catalog.path, chosen.devices or default_devices(), limits, catalog.direct)
    assert chosen.ray_address is not None
    turn = Turn(store, f"workers of {edition()}")
    # What is shipped is on every machine, each in its own place.
    shipped = catalog.path == MODELS / "catalog.toml"
    return RayCrew(
        chosen.ray_address,
        lambda: asyncio.to_thread(turn.is_mine),
        catalog=None if shipped else catalog.path,
        limits=limits,
        direct=catalog.direct,
        wanted=chosen.ray_model_workers,
        least=chosen.ray_workers,
        idle_seconds=chosen.ray_idle_seconds,
    )


def questions_at_once(chosen: Settings) -> int:
    """Predictions and trees that are asked for side by side."""
    if chosen.engine == "ray":
        return CLUSTER_QUESTIONS
    each = 1 if (os.cpu_count() or 1) <= FEW_CORES else QUESTIONS_AT_ONCE
    return each * len(chosen.devices or default_devices())
