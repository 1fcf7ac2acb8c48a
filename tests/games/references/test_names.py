"""Nobody outside the room of references knows them by name: a new one, or another usual one, is that room's matter."""

import ast
from pathlib import Path

import pytest

import espalier
from espalier.games.references import FILLING_REFERENCE, USUAL_REFERENCE, reference
from espalier.games.references.registry import HOUSE

HOME = Path(espalier.__file__).parent
NAMES = {each.name for each in HOUSE}
BY_NAME = {HOME / "games", HOME / "commands" / "gallery.py"}
"""The room itself, and a list of runs to look at, which names its models and methods, too."""

MODULES = [
    path
    for path in sorted(HOME.rglob("*.py"))
    if not BY_NAME & {path, *path.parents} and "migrations" not in path.parts
]


def test_the_whole_house_is_looked_at() -> None:
    assert len(MODULES) > 200


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOME)))
def test_no_module_names_a_reference(path: Path) -> None:
    said = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = [(node.lineno, node.value) for node in said if isinstance(node, ast.Constant) and node.value in NAMES]
    assert found == []


def test_the_usual_reference_suits_every_model_and_draws_nothing() -> None:
    usual = reference(USUAL_REFERENCE)
    assert usual.hides
    assert usual.keeps_places
    assert usual.usual_draws == 1
    assert reference(FILLING_REFERENCE).whole_words
