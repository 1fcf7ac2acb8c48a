"""The same examples as the interface's tests: what both languages write and draw, they write and draw alike."""

import json
from pathlib import Path
from typing import Any

import pytest

from espalier.explain.leave_one_out import LeaveOneOutResult
from espalier.findings.reading import adds_up
from espalier.findings.wording import Numbers, percent, printable, quoted, shortened
from espalier.pictures.colour import ColourScale

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_name("vectors.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("example", VECTORS["numbers"], ids=str)
def test_numbers(example: dict[str, Any]) -> None:
    numbers = Numbers.like(example["like"])
    assert numbers.signed(example["value"]) == example["signed"]
    assert numbers.plain(example["value"]) == example["plain"]


@pytest.mark.parametrize("example", VECTORS["errors"], ids=str)
def test_errors(example: dict[str, Any]) -> None:
    assert Numbers.like(example["like"]).error(example["value"]) == example["written"]


@pytest.mark.parametrize("example", VECTORS["percents"], ids=str)
def test_percents(example: dict[str, Any]) -> None:
    assert percent(example["share"]) == example["written"]


@pytest.mark.parametrize("example", VECTORS["colours"], ids=str)
def test_colours(example: dict[str, Any]) -> None:
    assert ColourScale(example["limit"]).fill(example["value"]).hex == example["fill"]


@pytest.mark.parametrize("example", VECTORS["quotes"], ids=str)
def test_quotes(example: dict[str, Any]) -> None:
    assert quoted(example["text"]) == example["written"]


@pytest.mark.parametrize("example", VECTORS["shortened"], ids=str)
def test_shortened(example: dict[str, Any]) -> None:
    assert shortened(example["text"], example["most"]) == example["written"]


@pytest.mark.parametrize("example", VECTORS["printable"], ids=ascii)
def test_printable(example: dict[str, Any]) -> None:
    assert printable(example["text"]) == example["written"]


@pytest.mark.parametrize("example", VECTORS["sums"], ids=str)
def test_sums(example: dict[str, Any]) -> None:
    result = LeaveOneOutResult(exact=True, values=example["values"], base=example["base"], full=example["full"])
    assert adds_up(result.reading()) == example["adds_up"]
