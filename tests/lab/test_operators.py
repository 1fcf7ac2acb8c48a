"""The gauge beside each operator of a run, by default."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.lab.conftest import design

from espalier.lab.design import EvaluationDesign, plan
from espalier.lab.export import table_rows
from espalier.lab.local import LocalRun, run_here
from espalier.lab.results import results
from espalier.library import shared_explainer
from espalier.measure.registry import GAUGE
from espalier.models.describe import Described, Shelf
from espalier.store.evaluations import StoredRow


@pytest.fixture(scope="module")
def run(shelf: Shelf) -> LocalRun:
    return run_here(design(), shared_explainer(), shelf)


def test_every_operator_of_the_measures_has_a_gauge_or_the_reason_why_not(run: LocalRun) -> None:
    lines = run.results.operators
    assert [(line.model, line.operator) for line in lines] == [
        (model, operator) for model in ("sst2-bow", "sst2-cnn") for operator in ("delete", "pad")
    ]
    for line in lines:
        if line.operator == "pad":
            assert line.cells == []
            assert "leaves no text" in (line.reason or "")
        else:
            assert [cell.method for cell in line.cells] == ["leave-one-out", "lime", "random-order"]
            assert line.reason is None
            assert all(cell.interval.n == 4 for cell in line.cells)


def test_the_table_is_the_mean_of_the_rows(run: LocalRun) -> None:
    values = [
        json.loads(row.content)["values"]["surprise-delete"]
        for row in run.stored
        if (row.model, row.condition) == (1, 2)  # random order on the second model
    ]
    line = next(each for each in run.results.operators if (each.model, each.operator) == ("sst2-cnn", "delete"))
    assert line.cells[-1].interval.mean == pytest.approx(np.mean(values), abs=1e-9)
    assert [row["surprise-delete"] for row in run.rows if row["method"] == "random-order"][1::2] == values
    [written] = [
        row
        for row in table_rows(run.results)
        if (row["model"], row["measure"], row["method"]) == ("sst2-cnn", "surprise-delete", "random-order")
    ]
    assert written["mean"] == line.cells[-1].interval.mean


def test_gauges_are_no_columns_and_are_not_tested(run: LocalRun) -> None:
    assert [column.name for column in run.results.measures] == list(run.design.measures)
    assert not [test for test in run.results.tests if test.measure.startswith("surprise")]


def test_the_paragraph_says_what_the_gauge_does(run: LocalRun) -> None:
    line = next(each for each in run.results.operators if (each.model, each.operator) == ("sst2-bow", "delete"))
    mean = line.cells[-1].interval.mean
    assert f"texts without 20 % of their words (delete) took {GAUGE} {mean:.2f} [" in run.results.paragraph
    assert run.results.paragraph.count("pad leaves no text to gauge") == 2


def test_a_run_of_before_has_no_gauge_and_says_nothing_of_it(run: LocalRun) -> None:
    def old(row: StoredRow) -> StoredRow:
        content: dict[str, Any] = json.loads(row.content)
        content["values"].pop("surprise-delete", None)
        return StoredRow(row.text, row.model, row.condition, json.dumps(content), row.seconds)

    found = results(run.evaluation, run.design, [old(row) for row in run.stored])
    assert found.operators == []
    assert "no text to gauge" not in found.paragraph


def test_without_the_gauge_nothing_is_read(run: LocalRun, shelf: Shelf) -> None:
    chosen = design(gauge=False)
    assert plan(chosen, shelf).by_gauge == 0
    assert [each.name for each in chosen.recorded()] == list(chosen.measures)


def test_the_plan_counts_the_gauge(run: LocalRun, shelf: Shelf) -> None:
    said = plan(design(), shelf)
    # Four texts on two models: the whole text, two methods' and five random orders' without their top words.
    assert said.by_gauge == 4 * 2 * (1 + 2 + 5)
    assert plan(design(gauge=False), shelf).evaluations == said.evaluations - said.by_gauge


def test_a_catalog_without_the_language_model_measures_without_the_gauge(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = shelf.described()

    def others(self: Shelf) -> list[Described]:
        return [each for each in known if each.entry.name != GAUGE]

    monkeypatch.setattr(Shelf, "described", others)
    said = plan(design(), shelf)
    assert said.by_gauge == 0
    assert any(f"{GAUGE} is not in this catalog" in warning for warning in said.warnings)
    run = run_here(design(most_texts=1, models=["sst2-bow"]), shared_explainer(), shelf)
    assert run.results.operators == []
    assert "surprise-delete" not in run.rows[0]


def test_a_gauge_that_was_asked_for_as_a_measure_stands_in_the_table_once(shelf: Shelf) -> None:
    asked = design(measures=("surprise-delete", "aopc-delete"))
    rows = list(table_rows(run_here(asked, shared_explainer(), shelf).results))
    names = [(row["model"], row["method"], row["measure"]) for row in rows]
    assert len(names) == len(set(names))
    assert ("sst2-cnn", "lime", "surprise-delete") in names


def test_a_measure_that_is_the_gauge_itself_is_measured_once() -> None:
    chosen = EvaluationDesign.model_validate(
        {"models": ["m"], "methods": [{"method": "shap"}], "measures": ["surprise-delete", "aopc-delete"]}
    )
    assert [each.name for each in chosen.recorded()] == ["surprise-delete", "aopc-delete"]
    assert chosen.operators == ("delete",)
