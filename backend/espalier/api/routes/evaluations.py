"""The Lab: explain whole datasets in several ways, and measure every way."""

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from espalier.api.dependencies import AfterQuery, CallerDep, DatasetInTurn, LabDep, MeasureQuery, TextsQuery
from espalier.api.files import FILE, FileForm, table_file
from espalier.api.problems import Unavailable
from espalier.lab.design import EvaluationDesign, EvaluationPlan
from espalier.lab.documents import (
    EvaluationDocument,
    EvaluationList,
    EvaluationResults,
    MeasureColumn,
    Points,
    RowList,
)
from espalier.lab.results import described
from espalier.measure.registry import USUAL, measures

router = APIRouter(prefix="/evaluations", tags=["evaluations"], responses=Unavailable.RESPONSES)


class MeasureList(BaseModel):
    """Measures there are, and those that are taken where none are named."""

    measures: list[MeasureColumn]
    usual: tuple[str, ...]


@router.get("/measures")
def list_measures() -> MeasureList:
    """What can be measured. The operator, what happens to a removed word, is a part of a measure's name."""
    return MeasureList(measures=[described(each) for each in measures().values()], usual=USUAL)


@router.post("/plan", dependencies=[DatasetInTurn])
def plan_evaluation(design: EvaluationDesign, lab: LabDep) -> EvaluationPlan:
    """What a run would take. Nothing is kept, nothing is begun."""
    return lab.plan(design)


@router.post("", status_code=202, dependencies=[DatasetInTurn])
async def create_evaluation(
    design: EvaluationDesign, lab: LabDep, caller: CallerDep, response: Response
) -> EvaluationDocument:
    """Begin a run: it is worked through in the background, behind everybody's single questions."""
    document = await lab.create(design, caller)
    response.headers["Location"] = f"/v1/evaluations/{document.id}"
    return document


@router.get("")
def list_evaluations(lab: LabDep, caller: CallerDep) -> EvaluationList:
    """Your runs, the newest first; then the examples that ship with the project."""
    return lab.all(caller)


@router.get("/{evaluation}")
def show_evaluation(evaluation: str, lab: LabDep, caller: CallerDep) -> EvaluationDocument:
    """How far it is."""
    return lab.document(evaluation, caller)


@router.post("/{evaluation}/cancel")
async def cancel_evaluation(evaluation: str, lab: LabDep, caller: CallerDep) -> EvaluationDocument:
    """Stop. What is measured already stays."""
    return await lab.cancel(evaluation, caller)


@router.delete("/{evaluation}", status_code=204)
async def delete_evaluation(evaluation: str, lab: LabDep, caller: CallerDep) -> None:
    """Everything of it: texts, rows, results."""
    await lab.delete(evaluation, caller)


@router.get("/{evaluation}/results", dependencies=[DatasetInTurn])
def show_evaluation_results(evaluation: str, lab: LabDep, caller: CallerDep) -> EvaluationResults:
    """Tables, curves, agreement, tests, and a paragraph for a paper. While it runs: of what is measured so far."""
    return lab.results(evaluation, caller)


@router.get("/{evaluation}/points", dependencies=[DatasetInTurn])
def show_evaluation_points(
    evaluation: str,
    lab: LabDep,
    caller: CallerDep,
    measure: MeasureQuery,
) -> Points:
    """One measure of every sentence, for its distribution."""
    return lab.points(evaluation, caller, measure)


@router.get("/{evaluation}/rows")
def show_evaluation_rows(
    evaluation: str,
    lab: LabDep,
    caller: CallerDep,
    after: AfterQuery = 0,
    texts: TextsQuery = 20,
) -> RowList:
    """Texts with all that was measured of them, a page at a time."""
    return lab.rows(evaluation, caller, after, texts)


@router.get("/{evaluation}/rows.{form}", response_class=StreamingResponse, responses=FILE)
def export_evaluation_rows(evaluation: str, form: FileForm, lab: LabDep, caller: CallerDep) -> StreamingResponse:
    """One row for each text under each condition; nothing is left out."""
    return table_file(lab.raw(evaluation, caller), form, f"{evaluation}-rows.{form}")


@router.get(
    "/{evaluation}/table.{form}", response_class=StreamingResponse, responses=FILE, dependencies=[DatasetInTurn]
)
def export_evaluation_table(evaluation: str, form: FileForm, lab: LabDep, caller: CallerDep) -> StreamingResponse:
    """Every mean of the table with its interval."""
    return table_file(lab.table(evaluation, caller), form, f"{evaluation}-table.{form}")
