"""docs/security.md names a test for each promise, and every test it names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| what could", "|---"))]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2:40])
def test_a_promise_names_tests_that_exist(row: str) -> None:
    files = [ROOT / name for name in re.findall(r"`(tests/[\w/]+\.py)`", row)]
    assert files
    written = "".join(file.read_text(encoding="utf-8") for file in files)
    for name in re.findall(r"`(test_\w+)`", row):
        assert f"def {name}(" in written, name
