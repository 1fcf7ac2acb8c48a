"""The committed description is what the service serves."""

import json
import subprocess
import sys
from pathlib import Path

from espalier.api.app import create_app
from espalier.api.documents import EVENTS
from espalier.api.openapi import COMMITTED, written
from espalier.explain.registry import methods
from espalier.models.describe import QUESTIONS
from espalier.models.inside.questions import questions


def test_the_committed_description_is_current() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == written(create_app()), "run `make openapi` and commit the result"


def test_every_method_has_a_result_type_of_its_own_on_the_wire() -> None:
    described = json.loads(COMMITTED.read_text(encoding="utf-8"))["components"]["schemas"]
    assert described["ExplanationDocument"]["properties"]["result"]["discriminator"]["mapping"].keys() == set(methods())
    for method in methods().values():
        assert "method" in described[method.result.__name__]["required"]


def test_the_data_of_every_event_is_described() -> None:
    described = json.loads(COMMITTED.read_text(encoding="utf-8"))["components"]["schemas"]
    assert {model.__name__ for model in EVENTS.values()} <= described.keys()


def test_what_families_can_be_asked_is_listed_as_they_answer() -> None:
    assert all(set(listed) == set(questions(family)) for family, listed in QUESTIONS.items())


def test_the_service_does_without_torch() -> None:
    code = "import sys, espalier.api.app as app; app.create_app(); sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
