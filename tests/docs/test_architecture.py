"""The page about the rooms of the house names them all, in the order that the linter checks."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
DRAWING = PAGE.split("```")[1]


def layers() -> list[str]:
    (contract,) = [each for each in CONTRACTS if each["type"] == "layers"]
    return list(contract["layers"])


def test_the_drawing_has_the_rooms_in_the_order_of_their_layers() -> None:
    shared = layers()[-1]
    rooms = [room for layer in layers() if layer != shared for room in re.findall(r"\w+", layer)]
    at = [re.search(rf"(?m)^  (?:[\w ]+· )*{room}\b", DRAWING) for room in rooms]
    assert None not in at, f"not drawn: {[room for room, found in zip(rooms, at, strict=True) if found is None]}"
    lines = [DRAWING.count("\n", 0, found.end()) for found in at if found]
    assert lines == sorted(lines)


def test_every_module_the_page_names_is_there() -> None:
    for path in re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", PAGE):
        places = [ROOT / "backend" / "espalier" / path, ROOT / "frontend" / "src" / path, ROOT / path]
        assert any(place.exists() for place in places), path
