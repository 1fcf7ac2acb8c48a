"""Which kinds of runs there are: what is written of a new one, and how one that was written goes on."""

from espalier.lab.design import EvaluationDesign
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.work import DiagnosisWork, new_diagnosis
from espalier.lab.work import EvaluationWork, NewRun, Work, new_evaluation
from espalier.models.describe import Shelf
from espalier.store.evaluations import Evaluation


def new_run(design: EvaluationDesign | DiagnosisDesign, shelf: Shelf) -> NewRun:
    return new_diagnosis(design, shelf) if isinstance(design, DiagnosisDesign) else new_evaluation(design, shelf)


def work_of(evaluation: Evaluation) -> Work:
    return DiagnosisWork(evaluation) if evaluation.kind == "diagnosis" else EvaluationWork(evaluation)
