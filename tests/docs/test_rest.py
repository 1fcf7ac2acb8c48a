"""docs/rest.md is true: its commands are run, in order, and what they print is what stands below them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rest.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"
MARK = "@@@ next example @@@"


@dataclass(frozen=True)
class Example:
    commands: str
    expected: str | None


def examples() -> list[Example]:
    found = re.findall(r"```sh\n(.*?)```\n(?:\n```json\n(.*?)```)?", PAGE, re.DOTALL)
    return [Example(commands, expected or None) for commands, expected in found]


def documents(text: str) -> list[Any]:
    """JSON values that follow each other."""
    decoder, found, text = json.JSONDecoder(), [], text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].strip()
    return found


def shows(expected: Any, got: Any) -> bool:
    """Whether `got` has all that is shown; … stands for anything."""
    if expected == "…":
        return True
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(name in got and shows(expected[name], got[name]) for name in expected)
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(shows, expected, got))
    return bool(expected == got)


@pytest.fixture(scope="module")
def printed(service: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each example prints. They are run by one shell, as a reader would."""
    script = f"\necho '{MARK}'\n".join(example.commands for example in examples()).replace(ADDRESS, service)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path_factory.mktemp("rest"),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split(MARK)


@pytest.mark.parametrize(
    "number", range(len(examples())), ids=lambda number: examples()[number].commands.split("\n")[0]
)
def test_the_example_prints_what_the_page_shows(printed: list[str], number: int) -> None:
    example, got = examples()[number], printed[number]
    assert got.strip() or example.expected is None
    if example.expected is not None:
        assert shows(documents(example.expected), documents(got)), f"shown:\n{example.expected}\nprinted:\n{got}"


def test_the_python_example_runs(service: str) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "backend")}
    done = subprocess.run(
        [sys.executable, "-c", code.replace(ADDRESS, service)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "finished" in done.stdout.splitlines()
    assert "negative hedge" in done.stdout
