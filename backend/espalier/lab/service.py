"""The Lab of a running server: whose runs there are, how far they are, what they show."""

import json
from collections.abc import Iterator

from espalier.access import Caller
from espalier.engine.protocol import Engine
from espalier.lab import gallery
from espalier.lab.design import EvaluationDesign, EvaluationPlan, LeftOut, plan
from espalier.lab.diagnosis.service import Diagnoses
from espalier.lab.documents import (
    EvaluationDocument,
    EvaluationList,
    EvaluationResults,
    Points,
    RowDocument,
    RowList,
    TextRows,
)
from espalier.lab.export import raw_rows, table_rows
from espalier.lab.looks import Looks
from espalier.lab.matrix import Column
from espalier.lab.people.service import PeopleBeside
from espalier.lab.results import points, results_of
from espalier.lab.runner import RunLimits, Runner
from espalier.lab.runs import Runs
from espalier.models.describe import Shelf
from espalier.problems import NotSupported, UnknownName
from espalier.store import Store
from espalier.store.evaluations import Evaluation, Evaluations, StoredRow


class Lab:
    """Lives as long as the server. Somebody else's run is as unknown as one that never was; examples are everybody's
    to read."""

    def __init__(
        self, engine: Engine, store: Store, shelf: Shelf, limits: RunLimits | None = None, claim_seconds: float = 20.0
    ) -> None:
        self._evaluations = Evaluations(store)
        self._shelf = shelf
        self._runner = Runner(engine, self._evaluations, shelf, limits, claim_seconds)
        self.people = PeopleBeside(self._runner, shelf)
        self.diagnoses = Diagnoses(self._runner, shelf)
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
        _own(identity)
        return self._document(await self._runs.cancel(identity, caller))

    async def delete(self, identity: str, caller: Caller) -> None:
        _own(identity)
        await self._runs.delete(identity, caller)
        self._looks.forget(identity)

    # -------------------------------------------------------------------------------------------------------- reading

    def all(self, caller: Caller) -> EvaluationList:
        """The caller's, the newest first; then the examples."""
        own = self._runs.all(caller)
        shipped = [example.evaluation for example in gallery.examples().values()]
        return EvaluationList(evaluations=[self._document(each) for each in (*own, *shipped)])

    def document(self, identity: str, caller: Caller) -> EvaluationDocument:
        return self._document(self._find(identity, caller))

    def results(self, identity: str, caller: Caller) -> EvaluationResults:
        found = self._find(identity, caller)
        if (example := gallery.examples().get(identity)) is not None:
            return EvaluationResults.model_validate_json(example.results)
        left_out = [LeftOut.model_validate(each) for each in found.design.get("left_out", ())]
        return self._runs.results(found, lambda: results_of(found, design_of(found), self._columns(found), left_out))

    def points(self, identity: str, caller: Caller, measure: str) -> Points:
        found = self._find(identity, caller)
        design = design_of(found)
        if measure not in design.measures:
            raise UnknownName("measure of this run", measure, design.measures)
        return points(design, found.texts, self._columns(found), measure)

    def rows(self, identity: str, caller: Caller, after: int, texts: int) -> RowList:
        """A page of texts with all that was measured of them."""
        found = self._find(identity, caller)
        design = design_of(found)
        page: dict[int, list[RowDocument]] = {index: [] for index in range(after, min(found.texts, after + texts))}
        for row in self._rows(identity, after, texts):
            method, reference = design.labels[row.condition]
            page[row.text].append(
                RowDocument(
                    text=row.text,
                    model=design.models[row.model],
                    method=method,
                    reference=reference,
                    seconds=row.seconds,
                    measured=json.loads(row.content),
                )
            )
        last = after + len(page)
        return RowList(
            texts=[
                TextRows(index=index, text=text, label=label, rows=page[index])
                for index in page
                for text, label in [self._text(identity, index)]
            ],
            after=last if last < found.texts else None,
        )

    def raw(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        found = self._find(identity, caller)
        example = gallery.examples().get(identity)
        texts = example.texts if example is not None else self._evaluations.texts(identity)
        return raw_rows(design_of(found), texts, self._rows(identity))

    def table(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        return table_rows(self.results(identity, caller))

    # -------------------------------------------------------------------------------------------------------- finding

    def _find(self, identity: str, caller: Caller) -> Evaluation:
        if (example := gallery.examples().get(identity)) is not None:
            return example.evaluation
        return self._runs.find(identity, caller)

    def _rows(self, identity: str, after: int = 0, texts: int | None = None) -> Iterator[StoredRow]:
        if (example := gallery.examples().get(identity)) is not None:
            return example.rows(after, texts)
        return self._evaluations.rows(identity, after, texts)

    def _columns(self, found: Evaluation) -> list[Column]:
        return self._looks.columns(found, design_of(found), lambda after: self._rows(found.id, after))

    def _text(self, identity: str, index: int) -> tuple[str, str | None]:
        if (example := gallery.examples().get(identity)) is not None:
            return example.texts[index]
        return self._evaluations.text(identity, index) or ("", None)

    def _document(self, found: Evaluation) -> EvaluationDocument:
        return EvaluationDocument(
            example=found.id in gallery.examples(), design=design_of(found), **self._runs.progress(found)
        )


def _own(identity: str) -> None:
    if identity in gallery.examples():
        raise NotSupported("an example cannot be changed: got one that ships here, possible is a run of yours")


def design_of(evaluation: Evaluation) -> EvaluationDesign:
    return EvaluationDesign.model_validate(evaluation.design["design"])
