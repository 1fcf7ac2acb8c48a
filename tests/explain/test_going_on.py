"""More precision goes on from what is known, and something worth drawing comes early."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from espalier.explain.plan import BoolArray, FloatArray, GameShape, Later, Partial, Plan, Redraw
from espalier.explain.registry import method
from espalier.explain.toy import Toy
from espalier.trees.tree import SpanTree, from_spans

WORDS = 20
WEIGHTS = np.random.default_rng(0).normal(size=(WORDS, 12))
HEADS = np.random.default_rng(1).normal(size=12)


def game(coalitions: BoolArray) -> FloatArray:
    """A small random network of the words present."""
    return np.tanh(coalitions.astype(np.float64) @ WEIGHTS / 2) @ HEADS


def tree(words: int) -> SpanTree:
    return from_spans(words, {(0, end): ("X",) for end in range(2, words + 1)})


def plan(name: str, words: int = WORDS, **settings: Any) -> Plan[Any]:
    chosen = method(name)
    shape = GameShape(tuple(f"w{place}" for place in range(words)), ("class",), 0, tree(words))
    return chosen.start(shape, chosen.parameters(**settings))


GOING_ON = {
    "asiv": ("asiv", "budget", {}),
    "surrogate": ("shap", "budget", {"algorithm": "surrogate"}),
    "kernel": ("shap", "budget", {"algorithm": "kernel"}),
    "permutation": ("shap", "budget", {"algorithm": "permutation"}),
    "partition": ("shap", "budget", {"algorithm": "partition"}),
    "mahe": ("mahe", "samples", {}),
    "lime": ("lime", "samples", {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", GOING_ON)
def test_a_larger_budget_asks_for_all_coalitions_of_a_smaller_one(case: str) -> None:
    name, budget, settings = GOING_ON[case]
    small, large = Toy(game), Toy(game)
    small.run(plan(name, **{budget: 300}, **settings))
    large.run(plan(name, **{budget: 900}, **settings))
    assert small.seen < large.seen


def errors_of(result: Any) -> FloatArray:
    found = result.standard_errors
    return np.asarray(found.synergy if hasattr(found, "synergy") else found)


def asked_at_partials(name: str, words: int = WORDS, **settings: Any) -> tuple[list[int], list[Any]]:
    """How many evaluations each partial result had cost, and the partial results with the final one."""
    toy, costs = Toy(game if words == WORDS else lambda rows: rows.sum(axis=1).astype(float)), []
    running, reply, results = plan(name, words, **settings), None, []
    while True:
        try:
            step = running.send(reply)
        except StopIteration as finished:
            return costs, [*results, finished.value]
        reply = None
        if isinstance(step, Partial | Later):
            costs.append(toy.distinct)
            results.append(step.make())
        elif not isinstance(step, Redraw):
            reply = toy.answer(step.coalitions)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["asiv", "surrogate", "kernel", "permutation", "mahe"])
def test_the_first_partial_comes_within_150_evaluations_and_errors_shrink_from_one_to_the_next(case: str) -> None:
    name, _, settings = GOING_ON[case]
    costs, results = asked_at_partials(name, **settings)
    assert costs[0] <= 150
    assert len(set(costs)) >= 3
    of_budgets = [results[costs.index(cost)] for cost in dict.fromkeys(costs)] + [results[-1]]
    errors = [float(errors_of(result).mean()) for result in of_budgets]
    assert errors[0] > errors[-1] > 0
    assert all(later <= 1.1 * earlier for earlier, later in pairwise(errors))


def test_the_ladder_begins_with_the_whole_text_and_grows_level_by_level() -> None:
    costs, results = asked_at_partials("hedge")
    assert costs[0] == 2
    assert [len(result.levels) for result in results[:-1]] == list(range(1, WORDS + 1))


def test_a_long_tree_shows_its_words_before_its_phrases() -> None:
    words = 100
    costs, (first, final) = asked_at_partials("ls-tree", words)
    assert costs == [words + 2]
    assert [(node.start, node.end) for node in first.nodes] == [(0, words), *((at, at + 1) for at in range(words))]
    assert first.word_values == pytest.approx([1.0] * words)
    assert len(final.nodes) == 2 * words - 1


def test_a_short_tree_comes_at_once() -> None:
    costs, _ = asked_at_partials("ls-tree")
    assert costs == []
