"""The committed description of the API: what clients are generated from, the same bytes on every machine."""

import json
import re
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from espalier.api.documents import EVENTS
from espalier.fields import LEFT_OUT

COMMITTED = Path(__file__).parents[3] / "docs" / "openapi.json"

REFERENCES = "#/components/schemas/{model}"

_NAME = re.compile(r'"#/components/schemas/([^"]+)"')


def name_event_models(app: FastAPI) -> None:
    """FastAPI describes bodies, not the data of server-sent events: their models are named here."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        description = describe()
        _, events = models_json_schema([(model, "serialization") for model in EVENTS.values()], ref_template=REFERENCES)
        for path in description["paths"].values():
            for operation in path.values():
                answer = operation["responses"].get("200", {}).get("content", {}).get("text/event-stream")
                if answer is not None:
                    answer["schema"].pop("type", None)  # FastAPI takes every stream for a text
        known = description["components"]["schemas"]
        for name, schema in events.get("$defs", {}).items():
            known.setdefault(name, schema)
        for name in known.keys() - _sent(description):
            # What the service sends, it sends whole: a field with a default is there as well.
            if "properties" in known[name]:
                fields = known[name]["properties"]
                known[name]["required"] = [field for field in fields if not fields[field].get(LEFT_OUT)]
        return description

    app.openapi = described  # type: ignore[method-assign]


def _sent(description: dict[str, Any]) -> set[str]:
    """Names of the models that clients send, those inside others included."""
    bodies = [operation.get("requestBody") for path in description["paths"].values() for operation in path.values()]
    known = description["components"]["schemas"]
    found: set[str] = set()
    waiting = [bodies]
    while waiting:
        for name in set(_NAME.findall(json.dumps(waiting.pop()))) - found:
            found.add(name)
            waiting.append(known[name])
    return found


def written(app: FastAPI) -> str:
    """Sorted and indented, so that a change shows as the lines that changed."""
    return json.dumps(app.openapi(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main() -> None:
    """`make openapi`: write the description where it is committed."""
    from espalier.api.app import create_app

    COMMITTED.write_text(written(create_app()), encoding="utf-8")


if __name__ == "__main__":
    main()
