"""An explanation as it is stored, served and written to files: the result, its reading, and what is said of both."""

import logging
from typing import Any

from espalier.explain.explanation import Explanation
from espalier.findings.certainty import certainty
from espalier.findings.finding import finding
from espalier.findings.provenance import provenance

_log = logging.getLogger(__name__)


def document(explanation: Explanation[Any]) -> dict[str, Any]:
    return explanation.model_dump(mode="json") | {
        "reading": explanation.read().model_dump(mode="json"),
        "finding": headline(explanation),
        "certainty": certainty(explanation),
        "provenance": provenance(explanation),
    }


def so_far(explanation: Explanation[Any]) -> dict[str, Any]:
    """What can be said while the method still works."""
    return {
        "result": explanation.result.model_dump(mode="json"),
        "reading": explanation.read().model_dump(mode="json"),
        "finding": headline(explanation),
        "certainty": certainty(explanation),
    }


def headline(explanation: Explanation[Any]) -> str | None:
    """A headline is worth having, but not worth an explanation: where there is none to be found, none is said."""
    try:
        return finding(explanation)
    except Exception:
        _log.warning("no headline for %s", explanation.method, exc_info=True)
        return None
