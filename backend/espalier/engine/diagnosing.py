"""Diagnose one model on one text: what LS-Tree's scores say, and what MAHE's local fits do."""

import time
from typing import Any

from espalier.diagnostics.diagnosis import row_of
from espalier.diagnostics.overfitting import spread_of
from espalier.engine.background import Background
from espalier.engine.explainer import Explainer, Prepared
from espalier.engine.scoring import scored
from espalier.explain.mahe.method import MaheParameters
from espalier.explain.plan import GameShape
from espalier.games.scales import Scale
from espalier.measure.diagnosis import Diagnosed, DiagnosedUnit, DiagnoseRequest, FoundTerm, Term
from espalier.measure.interactions import level_errors, local_request, local_term
from espalier.problems import Problem

LOCAL_SCALE: Scale = "log_odds"
"""What is fitted around a text, as `espalier interactions` does."""

VICINITY = 1.0


class Diagnosing(Background):
    """One unit. Parts of it share what the model said."""

    def __init__(self, explainer: Explainer, request: DiagnoseRequest, client: str = "") -> None:
        super().__init__(explainer, client)
        self._request = request

    def run(self) -> DiagnosedUnit:
        """The row. What is wrong with the text or the model is raised; what is only wrong for local fits is said."""
        started, asked = time.perf_counter(), self._request
        found: dict[str, Any] = {}
        if asked.ls_tree or asked.spread:
            found |= self._scores()
        if asked.fit or asked.terms:
            found |= self._local()
        return DiagnosedUnit(
            revision=self._explainer.host(asked.model).model.revision,
            rows=(Diagnosed(**found),),
            seconds=(time.perf_counter() - started,),
            wanted=self._wanted,
            evaluated=self._evaluated,
        )

    def _scores(self) -> dict[str, Any]:
        asked = self._request
        text, found = scored(self._explain, asked.text, asked.model, asked.linear, asked.scale, asked.label)
        return {
            "target": found.target_class,
            "probability": found.probabilities[found.target],
            "ls_tree": row_of(text, asked.contrast) if asked.ls_tree else None,
            "spread": spread_of(text) if asked.spread else None,
        }

    def _local(self) -> dict[str, Any]:
        asked = self._request
        try:
            ready = self._explainer.prepare(local_request(asked.text, asked.model))
        except Problem as problem:
            if problem.status >= 500:  # it passes, and is asked again
                raise
            return {"unfitted": problem.message}
        # The same class for every text, so that signs can be compared.
        shape = ready.game.shape(len(ready.game.outcomes.names) - 1)
        found: dict[str, Any] = {"terms": tuple(self._term(ready, shape, term) for term in asked.terms)}
        if asked.fit:
            parameters = MaheParameters(samples=asked.draws, vicinity=VICINITY, seed=asked.seed)
            found["fit"] = self._asked(level_errors(shape, parameters), ready.game, asked.model, LOCAL_SCALE).result
        return found

    def _term(self, ready: Prepared, shape: GameShape, term: Term) -> FoundTerm:
        asked = self._request
        plan = local_term(shape, term.places, asked.draws, VICINITY, asked.seed)
        found = self._asked(plan, ready.game, asked.model, LOCAL_SCALE).result
        return FoundTerm(
            words=term.words,
            places=term.places,
            contribution=found.contribution,
            standard_error=found.standard_error,
            sign=found.sign,
            clear=found.clear,
        )


def models_asked(request: DiagnoseRequest) -> set[str]:
    return {request.model} | ({request.linear} if request.linear is not None else set())
