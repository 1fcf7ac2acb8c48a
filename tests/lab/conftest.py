"""Runs without a server: the runner on a store, measured by real models in this process."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from espalier.engine.explainer import Explainer
from espalier.engine.units import begin
from espalier.lab.design import EvaluationDesign
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.runner import Runner
from espalier.library import shared_explainer
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.settings import settings
from espalier.store import Store, open_store
from espalier.store.evaluations import Evaluation, Evaluations


class Here:
    """Measures in this process, as a worker does: on threads, stopped when nobody waits."""

    def __init__(self, explainer: Explainer | None = None) -> None:
        self.explainer = explainer or shared_explainer()
        self.asked = 0
        self.fail: Exception | None = None
        self.wait = threading.Event()
        self.wait.set()

    async def measure(self, request: UnitRequest, client: str = "") -> FoundUnit:
        self.asked += 1
        if self.fail is not None:
            raise self.fail
        await asyncio.to_thread(self.wait.wait)
        measuring = begin(self.explainer, request, client)
        try:
            return await asyncio.to_thread(measuring.run)
        except asyncio.CancelledError:
            measuring.cancel()
            raise


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/lab.sqlite")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def shelf() -> Shelf:
    return Shelf(Catalog(settings().catalog))


@pytest.fixture
def engine() -> Here:
    return Here()


TEXTS = (
    "It is not good but fun .",
    "A lovely , warm film .",
    "Dull from start to end .",
    "Nobody could dislike this one !",
    "The jokes never land .",
    "Clever and quite moving .",
)
"""Short: what is tested here does not depend on length, and the search for the best order does."""


def design(**changes: Any) -> EvaluationDesign:
    given: dict[str, Any] = {
        "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
        "models": ["sst2-bow", "sst2-cnn"],
        "methods": [{"method": "leave-one-out"}, {"method": "lime", "parameters": {"samples": 64}}],
        "measures": ["aopc-delete", "log-odds-pad", "cohesion", "stability"],
        "most_texts": 4,
        "best_order": False,
        "seed": 3,
    }
    return EvaluationDesign.model_validate(given | changes)


async def until_finished(runner: Runner, identity: str) -> Evaluation:
    while (found := await runner.get(identity)).status == "running":
        await asyncio.sleep(0.02)
    return found


async def finished(runner: Runner, design: EvaluationDesign | DiagnosisDesign) -> str:
    """A run from its beginning to its end, which nothing disturbs."""
    made = await runner.add(design, "somebody")
    await until_finished(runner, made.id)
    await runner.stop()
    return made.id


async def stopped_again_and_again(
    engine: Here, evaluations: Evaluations, shelf: Shelf, design: EvaluationDesign | DiagnosisDesign
) -> tuple[str, int]:
    """The same with a stop after every unit or two; says how many there were."""
    runner = Runner(engine, evaluations, shelf)  # type: ignore[arg-type]
    made = await runner.add(design, "somebody")
    stops = 0
    while (found := await runner.get(made.id)).status == "running":
        before = found.done
        while (found := await runner.get(made.id)).status == "running" and found.done < before + 1:
            await asyncio.sleep(0.002)
        # Whatever is under way is lost, as when the process is killed: nothing tells the store.
        await runner.stop()
        stops += 1
        runner = Runner(engine, evaluations, shelf)  # type: ignore[arg-type]
        await runner.start()
    await runner.stop()
    return made.id, stops


def contents(evaluations: Evaluations, identity: str) -> list[tuple[int, int, int, str]]:
    return [(row.text, row.model, row.condition, row.content) for row in evaluations.rows(identity)]
