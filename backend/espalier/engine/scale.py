"""What the numbers of a request are measured in: decided here, for whoever computes them and for their address."""

from espalier.explain.request import ExplanationRequest
from espalier.models.families import Says
from espalier.scale import Scale


def scale_of(request: ExplanationRequest, says: Says) -> Scale:
    """The scale that was asked for; else the method's own for classes, and for words log-odds: a probability among some
    ten thousand words is all but 0 whatever is left out."""
    if request.scale is not None:
        return request.scale
    method, _ = request.settings()
    return method.scale if says == "classes" else "log_odds"
