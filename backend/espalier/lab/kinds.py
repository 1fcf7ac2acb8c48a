"""Which kinds of runs there are: what is written of a new one, and how one that was written goes on."""

from espalier.lab.design import EvaluationDesign
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.work import DiagnosisWork, new_diagnosis
from espalier.lab.edits.design import EditDesign
from espalier.lab.edits.plan import EditTerms
from espalier.lab.edits.work import new_edit
from espalier.lab.work import EvaluationWork, NewRun, Work, new_evaluation
from espalier.models.describe import Shelf
from espalier.store.evaluations import Evaluation

Design = EvaluationDesign | DiagnosisDesign | EditDesign


def new_run(design: Design, shelf: Shelf, terms: EditTerms) -> NewRun:
    if isinstance(design, EditDesign):
        return new_edit(design, shelf, terms)
    return new_diagnosis(design, shelf) if isinstance(design, DiagnosisDesign) else new_evaluation(design, shelf)


def work_of(evaluation: Evaluation) -> Work:
    """Of a run that is done text by text."""
    return DiagnosisWork(evaluation) if evaluation.kind == "diagnosis" else EvaluationWork(evaluation)
