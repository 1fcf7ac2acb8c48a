"""What may be found out about one text on one model, behind everybody's questions."""

from espalier.measure.diagnosis import DiagnosedUnit, DiagnoseRequest
from espalier.measure.request import MeasuredUnit, MeasureRequest

UnitRequest = MeasureRequest | DiagnoseRequest
FoundUnit = MeasuredUnit | DiagnosedUnit
