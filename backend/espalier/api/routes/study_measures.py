"""A coherence study's answers beside the Lab's measures of the same items."""

from typing import Literal

from fastapi import APIRouter, Response

from espalier.api.dependencies import DatasetInTurn, LabDep, StudiesDep
from espalier.api.routes.studies import Keep, OfficeDep, Simulated, csv_file
from espalier.datasets.tables import to_csv
from espalier.lab.people.documents import PeopleAndMeasures
from espalier.lab.people.service import table_rows

router = APIRouter(prefix="/studies", tags=["studies"])


@router.post("/{study}/measures", status_code=202, dependencies=[DatasetInTurn])
async def measure_study(study: str, office: OfficeDep, studies: StudiesDep, lab: LabDep) -> PeopleAndMeasures:
    """Measure the items of a coherence study, as a run of the Lab in the background; again, where that has ended."""
    await lab.people.measure(office, study)
    return await studies.aside(lab.people.show, office, study)


@router.get("/{study}/measures", dependencies=[DatasetInTurn])
def show_study_measures(
    study: str,
    office: OfficeDep,
    lab: LabDep,
    simulated: Simulated = False,
    keep: Keep = [],  # noqa: B006
) -> PeopleAndMeasures:
    """Every item's share of right guesses beside its measures, and how far the two go together."""
    return lab.people.show(office, study, simulated, keep)


@router.get(
    "/{study}/measures.{form}",
    response_model=None,
    responses={200: {"content": {"text/csv": {}}}},
    dependencies=[DatasetInTurn],
)
def export_study_measures(
    study: str,
    form: Literal["csv", "json"],
    office: OfficeDep,
    lab: LabDep,
    simulated: Simulated = False,
    keep: Keep = [],  # noqa: B006
) -> Response | PeopleAndMeasures:
    """One row for each item; the correlations are in the JSON."""
    found = lab.people.show(office, study, simulated, keep)
    return found if form == "json" else csv_file(to_csv(list(table_rows(found))), f"{study}-measures.csv")
