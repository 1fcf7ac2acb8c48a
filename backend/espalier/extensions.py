"""What other installed packages add to the house: families of models, models, references, methods.

A package offers a thing as an entry point of one of the groups below (see docs/adding-a-model.md and
docs/adding-a-method.md). A package that cannot be loaded is reported in the log and left out: it must not keep
everything else from working.
"""

import logging
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

Group = Literal["espalier.families", "espalier.models", "espalier.references", "espalier.methods"]

_log = logging.getLogger(__name__)


@cache
def extensions(group: Group) -> dict[str, Any]:
    """What installed packages offer, by the names of their entry points; each package is loaded once."""
    found: dict[str, Any] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        if point.name in found:
            report(point, group, "a second one of this name; possible is another name")
            continue
        try:
            found[point.name] = point.load()
        except (Exception, SystemExit) as error:  # anything can happen in other people's code
            report(point, group, f"{type(error).__name__}: {error}")
    return found


def report(point: EntryPoint | str, group: Group, reason: str) -> None:
    """Say that something from outside is left out, and why."""
    named = point if isinstance(point, str) else f"{point.name} ({point.value})"
    _log.warning("%s from an installed package is left out: got %s, %s", group, named, reason)
