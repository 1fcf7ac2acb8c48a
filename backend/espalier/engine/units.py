"""Who does a unit of a run, and which models it needs."""

from espalier.engine import measuring
from espalier.engine.diagnosing import Diagnosing, models_asked
from espalier.engine.explainer import Explainer
from espalier.engine.measuring import Measuring
from espalier.measure.diagnosis import DiagnoseRequest
from espalier.measure.units import UnitRequest

Working = Measuring | Diagnosing


def begin(explainer: Explainer, request: UnitRequest, client: str = "") -> Working:
    if isinstance(request, DiagnoseRequest):
        return Diagnosing(explainer, request, client)
    return Measuring(explainer, request, client)


def models_of(request: UnitRequest) -> set[str]:
    """Those that are loaded before, and kept until the end."""
    return models_asked(request) if isinstance(request, DiagnoseRequest) else measuring.models_of(request)
