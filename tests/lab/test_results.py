"""Tables, tests and words, from rows whose truth is known."""

import json

import numpy as np
import pytest
from tests.lab.conftest import design

from espalier.lab.matrix import columns_of
from espalier.lab.results import points, results
from espalier.measure.curves import PERCENTS
from espalier.statistics.paired import holm
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, StoredRow

COUNT = 60


def made_rows(gap: float, missing: int = 0) -> list[StoredRow]:
    """Two methods on one model, the second better by a gap on every sentence; then random orders."""
    generator = np.random.default_rng(0)
    rows = []
    for text in range(COUNT):
        base = generator.normal(0.3, 0.1)
        for line, value in enumerate((base, base + gap + generator.normal(0, 0.02), base - 0.2)):
            content = {
                "method": ("leave-one-out", "lime", "random-order")[line],
                "values": {"aopc-delete": value, "cohesion": None},
                "curves": {"aopc-delete": [value * percent / 20 for percent in PERCENTS]},
            }
            if line < 2:
                content |= {
                    "ranking": [0, 1, 2, 3] if line == 0 or text % 2 else [1, 0, 2, 3],
                    "evaluations": 10 + line,
                }
            if line == 1 and text < missing:
                content = {"method": "lime", "problem": "text too long"}
            rows.append(StoredRow(text, 0, line, json.dumps(content), 0.5))
    return rows


def read(rows: list[StoredRow], **changes: object):  # type: ignore[no-untyped-def]
    chosen = design(models=["sst2-bow"], measures=["aopc-delete", "cohesion"], **changes)
    run = Evaluation("r", "", {}, COUNT, COUNT, now(), status="finished", wanted=300, evaluated=100)
    return results(run, chosen, rows), chosen


def test_a_best_mean_over_easier_texts_is_no_victory() -> None:
    rows = made_rows(-0.05)
    easy = sorted(range(COUNT), key=lambda text: -json.loads(rows[3 * text].content)["values"]["aopc-delete"])[:20]
    kept = [row for row in rows if row.condition != 1 or row.text in easy]
    found, _ = read(kept)
    means = {line.method: line.cells[0].interval.mean for line in found.lines}
    assert means["lime"] > means["leave-one-out"]
    (test,) = [each for each in found.tests if each.measure == "aopc-delete"]
    assert (test.best, test.n) == ("lime", 20)
    assert test.difference < 0
    assert test.corrected < 0.05
    assert not any(line.cells[0].best for line in found.lines)
    assert "on those that both have it is worse than leave-one-out" in found.paragraph


def test_the_better_method_is_called_best_where_the_test_says_so() -> None:
    found, _ = read(made_rows(0.05))
    assert {line.method: line.cells[0].best for line in found.lines} == {
        "leave-one-out": False,
        "lime": True,
        "random-order": False,
    }
    (test,) = [each for each in found.tests if each.measure == "aopc-delete"]
    assert (test.best, test.other, test.n) == ("lime", "leave-one-out", COUNT)
    assert test.difference == pytest.approx(0.05, abs=0.01)
    assert "lime has the best mean AOPC (delete)" in found.paragraph
    assert "better than all other methods" in found.paragraph
    assert found.shared == 3


def test_nobody_is_called_best_where_the_difference_is_chance() -> None:
    found, _ = read(made_rows(0.0))
    assert not any(cell.best for line in found.lines for cell in line.cells)
    assert "not told apart from any other method" in found.paragraph


def test_means_intervals_and_curves_are_those_of_the_rows() -> None:
    rows = made_rows(0.05, missing=3)
    found, chosen = read(rows)
    lime = found.lines[1]
    values = [json.loads(row.content)["values"]["aopc-delete"] for row in rows[1::3][3:]]
    assert lime.cells[0].interval.n == COUNT - 3
    assert lime.cells[0].interval.mean == pytest.approx(np.mean(values))
    assert lime.cells[0].interval.low < np.mean(values) < lime.cells[0].interval.high  # type: ignore[operator]
    assert lime.cells[1].interval.mean is None
    assert [point.percent for point in lime.curves[0].points] == list(PERCENTS)
    assert lime.curves[0].points[-1].mean == pytest.approx(np.mean(values) * 50 / 20)
    assert lime.evaluations.mean == 11
    assert lime.problems == {"text too long": 3}
    seen = points(chosen, COUNT, columns_of(chosen, COUNT, rows), "aopc-delete")
    assert seen.values[1][:4] == [None, None, None, pytest.approx(values[0], abs=1e-6)]


def test_agreement_is_that_of_the_rankings() -> None:
    found, _ = read(made_rows(0.0))
    (pair,) = found.agreement
    # Half of the sentences agree; in the others one of six pairs is the other way round, and so is the first word.
    assert pair.kendall.mean == pytest.approx((1 + 4 / 6) / 2)
    assert pair.overlap.mean == pytest.approx(0.5)


def test_raw_values_of_two_models_come_with_a_warning() -> None:
    rows = made_rows(0.0)
    both = rows + [StoredRow(row.text, 1, row.condition, row.content, row.seconds) for row in rows]
    chosen = design(measures=["aopc-delete", "normalised-aopc-delete"])
    run = Evaluation("r", "", {}, COUNT, 2 * COUNT, now(), status="finished")
    said = " ".join(results(run, chosen, both).warnings)
    assert "Do not compare AOPC" in said
    assert not any("Do not compare" in warning for warning in read(rows)[0].warnings)


def test_corrected_p_values_are_holms() -> None:
    found, _ = read(made_rows(0.02))
    assert [test.corrected for test in found.tests] == holm([test.p for test in found.tests])


def test_an_empty_run_says_so() -> None:
    found, _ = read([])
    assert found.paragraph == "Nothing has been measured yet."
