"""Diagnoses of a running server: whose there are, how far they are, what they show."""

from collections.abc import Iterator
from dataclasses import replace

from espalier.access import Caller
from espalier.lab.diagnosis.design import DIAGNOSTICS, OF_LS_TREE, DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisDocument, DiagnosisList, DiagnosisResults
from espalier.lab.diagnosis.export import raw_rows, table_rows
from espalier.lab.diagnosis.plan import DiagnosisPlan, plan
from espalier.lab.diagnosis.results import results
from espalier.lab.diagnosis.sentences import documents, points
from espalier.lab.diagnosis.work import training_texts
from espalier.lab.documents import Points, RowList
from espalier.lab.runner import Runner, UnknownDiagnosis
from espalier.lab.runs import Runs
from espalier.models.describe import Shelf
from espalier.pictures.svg.diagnosis import svg_of_diagnosis
from espalier.problems import NotSupported, UnknownName
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
        found = self._runs.find(identity, caller)
        return points(design_of(found), chosen[measure], self._runs.rows(identity, texts=_others(found)))

    def rows(self, identity: str, caller: Caller, after: int, texts: int) -> RowList:
        """A page of texts with all that was found out about them."""
        found = self._runs.find(identity, caller)
        design = design_of(found)
        without_training = replace(found, texts=_others(found))
        return self._runs.page(without_training, after, texts, lambda row: documents(design, row))

    def raw(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        found = self._runs.find(identity, caller)
        return raw_rows(design_of(found), self._runs.texts(identity), self._runs.rows(identity), training_texts(found))

    def table(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        return table_rows(self.results(identity, caller))

    def picture(self, identity: str, caller: Caller) -> str:
        """What LS-Tree's scores say, as one SVG."""
        found, design = self.results(identity, caller), design_of(self._runs.find(identity, caller))
        if not design.scores:
            raise NotSupported(
                f"a picture is of LS-Tree's scores: got a diagnosis of {', '.join(design.diagnostics)}, possible are "
                f"{', '.join(each for each in DIAGNOSTICS if each in OF_LS_TREE)}"
            )
        return svg_of_diagnosis(found.models, design.linear, found.texts, design.scale)

    def _document(self, found: Evaluation) -> DiagnosisDocument:
        training = training_texts(found)
        progress = self._runs.progress(found) | {"texts": found.texts - training, "training_texts": training}
        return DiagnosisDocument(design=design_of(found), **progress)


def _others(evaluation: Evaluation) -> int:
    """Texts that are none for training."""
    return evaluation.texts - training_texts(evaluation)


def design_of(evaluation: Evaluation) -> DiagnosisDesign:
    return DiagnosisDesign.model_validate(evaluation.design["design"])
