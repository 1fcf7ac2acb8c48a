"""The Lab: how well known interactions are fitted, as it was measured for this project."""

from typing import Any

from fastapi import APIRouter, Response

from espalier.lab.interactions.figure import figure_3a
from espalier.lab.interactions.shipped import shipped_fit
from espalier.lab.interactions.synthetic_fit import SyntheticFit

PICTURE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/svg+xml": {}}}}

router = APIRouter(prefix="/functions", tags=["functions"])


@router.get("")
def show_functions() -> SyntheticFit:
    """MAHE's Figure 3a: functions whose interaction is known, and the error of what is said of it. Nothing is computed:
    the numbers ship with the project, and `espalier interactions synthetic-fit` makes others."""
    return shipped_fit()


@router.get("/picture.svg", response_class=Response, responses=PICTURE)
def draw_functions() -> Response:
    """The same as a picture, in light colours as papers have them."""
    headers = {"Content-Disposition": 'attachment; filename="functions.svg"'}
    return Response(figure_3a(shipped_fit()), media_type="image/svg+xml", headers=headers)
