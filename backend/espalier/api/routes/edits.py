"""The Lab: models edited at one interaction, in a process of its own. Where keys are, an admin's: the catalog is
everybody's, and has no owners."""

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from espalier.api.dependencies import CallerDep, DatasetInTurn, LabDep
from espalier.api.files import FILE, FileForm, table_file
from espalier.api.problems import Unavailable
from espalier.lab.edits.design import EditDesign
from espalier.lab.edits.documents import EditDocument, EditList, EditResults
from espalier.lab.edits.plan import EditPlan

router = APIRouter(prefix="/edits", tags=["edits"], responses=Unavailable.RESPONSES)


@router.post("/plan", dependencies=[DatasetInTurn])
def plan_edit(design: EditDesign, lab: LabDep) -> EditPlan:
    """What an edit would take. Nothing is kept, nothing is begun."""
    return lab.edits.plan(design)


@router.post("", status_code=202, dependencies=[DatasetInTurn])
async def create_edit(design: EditDesign, lab: LabDep, caller: CallerDep, response: Response) -> EditDocument:
    """Begin an edit: a process of its own teaches a copy of the model and measures it, behind everybody's questions.
    Finished, it is a model of the catalog. The original is never changed."""
    document = await lab.edits.create(design, caller)
    response.headers["Location"] = f"/v1/edits/{document.id}"
    return document


@router.get("")
def list_edits(lab: LabDep, caller: CallerDep) -> EditList:
    """Your edits, the newest first, and the edited models that are there, those of the command, too."""
    return lab.edits.all(caller)


@router.get("/{edit}")
def show_edit(edit: str, lab: LabDep, caller: CallerDep) -> EditDocument:
    """How far it is, and what its model is called."""
    return lab.edits.document(edit, caller)


@router.post("/{edit}/cancel")
async def cancel_edit(edit: str, lab: LabDep, caller: CallerDep) -> EditDocument:
    """Stop. Nothing of it is in the catalog, then or later."""
    return await lab.edits.cancel(edit, caller)


@router.delete("/{edit}", status_code=204)
async def delete_edit(edit: str, lab: LabDep, caller: CallerDep) -> None:
    """Everything of it: texts, results, and the edited model."""
    await lab.edits.delete(edit, caller)


@router.delete("/models/{model}", status_code=204)
def undo_edit(model: str, lab: LabDep) -> None:
    """Take an edited model out of the catalog. What its run found out stays."""
    lab.edits.undo(model)


@router.get("/{edit}/results")
def show_edit_results(edit: str, lab: LabDep, caller: CallerDep) -> EditResults:
    """The term, the shares and the accuracy, before and after. There are none before it is finished."""
    return lab.edits.results(edit, caller)


@router.get("/{edit}/rows.{form}", response_class=StreamingResponse, responses=FILE)
def export_edit_rows(edit: str, form: FileForm, lab: LabDep, caller: CallerDep) -> StreamingResponse:
    """One row for each other text that was asked about, before and after."""
    return table_file(lab.edits.raw(edit, caller), form, f"{edit}-rows.{form}")


@router.get("/{edit}/table.{form}", response_class=StreamingResponse, responses=FILE)
def export_edit_table(edit: str, form: FileForm, lab: LabDep, caller: CallerDep) -> StreamingResponse:
    """Every number with its interval."""
    return table_file(lab.edits.table(edit, caller), form, f"{edit}-table.{form}")
