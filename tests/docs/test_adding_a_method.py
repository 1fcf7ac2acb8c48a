"""docs/adding-a-method.md is true: its package is built, installed and used; no line of the house knows it."""

import csv
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from tests.outside import PAGE, ROOT, Outside, with_method
from tests.serving import serving

from espalier.client import Client
from espalier.explain.registry import methods
from espalier.findings.document import document
from espalier.pictures.svg import svg

PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
pytestmark = pytest.mark.slow

TEXT = "The plot is thin, but the leads are charming."

TROUBLES = {
    "troubles.py": (
        "from espalier_banzhaf import METHOD\nfrom dataclasses import replace\n"
        "SECOND, LOUD, NUMBER = replace(METHOD, name='shap', title='Not SHAP'), replace(METHOD, name='No Name'), 3\n"
        "LIMIT = replace(METHOD, name='limit', maximum_players=lambda parameters: 1 // 0)\n"
    ),
    "pyproject.toml": (
        "[build-system]\nrequires = ['setuptools']\nbuild-backend = 'setuptools.build_meta'\n"
        "[project]\nname = 'troubles'\nversion = '1'\n[tool.setuptools]\npy-modules = ['troubles']\n"
        "[project.entry-points.'espalier.methods']\nsecond = 'troubles:SECOND'\nloud = 'troubles:LOUD'\n"
        "number = 'troubles:NUMBER'\nlimit = 'troubles:LIMIT'\n"
        "missing = 'troubles:MISSING'\nabsent = 'no_such_module:METHOD'\n"
    ),
}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    return with_method(tmp_path_factory.mktemp("outside"))


@pytest.fixture(scope="module")
def drawn(outside: Outside) -> str:
    """What the page's commands print."""
    (commands,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    bin_folder = Path(sys.executable).parent
    return outside.run("bash", "-euc", f'export PATH="{bin_folder}:$PATH"\n{commands}').stdout


@pytest.fixture(scope="module")
def server(outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("served"), **outside.environment) as address:
        yield address


@pytest.fixture(scope="module")
def served(server: str) -> dict[str, Any]:
    """An explanation as the service gives it."""
    question = {"text": TEXT, "model": "sst2-bow", "method": "banzhaf"}
    answer = httpx.post(f"{server}/v1/explanations", json=question, headers={"Prefer": "wait=60"}, timeout=90)
    found: dict[str, Any] = answer.json()["explanation"]
    return found


def test_the_method_is_listed_and_drawn_with_its_errors_and_a_finding(drawn: str) -> None:
    assert "banzhaf" in drawn
    said = " ".join(drawn.split())
    assert re.search(r"“\w+” speaks most for negative \(\+0\.\d\d ± 0\.\d\d\)", said)
    assert "± standard error" in drawn


def test_the_picture_and_the_table_have_every_number(drawn: str, outside: Outside) -> None:
    picture = ElementTree.parse(outside.folder / "banzhaf.svg")
    bars = [mark for mark in picture.iter() if mark.get("class") == "word"]
    with (outside.folder / "banzhaf.csv").open(newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["kind"] == "word"]
    assert [row["text"] for row in rows][:3] == ["The", "plot", "is"]
    assert [bar.get("data-value") for bar in bars] == [row["score"] for row in rows]
    assert [bar.get("data-error") for bar in bars] == [row["standard_error"] for row in rows]


def test_what_cannot_be_used_is_reported_and_everything_else_is_there(outside: Outside) -> None:
    before = json.loads(outside.espalier("methods", "--json").stdout)
    outside.install("troubles", TROUBLES)
    done = outside.espalier("methods", "--json")
    assert json.loads(done.stdout) == before
    assert {method["name"] for method in before} == {*methods(), "banzhaf"}
    for trouble in ("second", "loud", "number", "limit", "missing", "absent"):
        assert re.search(rf"espalier.methods from an installed package is left out: got {trouble}\b", done.stderr)


def test_the_service_offers_it_and_says_how_sure_its_numbers_are(server: str, served: dict[str, Any]) -> None:
    (listed,) = [m for m in httpx.get(f"{server}/v1/catalog").json()["methods"] if m["name"] == "banzhaf"]
    assert (listed["view"], listed["parameters"]["properties"]["draws"]["default"]) == ("tokens", 200)
    assert listed["parameters"]["properties"]["draws"]["buys_precision"] is True
    assert "sst2-bow" in listed["models"]
    assert served["certainty"] == "± standard error"
    assert "speaks most for negative" in served["finding"]
    assert [span["score"] for span in served["reading"]["spans"]] == served["result"]["values"]
    assert [span["error"] for span in served["reading"]["spans"]] == served["result"]["standard_errors"]


def test_the_description_of_the_service_does_not_depend_on_what_is_installed(server: str) -> None:
    committed = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
    assert httpx.get(f"{server}/openapi.json").json() == committed


def test_a_client_without_the_package_reads_and_draws_it(server: str, served: dict[str, Any]) -> None:
    assert "banzhaf" not in methods()
    with Client(server) as client:
        explanation = client.explain(TEXT, model="sst2-bow", method="banzhaf")
    assert explanation.result.reading().model_dump(mode="json") == served["reading"]
    assert document(explanation)["finding"] == served["finding"]
    assert 'class="word"' in svg(explanation)


def test_a_study_can_show_it_beside_another_method(server: str) -> None:
    design = {
        "title": "Which words tell?",
        "protocol": "coherence",
        "models": ["sst2-bow"],
        "methods": ["banzhaf", "leave-one-out"],
        "items": 2,
        "votes": 1,
        "items_per_person": 2,
        "filters": {"minimum_words": 4, "maximum_words": 9, "correctly_classified": False},
    }
    created = httpx.post(f"{server}/v1/studies", json=design, timeout=60)
    assert created.status_code == 201, created.text
    deadline = time.monotonic() + 120
    while (study := httpx.get(server + created.headers["location"]).json())["status"] == "preparing":
        assert time.monotonic() < deadline, study
        time.sleep(0.2)
    assert study["status"] == "ready", study
    assert study["preparation"]["kept"] == 2


def test_the_plan_is_right_on_a_plain_function(outside: Outside) -> None:
    imports = (
        "import numpy as np\nfrom espalier_banzhaf import BanzhafParameters, banzhaf\n"
        "from espalier.explain.plan import GameShape\nfrom espalier.explain.toy import Toy\n"
    )
    outside.run(sys.executable, "-c", imports + PYTHON[2])


def test_a_result_of_another_form_is_read_by_everything(outside: Outside) -> None:
    imports = (
        "from typing import Literal\nfrom espalier.explain.reading import Reading, Scored, read\n"
        "from espalier.explain.registry import MethodResult\n"
    )
    check = "print(Halves(exact=True, middle=2, size=5, left=0.1, right=0.4, base=0.0).reading().ranking)"
    assert outside.run(sys.executable, "-c", imports + PYTHON[1] + check).stdout.strip() == "(2, 3, 4, 0, 1)"
