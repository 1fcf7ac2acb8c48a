"""Levels inside of each other: what the parts of a node add up to is what the node has."""

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from espalier.explain.nested.plan import Inside, inside
from espalier.explain.plan import GameShape
from espalier.explain.registry import method
from espalier.explain.toy import Toy
from espalier.games.nesting import Level, Part
from espalier.problems import NotSupported
from espalier.trees.tree import from_spans

NESTED = [[0, 1, 2], [3, 4], [[5, 6], 7, 8, 9]]
"""Ten words: three groups, the last with a group of its own."""


def spread(node: Any) -> list[int]:
    return [node] if isinstance(node, int) else [word for child in node for word in spread(child)]


def level(node: list[Any]) -> Level:
    words = spread(node)
    parts = tuple(Part(spread(c)[0], spread(c)[-1] + 1, "word" if isinstance(c, int) else "phrase") for c in node)
    return Level(words[0], words[-1] + 1, "phrase", parts, from_spans(len(parts), {}))


def random_game(seed: int, size: int = 10) -> Toy:
    """Every coalition has a value of its own."""
    table = np.random.default_rng(seed).normal(size=1 << size)
    return Toy(lambda coalitions: table[coalitions @ (1 << np.arange(size))])


def saturating_game(seed: int, size: int) -> Toy:
    """Words that all say the same: the more are there, the less another adds."""
    weights = np.random.default_rng(seed).normal(0.6, 1.0, size)
    return Toy(lambda coalitions: 1 / (1 + np.exp(-(coalitions @ weights))))


def shapley(toy: Toy, path: list[Any], most_contexts: int = 4, size: int = 10, name: str = "shap", **given: Any) -> Any:
    chosen, shap = method(name), method("shap")
    shape = GameShape(tuple(f"w{word}" for word in range(size)), ("a",), 0)
    found: Inside[Any] = toy.run(
        inside(
            shape,
            [level(node) for node in path],
            lambda each: shap.start(each, shap.parameters()),
            lambda each: chosen.start(each, chosen.parameters(**given)),
            lambda each: tuple(f"{part.start}" for part in each.parts),
            most_contexts,
        )
    )
    return found


def orders(node: Any) -> list[list[int]]:
    """All orders of arrival in which the words of every node follow one another."""
    if isinstance(node, int):
        return [[node]]
    return [
        [word for part in chosen for word in part]
        for children in permutations(node)
        for chosen in product(*(orders(child) for child in children))
    ]


def test_with_all_contexts_the_values_are_those_of_a_brute_force_over_all_nested_orders():
    toy = random_game(1)
    gains = np.zeros(10)
    every = orders(NESTED)
    assert len(every) == 6 * 6 * 2 * 24 * 2
    sets = np.array([[1 << word for word in order] for order in every]).cumsum(axis=1)
    values = toy.answer((np.arange(1 << 10)[:, None] >> np.arange(10)) & 1 == 1)[:, 0]
    steps = np.diff(np.concatenate([np.full((len(every), 1), values[0]), values[sets]], axis=1), axis=1)
    np.add.at(gains, np.array(every), steps)
    gains /= len(every)

    for path in ([NESTED], [NESTED, NESTED[0]], [NESTED, NESTED[2]], [NESTED, NESTED[2], NESTED[2][0]]):
        found = shapley(toy, path, most_contexts=1 << 9).result.values
        wanted = [gains[spread(part)].sum() for part in path[-1]]
        np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("most_contexts", [2, 4, 512])
@pytest.mark.parametrize("seed", range(4))
def test_the_parts_of_every_node_add_up_to_what_it_has(seed: int, most_contexts: int):
    deep = [[0, 1, 2], [3, 4], [[5, 6], [7, 8], 9], [10, [11, 12]], [13, 14, 15]]
    toy = saturating_game(seed, 16)
    top = shapley(toy, [deep], most_contexts, 16).result
    for at, node in enumerate(deep):
        parts = shapley(toy, [deep, node], most_contexts, 16)
        assert sum(parts.result.values) == pytest.approx(top.values[at], abs=1e-9)
        assert parts.above[0].values == top.values
        for below, inner in enumerate(node):
            if isinstance(inner, list):
                words = shapley(toy, [deep, node, inner], most_contexts, 16).result
                assert sum(words.values) == pytest.approx(parts.result.values[below], abs=1e-9)


def test_with_two_ends_the_values_are_those_of_a_brute_force_of_the_stated_game():
    """u(B) = w [v(B) - v()] + (1 - w) [v(rest + B) - v(rest)] + r |B| / |N|, and its Shapley values over all orders."""
    deep = [[0, 1], [2, 3], [4, 5, [6, 7], 8], [9]]
    toy = random_game(5)
    value = {
        bits: float(toy.answer(np.array([[bool(bits >> w & 1) for w in range(10)]]))[0, 0]) for bits in range(1024)
    }

    def bits(words: list[int]) -> int:
        return sum(1 << word for word in words)

    def marginals(players: list[list[int]], game: Any) -> list[float]:
        gains = [0.0] * len(players)
        every = list(permutations(range(len(players))))
        for order in every:
            so_far: list[int] = []
            for player in order:
                gains[player] += game([*so_far, *players[player]]) - game(so_far)
                so_far = [*so_far, *players[player]]
        return [gain / len(every) for gain in gains]

    node = deep[2]
    worth = marginals([spread(part) for part in deep], lambda words: value[bits(words)])[2]
    rest = [word for word in range(10) if word not in spread(node)]
    alone = value[bits(spread(node))] - value[0]
    in_text = value[1023] - value[bits(rest)]
    share = min(1.0, max(0.0, (worth - in_text) / (alone - in_text)))
    missing = worth - share * alone - (1 - share) * in_text

    def game(words: list[int]) -> float:
        among = value[bits([*rest, *words])] - value[bits(rest)]
        return share * (value[bits(words)] - value[0]) + (1 - share) * among + missing * len(words) / len(spread(node))

    wanted = marginals([spread(part) for part in node], game)
    np.testing.assert_allclose(shapley(toy, [deep, node], 4).result.values, wanted, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "whole"), [("hedge", "levels"), ("ls-tree", "full"), ("asiv", "full"), ("mahe", "full")]
)
def test_every_method_plays_between_the_parts_and_their_whole_is_the_nodes_value(name: str, whole: str):
    toy = saturating_game(3, 10)
    deep = [[0, 1, 2], [3, 4], [5, 6], [7, 8, 9]]
    worth = shapley(toy, [deep]).result.values[0]
    result = shapley(toy, [deep, deep[0]], name=name).result
    reading = result.reading()
    assert reading.full == pytest.approx(worth, abs=1e-9)
    assert {player for span in reading.spans for player in range(span.start, span.end)} == {0, 1, 2}


def test_a_look_asks_for_no_more_than_each_coalition_alone_and_in_the_text():
    toy = saturating_game(2, 16)
    deep = [[2 * at, 2 * at + 1] for at in range(5)] + [[10, 11, 12, 13, 14, 15]]
    shapley(toy, [deep], size=16)
    before = toy.distinct
    for name in ("shap", "hedge", "ls-tree", "asiv"):
        shapley(toy, [deep, deep[-1]], size=16, name=name)
    assert toy.distinct - before <= 2 * 2**6


def test_a_method_that_moves_words_is_refused_at_a_level():
    with pytest.raises(NotSupported, match="possible are words"):
        shapley(random_game(1), [NESTED], name="asiv-published")
