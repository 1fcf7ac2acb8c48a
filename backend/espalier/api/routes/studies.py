"""Studies, for their owners."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import PlainTextResponse

from espalier.api.dependencies import CallerDep, DatasetInTurn, EngineDep, LabDep, ShelfDep, StudiesDep
from espalier.datasets.forms import Dataset
from espalier.datasets.rows import DatasetReading, reading
from espalier.datasets.tables import to_csv
from espalier.studies.design import StudyDesign
from espalier.studies.documents import (
    ItemList,
    LinksWanted,
    PersonChange,
    PersonLinks,
    PersonList,
    Preview,
    StudyChange,
    StudyDocument,
    StudyList,
)
from espalier.studies.export import raw_rows, summary_rows
from espalier.studies.office import Office
from espalier.studies.rehearsal import Rehearsal, RehearsalStarted
from espalier.studies.results import ResultsDocument, Rule
from espalier.studies.suits import common_classes

router = APIRouter(prefix="/studies", tags=["studies"])

CSV = "text/csv; charset=utf-8"


def _office(request: Request, studies: StudiesDep, caller: CallerDep) -> Office:
    return studies.office(str(request.base_url).rstrip("/"), caller)


OfficeDep = Annotated[Office, Depends(_office)]
Simulated = Annotated[bool, Query(description="The rehearsal instead of the real people.")]
Keep = Annotated[list[Rule], Query(description="Rules that are not to leave anything out.")]
Identities = Annotated[bool, Query(description="With the providers' ids of the people.")]


@router.post("", status_code=201, dependencies=[DatasetInTurn])
async def create_study(
    design: StudyDesign, office: OfficeDep, studies: StudiesDep, shelf: ShelfDep, engine: EngineDep, response: Response
) -> StudyDocument:
    """Write a study down and begin to prepare it: texts are chosen and explained in the background."""
    classes = await common_classes(design, shelf, engine)
    document = await studies.aside(office.create, design, classes)
    studies.preparations.start(document.id)
    response.headers["Location"] = f"/v1/studies/{document.id}"
    return document


@router.post("/datasets", dependencies=[DatasetInTurn])
def read_dataset(dataset: Dataset) -> DatasetReading:
    """What a dataset holds. Nothing is kept."""
    return reading(dataset)


@router.get("")
def list_studies(office: OfficeDep) -> StudyList:
    """Your studies, the newest first; all of them for an admin."""
    return office.studies()


@router.get("/{study}")
def show_study(study: str, office: OfficeDep) -> StudyDocument:
    """A study: its design, how far it is, and the links for recruiting."""
    return office.study(study)


@router.patch("/{study}")
def change_study(study: str, change: StudyChange, office: OfficeDep) -> StudyDocument:
    """Recruiting at any time; title and texts until the study is published."""
    return office.change(study, change)


@router.delete("/{study}", status_code=204)
async def delete_study(study: str, office: OfficeDep, studies: StudiesDep, lab: LabDep) -> None:
    """Everything of the study: design, texts, explanations, people, answers, measures."""
    await studies.aside(office.study, study)
    await lab.people.forget(study)
    await studies.preparations.stop(study)
    await studies.aside(office.delete, study)


@router.get("/{study}/items")
def list_items(study: str, office: OfficeDep) -> ItemList:
    """Texts, predictions, and what each condition shows."""
    return office.items(study)


@router.get("/{study}/preview")
def preview_study(study: str, office: OfficeDep) -> Preview:
    """The screens exactly as an annotator gets them."""
    return office.preview(study)


@router.post("/{study}/publish")
def publish_study(study: str, office: OfficeDep) -> StudyDocument:
    """Let people in."""
    return office.move(study, "publish")


@router.post("/{study}/pause")
def pause_study(study: str, office: OfficeDep) -> StudyDocument:
    """Let nobody in or on for now. Answers that are on their way are kept."""
    return office.move(study, "pause")


@router.post("/{study}/close")
def close_study(study: str, office: OfficeDep) -> StudyDocument:
    """Let nobody in any more."""
    return office.move(study, "close")


@router.post("/{study}/prepare")
async def prepare_study(study: str, office: OfficeDep, studies: StudiesDep) -> StudyDocument:
    """Try again to prepare a study that failed."""
    document = await studies.aside(office.move, study, "prepare")
    studies.preparations.start(study)
    return document


@router.get("/{study}/people")
def list_people(study: str, office: OfficeDep) -> PersonList:
    """Who has come, by number."""
    return office.people(study)


@router.post("/{study}/links")
def make_links(study: str, wanted: LinksWanted, office: OfficeDep) -> PersonLinks:
    """Plain links for people by name or code. Each is signed, and lets in this one person."""
    return office.links(study, wanted)


@router.patch("/{study}/people/{person}")
def change_person(
    study: str, person: int, change: PersonChange, office: OfficeDep, simulated: Simulated = False
) -> PersonList:
    """Leave a person's answers out of the results, or take them in again."""
    return office.exclude(study, person, change.excluded, change.reason, simulated)


@router.get("/{study}/results")
def show_results(study: str, office: OfficeDep, simulated: Simulated = False, keep: Keep = []) -> ResultsDocument:  # noqa: B006
    """What the study has found so far."""
    return office.results(study, simulated, keep)


@router.get("/{study}/rows.{form}", response_model=None, responses={200: {"content": {"text/csv": {}}}})
def export_rows(
    study: str,
    form: Literal["csv", "json"],
    office: OfficeDep,
    simulated: Simulated = False,
    identities: Identities = False,
) -> Response | list[dict[str, Any]]:
    """One row for each judgement. Nothing is left out here; who the people are is."""
    design, rows = office.rows(study)
    found = raw_rows(design, rows, simulated, office.identities(study) if identities else None)
    return found if form == "json" else csv_file(to_csv(found), f"{study}-rows.csv")


@router.get("/{study}/summary.{form}", response_model=None, responses={200: {"content": {"text/csv": {}}}})
def export_summary(
    study: str,
    form: Literal["csv", "json"],
    office: OfficeDep,
    simulated: Simulated = False,
    keep: Keep = [],  # noqa: B006
) -> Response | ResultsDocument:
    """The numbers of the results."""
    results = office.results(study, simulated, keep)
    return results if form == "json" else csv_file(to_csv(summary_rows(results)), f"{study}-summary.csv")


@router.post("/{study}/rehearsals", status_code=202)
async def rehearse_study(study: str, wanted: Rehearsal, office: OfficeDep, studies: StudiesDep) -> RehearsalStarted:
    """Let simulated people take part, in the background and through the same calls as real ones."""
    document = await studies.aside(office.study, study)
    await studies.rehearse(document, wanted)
    return RehearsalStarted(people=wanted.people)


@router.delete("/{study}/rehearsals", status_code=204)
def forget_rehearsals(study: str, office: OfficeDep) -> None:
    """Remove the simulated people and their answers."""
    office.forget_rehearsals(study)


def csv_file(content: str, name: str) -> Response:
    return PlainTextResponse(content, headers={"Content-Disposition": f'attachment; filename="{name}"'}, media_type=CSV)
