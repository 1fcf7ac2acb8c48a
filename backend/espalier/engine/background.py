"""Work on one text and one model that is done behind everybody's questions: counted, and stopped when nobody waits."""

import threading
from typing import Any, TypeVar

from espalier.engine.driver import STOPPED, Cancelled, Drive, Outcome
from espalier.engine.explainer import Explainer
from espalier.explain.explanation import Explanation
from espalier.explain.plan import Plan
from espalier.explain.request import ExplanationRequest
from espalier.games.game import Game
from espalier.games.scales import Scale

Result = TypeVar("Result")


class Background:
    """One unit of a run. `cancel` may be called from any thread. `wanted` counts evaluations as if its parts had shared
    nothing, `evaluated` what the model really did."""

    def __init__(self, explainer: Explainer, client: str = "") -> None:
        self._explainer = explainer.apart()
        self._client = client
        self._drive: Drive[Any] | None = None
        self._cancelled = threading.Event()
        self._wanted = self._evaluated = 0

    def cancel(self) -> None:
        """Stop within one batch."""
        self._cancelled.set()
        if self._drive is not None:
            self._drive.cancel()

    def _explain(self, request: ExplanationRequest) -> Explanation[Any]:
        prepared = self._explainer.prepare(request)
        self._go_on()
        probabilities = self._explainer.predict(prepared, self._client)
        target = self._explainer.target(prepared, probabilities)
        outcome = self._finish(self._explainer.drive(prepared, target, client=self._client))
        return self._explainer.assemble(prepared, probabilities, target, outcome)

    def _asked(self, plan: Plan[Result], game: Game, model: str, scale: Scale) -> Outcome[Result]:
        self._go_on()
        return self._finish(self._explainer.driving(plan, game, model, scale, client=self._client))

    def _finish(self, drive: Drive[Result]) -> Outcome[Result]:
        self._drive = drive
        if self._cancelled.is_set():
            drive.cancel()
        outcome = drive.run()
        self._wanted += outcome.counts.distinct
        self._evaluated += outcome.counts.evaluated
        return outcome

    def _go_on(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled(STOPPED)
