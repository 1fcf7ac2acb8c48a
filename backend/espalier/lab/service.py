"""The Lab of a running server: whose runs there are, how far they are, what they show."""

import json
from collections.abc import Iterator

from espalier.access import Caller
from espalier.engine.protocol import Engine
from espalier.lab.design import EvaluationDesign, EvaluationPlan, LeftOut, plan
from espalier.lab.diagnosis.service import Diagnoses
from espalier.lab.documents import (
    EvaluationDocument,
    EvaluationList,
    EvaluationResults,
    Points,
    RowDocument,
    RowList,
)
from espalier.lab.edits.plan import EditTerms
from espalier.lab.edits.service import Edits
from espalier.lab.edits.workshop import Workshop
from espalier.lab.export import raw_rows, table_rows
from espalier.lab.looks import Looks
from espalier.lab.matrix import Column
from espalier.lab.people.service import PeopleBeside
from espalier.lab.results import points, results_of
from espalier.lab.runner import RunLimits, Runner
from espalier.lab.runs import Runs
from espalier.models.describe import Shelf
from espalier.problems import UnknownName
from espalier.store import Store
from espalier.store.evaluations import Evaluation, Evaluations, StoredRow


class Lab:
    """Lives as long as the server."""

    def __init__(
        self,
        engine: Engine,
        store: Store,
        shelf: Shelf,
        limits: RunLimits | None = None,
        claim_seconds: float = 20.0,
        edits: EditTerms | None = None,
    ) -> None:
        self._evaluations = Evaluations(store)
        self._shelf = shelf
        workshop = Workshop(self._evaluations, shelf.catalog, edits)
        self._runner = Runner(engine, self._evaluations, shelf, limits, claim_seconds, workshop)
        self.people = PeopleBeside(self._runner, shelf)
        self.diagnoses = Diagnoses(self._runner, shelf)
        self.edits = Edits(self._runner, shelf)
        self._runs = Runs(self._runner, "evaluation", EvaluationResults)
        self._looks = Looks()

    async def begin(self) -> None:
        await self._runner.start()

    async def end(self) -> None:
        await self._runner.stop()

    # ------------------------------------------------------------------------------------------------------- changing

    def plan(self, design: EvaluationDesign) -> EvaluationPlan:
        return plan(design, self._shelf)

    async def create(self, design: EvaluationDesign, caller: Caller) -> EvaluationDocument:
        return self._document(await self._runner.add(design, caller.client))

    async def cancel(self, identity: str, caller: Caller) -> EvaluationDocument:
        return self._document(await self._runs.cancel(identity, caller))

    async def delete(self, identity: str, caller: Caller) -> None:
        await self._runs.delete(identity, caller)
        self._looks.forget(identity)

    # -------------------------------------------------------------------------------------------------------- reading

    def all(self, caller: Caller) -> EvaluationList:
        """The caller's, the newest first; then the examples."""
        return EvaluationList(evaluations=[self._document(each) for each in self._runs.all(caller)])

    def document(self, identity: str, caller: Caller) -> EvaluationDocument:
        return self._document(self._runs.find(identity, caller))

    def results(self, identity: str, caller: Caller) -> EvaluationResults:
        found = self._runs.find(identity, caller)
        left_out = [LeftOut.model_validate(each) for each in found.design.get("left_out", ())]
        return self._runs.results(found, lambda: results_of(found, design_of(found), self._columns(found), left_out))

    def points(self, identity: str, caller: Caller, measure: str) -> Points:
        found = self._runs.find(identity, caller)
        design = design_of(found)
        known = [each.name for each in design.recorded()]
        if measure not in known:
            raise UnknownName("measure of this run", measure, known)
        return points(design, found.texts, self._columns(found), measure)

    def rows(self, identity: str, caller: Caller, after: int, texts: int) -> RowList:
        """A page of texts with all that was measured of them."""
        found = self._runs.find(identity, caller)
        design = design_of(found)

        def shown(row: StoredRow) -> list[RowDocument]:
            method, reference = design.labels[row.condition]
            return [
                RowDocument(
                    text=row.text,
                    model=design.models[row.model],
                    method=method,
                    reference=reference,
                    seconds=row.seconds,
                    measured=json.loads(row.content),
                )
            ]

        return self._runs.page(found, after, texts, shown)

    def raw(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        found = self._runs.find(identity, caller)
        return raw_rows(design_of(found), self._runs.texts(identity), self._runs.rows(identity))

    def table(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        return table_rows(self.results(identity, caller))

    def _columns(self, found: Evaluation) -> list[Column]:
        return self._looks.columns(found, design_of(found), lambda after: self._runs.rows(found.id, after))

    def _document(self, found: Evaluation) -> EvaluationDocument:
        return EvaluationDocument(design=design_of(found), **self._runs.progress(found))


def design_of(evaluation: Evaluation) -> EvaluationDesign:
    return EvaluationDesign.model_validate(evaluation.design["design"])
