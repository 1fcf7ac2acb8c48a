"""The same examples as the interface's tests: what both languages write and draw, they write and draw alike."""

import json
from pathlib import Path
from typing import Any

import pytest

from espalier.datasets.tables import to_csv
from espalier.explain.explanation import DrawErrors, Explanation
from espalier.explain.leave_one_out import LeaveOneOutResult
from espalier.explain.registry import method
from espalier.findings.graph import published_arrows, telling_arrows
from espalier.findings.ladder import neutral
from espalier.findings.reading import adds_up
from espalier.findings.table import COLUMNS, rows
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


FIXTURES = Path(__file__).parents[2] / "frontend" / "src" / "views" / "fixtures"


def _explanation(name: str) -> Explanation[Any]:
    """One of the real explanations that the interface's tests draw."""
    written = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    known = {key: value for key, value in written.items() if key in Explanation.model_fields}
    return Explanation[method(written["method"]).result].model_validate(known)  # type: ignore[misc]


@pytest.mark.parametrize("example", VECTORS["arrows"], ids=str)
def test_arrows(example: dict[str, Any]) -> None:
    explanation = _explanation(example["fixture"])
    if doubted := example["doubted"]:
        reading = explanation.read()
        errors = tuple(10.0 if [pair.first, pair.second] == doubted else None for pair in reading.pairs)
        update = {"draw_errors": DrawErrors(spans=(None,) * len(reading.spans), pairs=errors)}
        explanation = explanation.model_copy(update=update)
    rank = published_arrows if explanation.method == "asiv-published" else telling_arrows
    ranked = [f"{arrow.given}>{arrow.adds}" for arrow in rank(explanation)]
    assert ranked[: len(example["first"])] == example["first"]


@pytest.mark.parametrize("example", VECTORS["neutrals"], ids=str)
def test_neutral(example: dict[str, Any]) -> None:
    explanation = _explanation(example["fixture"]).model_copy(update={"scale": example["scale"]})
    assert neutral(explanation) == example["neutral"]


@pytest.mark.parametrize("example", VECTORS["cells"], ids=ascii)
def test_cells(example: dict[str, Any]) -> None:
    assert to_csv([{"kind": "word", "cell": example["cell"]}]) == f"kind,cell\nword,{example['written']}\n"


TABLES: dict[str, list[list[Any]]] = json.loads(Path(__file__).with_name("tables.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    assert [list(COLUMNS), *(list(row) for row in rows(_explanation(name)))] == TABLES[name]
