"""The Lab: what explanations of whole datasets say of models."""

from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from espalier.api.dependencies import AfterQuery, CallerDep, DatasetInTurn, LabDep, MeasureQuery, TextsQuery
from espalier.api.files import FILE, FileForm, table_file
from espalier.api.problems import Unavailable
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisDocument, DiagnosisList, DiagnosisResults
from espalier.lab.diagnosis.plan import DiagnosisPlan
from espalier.lab.documents import Points, RowList

PICTURE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {}}}}

router = APIRouter(prefix="/diagnoses", tags=["diagnoses"], responses=Unavailable.RESPONSES)


@router.post("/plan", dependencies=[DatasetInTurn])
def plan_diagnosis(design: DiagnosisDesign, lab: LabDep) -> DiagnosisPlan:
    """What a diagnosis would take. Nothing is kept, nothing is begun."""
    return lab.diagnoses.plan(design)


@router.post("", status_code=202, dependencies=[DatasetInTurn])
async def create_diagnosis(
    design: DiagnosisDesign, lab: LabDep, caller: CallerDep, response: Response
) -> DiagnosisDocument:
    """Begin a diagnosis: it is worked through in the background, behind everybody's single questions."""
    document = await lab.diagnoses.create(design, caller)
    response.headers["Location"] = f"/v1/diagnoses/{document.id}"
    return document


@router.get("")
def list_diagnoses(lab: LabDep, caller: CallerDep) -> DiagnosisList:
    """Your diagnoses, the newest first; then the example that ships with the project."""
    return lab.diagnoses.all(caller)


@router.get("/{diagnosis}")
def show_diagnosis(diagnosis: str, lab: LabDep, caller: CallerDep) -> DiagnosisDocument:
    """How far it is."""
    return lab.diagnoses.document(diagnosis, caller)


@router.post("/{diagnosis}/cancel")
async def cancel_diagnosis(diagnosis: str, lab: LabDep, caller: CallerDep) -> DiagnosisDocument:
    """Stop. What is found already stays."""
    return await lab.diagnoses.cancel(diagnosis, caller)


@router.delete("/{diagnosis}", status_code=204)
async def delete_diagnosis(diagnosis: str, lab: LabDep, caller: CallerDep) -> None:
    """Everything of it: texts, rows, results."""
    await lab.diagnoses.delete(diagnosis, caller)


@router.get("/{diagnosis}/results", dependencies=[DatasetInTurn])
def show_diagnosis_results(diagnosis: str, lab: LabDep, caller: CallerDep) -> DiagnosisResults:
    """All numbers with their intervals, and a paragraph for a paper. While it runs: of the texts so far."""
    return lab.diagnoses.results(diagnosis, caller)


@router.get("/{diagnosis}/points", dependencies=[DatasetInTurn])
def show_diagnosis_points(diagnosis: str, lab: LabDep, caller: CallerDep, measure: MeasureQuery) -> Points:
    """One of the results' quantities in every text that has it."""
    return lab.diagnoses.points(diagnosis, caller, measure)


@router.get("/{diagnosis}/rows")
def show_diagnosis_rows(
    diagnosis: str, lab: LabDep, caller: CallerDep, after: AfterQuery = 0, texts: TextsQuery = 20
) -> RowList:
    """Texts with all that was found out about them, a page at a time."""
    return lab.diagnoses.rows(diagnosis, caller, after, texts)


@router.get("/{diagnosis}/rows.{form}", response_class=StreamingResponse, responses=FILE)
def export_diagnosis_rows(diagnosis: str, form: FileForm, lab: LabDep, caller: CallerDep) -> StreamingResponse:
    """One row for each text on each model; nothing is left out."""
    return table_file(lab.diagnoses.raw(diagnosis, caller), form, f"{diagnosis}-rows.{form}")


@router.get("/{diagnosis}/table.{form}", response_class=StreamingResponse, responses=FILE, dependencies=[DatasetInTurn])
def export_diagnosis_table(diagnosis: str, form: FileForm, lab: LabDep, caller: CallerDep) -> StreamingResponse:
    """Every number with its interval."""
    return table_file(lab.diagnoses.table(diagnosis, caller), form, f"{diagnosis}-table.{form}")


@router.get("/{diagnosis}/picture.svg", response_class=Response, responses=PICTURE, dependencies=[DatasetInTurn])
def draw_diagnosis(diagnosis: str, lab: LabDep, caller: CallerDep) -> Response:
    """What LS-Tree's scores say, a panel for each diagnostic. Light colours, as papers have them."""
    headers = {"Content-Disposition": f'attachment; filename="{diagnosis}.svg"'}
    return Response(lab.diagnoses.picture(diagnosis, caller), media_type="image/svg+xml", headers=headers)
