"""How sure the numbers of an explanation are."""

from typing import Any

from espalier.explain.explanation import Explanation


def certainty(explanation: Explanation[Any]) -> str:
    """Exact numbers, sampled ones with standard errors, or an approximation that has none."""
    reading = explanation.result.reading()
    if reading.exact:
        return "exact"
    return "± standard error" if reading.has_errors else "approximate"
