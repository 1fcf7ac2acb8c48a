"""docs/operations.md leaves nothing out: every setting, with its default, every metric and every command."""

import re
from pathlib import Path

import pytest
from pydantic_core import PydanticUndefined

from espalier.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(ESPALIER_\w+)` \| (.*?) \|", PAGE, re.MULTILINE))


@pytest.mark.parametrize("name", Settings.model_fields)
def test_the_setting_is_documented_with_its_default(name: str) -> None:
    row = ROWS[f"ESPALIER_{name.upper()}"]
    default = Settings.model_fields[name].default
    if isinstance(default, int | float | str) and default is not PydanticUndefined:
        assert row == f"{default:g}" if isinstance(default, float) else row == str(default)


def test_every_setting_that_is_documented_exists() -> None:
    assert {name.removeprefix("ESPALIER_").lower() for name in ROWS} == set(Settings.model_fields)
