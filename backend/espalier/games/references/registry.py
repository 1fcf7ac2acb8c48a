"""The references there are, by name. Installed packages add theirs with entry points of the group
`espalier.references` that give a `Reference` class."""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError

from espalier.extensions import extensions, report
from espalier.fields import Name
from espalier.games.references.conditional import Conditional
from espalier.games.references.delete import Delete
from espalier.games.references.in_domain import InDomain
from espalier.games.references.marginal import Marginal
from espalier.games.references.mask import Mask
from espalier.games.references.pad import Pad
from espalier.games.references.reference import Reference
from espalier.problems import UnknownName

HOUSE: tuple[type[Reference], ...] = (Pad, Mask, Delete, Marginal, Conditional, InDomain)
"""Those of this project, in the order in which they are offered."""

USUAL_REFERENCE = HOUSE[0].name
"""What stands in where nobody says: the first that is offered. It suits every model and draws nothing."""

FILLING_REFERENCE = next(each.name for each in HOUSE if each.whole_words)
"""The first that writes words of its own, of which there is something to be seen."""


@cache
def references() -> dict[str, type[Reference]]:
    """All references by name."""
    known = {each.name: each for each in HOUSE}
    for name, offered in extensions("espalier.references").items():
        if not (isinstance(offered, type) and issubclass(offered, Reference)):
            report(name, "espalier.references", f"{offered!r}; possible is a class of references")
        elif offered.name in known:
            report(name, "espalier.references", f"a second reference called {offered.name}; possible is another name")
        else:
            known[offered.name] = offered
    return known


def reference(name: str) -> type[Reference]:
    if name not in references():
        raise UnknownName("reference", name, references())
    return references()[name]


def _known(name: str) -> str:
    if name not in references():
        raise PydanticCustomError("literal_error", "Input should be {expected}", {"expected": _listed(references())})
    return name


def _listed(names: Iterable[str]) -> str:
    *others, last = [repr(name) for name in names]
    return f"{', '.join(others)} or {last}"


class _Names:
    """In a schema, the names there are."""

    @staticmethod
    def __get_pydantic_json_schema__(schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(schema) | {"enum": list(references())}


ReferenceName = Annotated[Name, AfterValidator(_known), _Names]
