"""What a crew is asked that is no job: questions about texts and models, and whether a request can be done. Nothing of
it is written down but what is said of models, which the shelf learns."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from espalier.engine.crews.protocol import Crew, WorkerUnavailable
from espalier.engine.messages import (
    About,
    Check,
    Load,
    Measure,
    Parse,
    Predict,
    Prediction,
    Predictions,
    StandIns,
    StandInTexts,
    Surprise,
    Surprised,
    Tree,
)
from espalier.engine.predictions import predict_in_parts
from espalier.engine.turns import Turns
from espalier.explain.request import ExplanationRequest
from espalier.games.references import reference
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.describe import Shelf
from espalier.problems import BeingMadeReady, Problem

CHECK_SECONDS = 10.0
"""How long a request is checked before it is accepted unchecked: the worker may be loading the model."""

CHECKS_AT_ONCE = 2
"""Requests that a worker is asked about side by side: it has as many threads for them."""

AGAIN_SECONDS = 0.5


class Inquiries:
    """The part of `engine.protocol.Engine` that answers at once."""

    def __init__(self, crew: Crew, shelf: Shelf) -> None:
        self._crew = crew
        self._shelf = shelf
        self._checking = Turns(CHECKS_AT_ONCE * max(1, len(crew.status().workers)))

    async def load(self, model: str) -> None:
        try:
            self.learn(model, await self._crew.ask(Load(model)))
        except (WorkerUnavailable, BeingMadeReady):
            raise
        except Problem as problem:
            if problem.status < 503:  # else nobody could try
                self._shelf.failed(model, problem.message)
            raise

    async def predict(
        self, model: str, text: str, pair: str | None = None, outcomes: tuple[str, ...] = (), count: int | None = None
    ) -> Prediction:
        self._shelf.catalog.entry(model)
        return await self._crew.ask(Predict(model, text, pair, outcomes, count))

    async def surprise(self, model: str, text: str, count: int) -> Surprised:
        self._shelf.catalog.entry(model)
        return await self._crew.ask(Surprise(model, text, count))

    async def stand_ins(self, request: ExplanationRequest, absent: tuple[int, ...]) -> StandInTexts:
        for model in (request.model, *reference(request.reference).asks(request.wish())):
            self._shelf.catalog.entry(model)  # one that is not there is refused here
        return await self._crew.ask(StandIns(request, absent))

    async def predict_all(self, model: str, instances: Sequence[tuple[str, str | None]]) -> Predictions:
        self._shelf.catalog.entry(model)
        return await predict_in_parts(self._crew.ask, model, instances)

    async def measure(self, request: UnitRequest, client: str = "") -> FoundUnit:
        self._shelf.catalog.entry(request.model)
        return await self._crew.ask(Measure(request, client))

    async def parse(self, text: str) -> Tree:
        return await self._crew.ask(Parse(text))

    async def check(self, request: ExplanationRequest, client: str) -> int | None:
        """Refuse what cannot be done; else the evaluations that it is expected to take. While no worker can tell, the
        job is accepted, and fails if it must."""
        with suppress(WorkerUnavailable, BeingMadeReady, TimeoutError):
            async with asyncio.timeout(CHECK_SECONDS), self._checking.turn(client):
                checked = await self._crew.ask(Check(request))
            self.learn(request.model, checked.about)
            return checked.expected
        return None

    async def introduce(self) -> None:
        """Load what somebody named and what is meant when nothing is named, as soon as there is a worker: whoever
        started the server with a model that cannot be loaded should learn it at once."""
        wanted = len(self._shelf.catalog.direct) or 1
        for entry in self._shelf.catalog.entries()[:wanted]:
            while True:
                try:
                    await self.load(entry.name)
                except (WorkerUnavailable, BeingMadeReady):
                    await asyncio.sleep(AGAIN_SECONDS)
                    continue
                except Problem:
                    pass  # the shelf knows
                break

    def learn(self, model: str, about: About) -> None:
        self._shelf.loaded(model, tuple(about.classes), about.max_length, about.revision, about.family)
