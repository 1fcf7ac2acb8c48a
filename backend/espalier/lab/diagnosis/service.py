"""Diagnoses of a running server: whose there are, how far they are, what they show."""

from collections.abc import Iterator

from espalier.access import Caller
from espalier.lab.diagnosis.design import DiagnosisDesign, DiagnosisPlan, plan
from espalier.lab.diagnosis.documents import DiagnosisDocument, DiagnosisList, DiagnosisResults
from espalier.lab.diagnosis.export import raw_rows, table_rows
from espalier.lab.diagnosis.results import results
from espalier.lab.diagnosis.sentences import documents, points
from espalier.lab.documents import Points, RowList
from espalier.lab.runner import Runner, UnknownDiagnosis
from espalier.lab.runs import Runs
from espalier.models.describe import Shelf
from espalier.problems import UnknownName
from espalier.store.evaluations import Evaluation


class Diagnoses:
    """Lives as long as the server. Runs go through the Lab's runner."""

    def __init__(self, runner: Runner, shelf: Shelf) -> None:
        self._runner = runner
        self._shelf = shelf
        self._runs = Runs(runner, "diagnosis", DiagnosisResults, UnknownDiagnosis)

    def plan(self, design: DiagnosisDesign) -> DiagnosisPlan:
        return plan(design, self._shelf)

    async def create(self, design: DiagnosisDesign, caller: Caller) -> DiagnosisDocument:
        return self._document(await self._runner.add(design, caller.client))

    async def cancel(self, identity: str, caller: Caller) -> DiagnosisDocument:
        return self._document(await self._runs.cancel(identity, caller))

    async def delete(self, identity: str, caller: Caller) -> None:
        await self._runs.delete(identity, caller)

    def all(self, caller: Caller) -> DiagnosisList:
        return DiagnosisList(diagnoses=[self._document(each) for each in self._runs.all(caller)])

    def document(self, identity: str, caller: Caller) -> DiagnosisDocument:
        return self._document(self._runs.find(identity, caller))

    def results(self, identity: str, caller: Caller) -> DiagnosisResults:
        found = self._runs.find(identity, caller)
        return self._runs.results(
            found,
            lambda: results(found, design_of(found), self._runs.texts(identity), self._runs.rows(identity)),
        )

    def points(self, identity: str, caller: Caller, measure: str) -> Points:
        chosen = {each.name: each for each in self.results(identity, caller).quantities}
        if measure not in chosen:
            raise UnknownName("quantity of this diagnosis", measure, chosen)
        design = design_of(self._runs.find(identity, caller))
        return points(design, chosen[measure], self._runs.rows(identity))

    def rows(self, identity: str, caller: Caller, after: int, texts: int) -> RowList:
        """A page of texts with all that was found out about them."""
        found = self._runs.find(identity, caller)
        design = design_of(found)
        return self._runs.page(found, after, texts, lambda row: documents(design, row))

    def raw(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        found = self._runs.find(identity, caller)
        return raw_rows(design_of(found), self._runs.texts(identity), self._runs.rows(identity))

    def table(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        return table_rows(self.results(identity, caller))

    def _document(self, found: Evaluation) -> DiagnosisDocument:
        return DiagnosisDocument(design=design_of(found), **self._runs.progress(found))


def design_of(evaluation: Evaluation) -> DiagnosisDesign:
    return DiagnosisDesign.model_validate(evaluation.design["design"])
