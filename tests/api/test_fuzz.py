"""The committed description of the API, taken at its word by schemathesis, against a real server.

`make fuzz` runs dozens of cases for each operation; here are a few of each.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

FEW = 8
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", FEW))

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)

ROOT = Path(__file__).parents[2]
ARTIFACTS = ROOT / "test-artifacts"

# Besides what is drawn, schemathesis goes through every edge of every field: a thousand cases, for `make fuzz`.
config = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": EXAMPLES > FEW}}})
schema = schemathesis.openapi.from_path(ROOT / "docs" / "openapi.json", config=config)

# Names are plain strings in the description, and a string drawn at random is never one of them: without this, every
# case would end at "unknown model".
NAMES = {"model": ["sst2-bow", "sst2-minilm"], "method": ["leave-one-out", "hedge", "ls-tree", "shap"]}


def plausible(body: Any, number: int) -> Any:
    """Every other body with names that exist; the rest as drawn."""
    if isinstance(body, dict) and number % 2:
        for name, known in NAMES.items():
            if isinstance(body.get(name), str):
                body[name] = known[number // 2 % len(known)]
    return body


@pytest.fixture(scope="session")
def tally() -> Iterator[Counter[str]]:
    """How many cases there were of each operation; kept beside the screenshots."""
    counted: Counter[str] = Counter()
    yield counted
    ARTIFACTS.mkdir(exist_ok=True)
    (ARTIFACTS / "fuzz.json").write_text(json.dumps({"cases": counted.total(), "operations": counted}, indent=2))


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described_and_every_error_a_problem(
    case: schemathesis.Case, service: str, tally: Counter[str]
) -> None:
    tally[case.operation.label] += 1
    case.body = plausible(case.body, tally.total())
    answer = case.call(base_url=service, timeout=60)
    case.validate_response(answer, checks=CHECKS)
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == ["application/problem+json"]
        assert answer.json()["status"] == answer.status_code
