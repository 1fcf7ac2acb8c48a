"""Every body that a route takes, and every method's settings: all lists end at their first wrong item, and everything
has a length. The forms are found in the app, so that a new one cannot forget it."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter

from espalier.api import routes
from espalier.api.app import create_app
from espalier.explain.registry import methods
from espalier.fields import Several
from espalier.settings import Settings

READ_BY_THE_MODEL = {"text", "pair", "texts", "instances"}
"""Fields whose texts have no length of their own: whoever reads them says how many words are possible. The body they
come in has a length."""

NO_SCHEMA = {"metadata", "default", "default_factory", "serialization", "config", "cls", "expected"}


def bodies() -> dict[str, Any]:
    """Name of the operation to the form of its body."""
    found = {}
    for module in pkgutil.iter_modules(routes.__path__):
        for route in importlib.import_module(f"{routes.__name__}.{module.name}").router.routes:
            assert isinstance(route, APIRoute)
            if route.body_field is not None:
                found[route.name] = route.body_field.field_info.annotation
    return found


FORMS = bodies() | {f"settings of {name}": method.parameters for name, method in methods().items()}


def parts(schema: Any, field: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part of pydantic's own plan of a form that has a type, with the field it stands in."""
    if isinstance(schema, dict):
        if isinstance(schema.get("type"), str):
            yield field, schema
        for key, inner in schema.items():
            if key == "fields" and isinstance(inner, dict):
                for name, part in inner.items():
                    yield from parts(part, name)
            elif key not in NO_SCHEMA:
                yield from parts(inner, field)
    elif isinstance(schema, list | tuple):
        for inner in schema:
            yield from parts(inner, field)


def careless(form: Any) -> list[str]:
    """What in a form takes more than it should."""
    found = []
    for field, part in parts(TypeAdapter(form).core_schema):
        kind = part["type"]
        many = kind in ("list", "set", "frozenset", "generator") or (kind == "tuple" and "variadic_item_index" in part)
        if many and not part.get("fail_fast"):
            found.append(f"{field}: an error for each wrong item; possible is Several[…]")
        if (many or kind == "dict") and "max_length" not in part:
            found.append(f"{field}: any number of items; possible is max_length")
        if kind == "str" and not {"max_length", "pattern"} & set(part) and field not in READ_BY_THE_MODEL:
            found.append(f"{field}: any length; possible are Name, Text, Prose, or max_length")
    return found


def test_every_body_is_looked_at(tmp_path: Path) -> None:
    described = create_app(Settings(data=tmp_path, frontend=tmp_path)).openapi()["paths"].values()
    with_body = {each["operationId"] for path in described for each in path.values() if "requestBody" in each}
    assert with_body == set(bodies())


@pytest.mark.parametrize("name", FORMS)
def test_a_form_takes_no_more_than_it_needs(name: str) -> None:
    assert careless(FORMS[name]) == []


def test_a_careless_form_would_be_found() -> None:
    class Inner(BaseModel):
        words: list[str]

    class Careless(BaseModel):
        many: tuple[Inner, ...] | None = None
        counts: dict[str, int]
        fine: Several[int] = ()

    assert [each.partition(":")[0] for each in careless(Careless)] == [
        *("many", "many", "words", "words", "words"),
        *("counts", "counts", "fine"),
    ]
