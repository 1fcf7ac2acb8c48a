"""Evaluating until an error is reached, with the budget as the most."""

from typing import Any

import numpy as np
import pytest

from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.explain.registry import method
from espalier.explain.stopping import share
from espalier.explain.toy import Toy

WORDS = 14
WEIGHTS = np.random.default_rng(0).normal(size=(WORDS, 12))
HEADS = np.random.default_rng(1).normal(size=12)


def game(coalitions: BoolArray) -> FloatArray:
    return np.tanh(coalitions.astype(np.float64) @ WEIGHTS / 4) @ HEADS


def run(name: str, **settings: Any) -> tuple[Any, Toy]:
    chosen, toy = method(name), Toy(game)
    shape = GameShape(tuple(f"w{place}" for place in range(WORDS)), ("class",), 0)
    return toy.run(chosen.start(shape, chosen.parameters(**settings))), toy


def errors_of(result: Any) -> tuple[FloatArray, FloatArray]:
    if result.method == "asiv":
        return np.array(result.standard_errors.present), np.array(result.present)
    return np.array(result.standard_errors), np.array(result.values)


@pytest.mark.parametrize(("name", "settings"), [("shap", {}), ("shap", {"algorithm": "permutation"}), ("asiv", {})])
def test_the_first_result_that_is_good_enough_is_the_last(name: str, settings: dict[str, Any]) -> None:
    found, toy = run(name, budget=2000, stop_at=0.15, **settings)
    assert found.reached
    assert found.relative_error == pytest.approx(share(*errors_of(found)))
    assert found.relative_error <= 0.15
    assert found.coalitions == toy.distinct < 2000
    assert all(partial.relative_error > 0.15 for partial in toy.partials)


def test_an_error_that_the_budget_does_not_buy_is_said_not_to_be_reached() -> None:
    found, toy = run("shap", budget=150, stop_at=0.0001)
    assert found.reached is False
    assert found.relative_error > 0.0001
    assert toy.distinct == 150


def test_exact_numbers_reach_any_error() -> None:
    found, _ = run("shap", budget=2**WORDS, algorithm="kernel", stop_at=1e-9)
    assert found.exact
    assert found.reached


def test_without_it_nothing_is_said() -> None:
    found, _ = run("shap", budget=150)
    assert (found.reached, found.relative_error) == (None, None)
