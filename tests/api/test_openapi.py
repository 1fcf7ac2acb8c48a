"""The committed description is what the service serves."""

import json
import subprocess
import sys
from pathlib import Path

from espalier.api.app import create_app
from espalier.api.documents import EVENTS
from espalier.api.openapi import COMMITTED, written
from espalier.explain.registry import house_methods


def test_the_committed_description_is_current() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == written(create_app()), "run `make openapi` and commit the result"


def test_every_method_has_a_result_type_of_its_own_on_the_wire() -> None:
    described = json.loads(COMMITTED.read_text(encoding="utf-8"))["components"]["schemas"]
    house, other = described["ExplanationDocument"]["properties"]["result"]["anyOf"]
    assert house["discriminator"]["mapping"].keys() == set(house_methods())
    assert other == {"$ref": "#/components/schemas/OtherResult"}
    for method in house_methods().values():
        assert "method" in described[method.result.__name__]["required"]


def test_the_data_of_every_event_is_described() -> None:
    described = json.loads(COMMITTED.read_text(encoding="utf-8"))["components"]["schemas"]
    assert {model.__name__ for model in EVENTS.values()} <= described.keys()


def test_the_service_starts_without_torch_and_without_what_only_results_need() -> None:
    served = "app.create_app().state.shelf.described()"
    heavy = "{'torch', 'scipy.stats', 'statsmodels', 'pandas'} & {*sys.modules}"
    code = f"import sys, espalier.api.app as app; {served}; sys.exit(' '.join({heavy}) or 0)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


def test_only_what_is_always_written_is_promised() -> None:
    app = create_app()
    for _ in range(2):  # the description is kept between two requests for it
        described = app.openapi()["components"]["schemas"]["ExplanationDocument"]
        assert described["properties"].keys() - described["required"] == {"rounding", "expected_words"}
