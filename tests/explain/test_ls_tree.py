"""LS-Tree against brute-force least squares: fit all rows, delete rows, fit again, compare."""

from itertools import pairwise

import numpy as np
import pytest

from espalier.explain.ls_tree import LSTreeParameters, LSTreeResult, ls_tree
from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.explain.registry import Method
from espalier.explain.toy import Toy
from espalier.problems import BadParameter
from espalier.trees.tree import Nested, SpanTree, flatten


def random_tree(generator: np.random.Generator, words: int) -> SpanTree:
    """Any shape from flat to chain: every inner node gets two to five children at random places."""

    def grow(start: int, end: int) -> Nested:
        if end - start == 1:
            return (("W",), start)
        parts = int(generator.integers(2, min(5, end - start) + 1))
        cuts = sorted(generator.choice(np.arange(start + 1, end), parts - 1, replace=False).tolist())
        edges = [start, *cuts, end]
        return (("X",), [grow(a, b) for a, b in pairwise(edges)])

    return flatten(grow(0, words))


def random_game(seed: int, words: int) -> FloatArray:
    """Outputs of two classes for every coalition, numbered by its bits."""
    return np.random.default_rng(seed).normal(size=(2**words, 2))


def explain(
    tree: SpanTree, outputs: FloatArray, parameters: LSTreeParameters | None = None, target: int = 1
) -> LSTreeResult:
    game = GameShape(tuple(f"w{i}" for i in range(tree.size)), ("no", "yes"), target, tree)
    toy = Toy(lambda coalitions: outputs[coalitions @ (1 << np.arange(tree.size))])
    return toy.run(ls_tree(game, parameters or LSTreeParameters()))


def node_values(tree: SpanTree, outputs: FloatArray, target: int = 1) -> FloatArray:
    numbers = tree.coalitions() @ (1 << np.arange(tree.size))
    values: FloatArray = outputs[numbers, target] - outputs[0, target]
    return values


def least_squares(rows: BoolArray, values: FloatArray) -> FloatArray:
    """Of minimal norm, so that a word without a row gets 0."""
    coefficients: FloatArray = np.linalg.lstsq(rows.astype(float), values, rcond=None)[0]
    return coefficients


def without_ancestors(tree: SpanTree, position: int) -> list[int]:
    ancestors = set()
    above = tree.parents[position]
    while above is not None:
        ancestors.add(above)
        above = tree.parents[above]
    return [row for row in range(len(tree.nodes)) if row not in ancestors]


@pytest.mark.parametrize("words", range(1, 11))
def test_values_and_interactions_are_those_of_least_squares_with_rows_deleted(words: int) -> None:
    generator = np.random.default_rng(words)
    for _ in range(20):  # 200 trees in all
        tree = random_tree(generator, words)
        outputs = random_game(int(generator.integers(2**32)), words)
        rows, values = tree.coalitions(), node_values(tree, outputs)
        result = explain(tree, outputs)

        np.testing.assert_allclose(result.word_values, least_squares(rows, values), atol=1e-9)
        for position, node in enumerate(result.nodes):
            kept = without_ancestors(tree, position)
            with_node = least_squares(rows[kept], values[kept])
            kept.remove(position)
            without_node = least_squares(rows[kept], values[kept]) if kept else np.zeros(words)
            assert node.signed == pytest.approx(np.sum(with_node - without_node), abs=1e-9)
            assert node.absolute == pytest.approx(np.linalg.norm(with_node - without_node), abs=1e-9)


def test_long_texts_are_fitted_as_well_as_short_ones() -> None:
    generator = np.random.default_rng(0)
    tree = random_tree(generator, 300)
    rows, outputs = tree.coalitions(), generator.normal(size=len(tree.nodes))
    known = {row.tobytes(): output for row, output in zip(rows, outputs, strict=True)}
    game = GameShape(("w",) * 300, ("yes",), 0, tree)
    toy = Toy(lambda coalitions: np.array([known.get(row.tobytes(), 0.0) for row in coalitions]))
    result = toy.run(ls_tree(game, LSTreeParameters()))
    np.testing.assert_allclose(result.word_values, least_squares(rows, outputs), atol=1e-9)


def test_two_words_by_hand() -> None:
    # v = 1, 2 and 6 together: the pair is 3 above the sum, of which least squares gives each word a third.
    result = explain(flatten((("S",), [((), 0), ((), 1)])), np.array([[0, 10], [0, 11], [0, 12], [0, 16]], dtype=float))
    assert result.word_values == pytest.approx([2, 3])
    assert [node.value for node in result.nodes] == [6, 1, 2]
    assert [node.signed for node in result.nodes] == pytest.approx([2, 1, 2])
    assert [node.absolute for node in result.nodes] == pytest.approx([2**0.5, 1, 2])
    assert (result.base, result.full) == (10, 16)


def test_one_word_is_its_own_value() -> None:
    result = explain(flatten((("S", "NN"), 0)), np.array([[0.0, 3.0], [0.0, 1.0]]))
    assert result.word_values == [-2]
    (node,) = result.nodes
    assert (node.value, node.signed, node.absolute, node.depth, node.labels) == (-2, -2, 2, 1, ["S", "NN"])


def test_a_linear_model_has_no_interactions() -> None:
    generator = np.random.default_rng(4)
    weights = generator.normal(size=30)
    tree = random_tree(generator, 30)
    game = GameShape(("w",) * 30, ("yes",), 0, tree)
    result = Toy(lambda coalitions: coalitions @ weights + 7).run(ls_tree(game, LSTreeParameters()))
    np.testing.assert_allclose(result.word_values, weights, atol=1e-12)
    for node in result.nodes:
        if node.children:
            assert node.signed == pytest.approx(0, abs=1e-12)
            assert node.absolute == pytest.approx(0, abs=1e-12)


def two_sentences(seed: int) -> tuple[SpanTree, FloatArray]:
    first: Nested = (("S",), [((), 0), (("VP",), [((), 1), ((), 2)])])
    second: Nested = (("S",), [(("NP",), [((), 3), ((), 4)]), ((), 5)])
    return flatten((("TEXT",), [first, second])), random_game(seed, 6)


def test_without_the_common_root_its_row_is_left_out() -> None:
    tree, outputs = two_sentences(1)
    result = explain(tree, outputs, LSTreeParameters(common_root=False))
    values = node_values(tree, outputs)
    np.testing.assert_allclose(result.word_values, least_squares(tree.coalitions()[1:], values[1:]), atol=1e-9)
    assert result.word_values != pytest.approx(explain(tree, outputs).word_values)
    root, *others = result.nodes
    assert (root.signed, root.absolute) == (None, None)
    assert root.value == values[0]
    assert others == explain(tree, outputs).nodes[1:]  # scores inside a sentence never see the root


def test_a_single_sentence_keeps_its_root() -> None:
    tree = flatten((("S",), [((), 0), (("VP",), [((), 1), ((), 2)])]))
    outputs = random_game(2, 3)
    assert explain(tree, outputs, LSTreeParameters(common_root=False)) == explain(tree, outputs)


def test_every_node_and_the_empty_text_are_asked_for_once_in_one_batch() -> None:
    tree, outputs = two_sentences(3)
    batches: list[BoolArray] = []

    def values(coalitions: BoolArray) -> FloatArray:
        batches.append(coalitions)
        return outputs[coalitions @ (1 << np.arange(6))]

    for common_root in (True, False):
        batches.clear()
        toy = Toy(values)
        toy.run(ls_tree(GameShape(("w",) * 6, ("no", "yes"), 0, tree), LSTreeParameters(common_root=common_root)))
        assert len(batches) == 1
        assert toy.asked == toy.distinct == len(tree.nodes) + 1
        assert sum(not row.any() for row in batches[0]) == 1


def test_the_explained_class_is_the_target() -> None:
    tree, outputs = two_sentences(5)
    assert explain(tree, outputs, target=0) == explain(tree, outputs[:, ::-1], target=1)


def test_the_result_draws_the_tree_it_was_given_and_survives_the_wire() -> None:
    tree, outputs = two_sentences(6)
    result = explain(tree, outputs)
    drawn = [(node.start, node.end, tuple(node.labels), tuple(node.children)) for node in result.nodes]
    assert drawn == [(node.start, node.end, node.labels, node.children) for node in tree.nodes]
    assert [node.depth for node in result.nodes] == list(tree.depths)
    assert LSTreeResult.model_validate_json(result.model_dump_json()) == result


def test_a_tree_over_other_players_is_refused() -> None:
    tree = flatten((("S",), [((), 0), ((), 1)]))
    plan = ls_tree(GameShape(("a", "b", "c"), ("yes",), 0, tree), LSTreeParameters())
    with pytest.raises(BadParameter, match="got a tree over 2, possible is one over 3"):
        next(plan)


def test_no_tree_is_refused_before_any_work() -> None:
    method = Method("ls-tree", "LS-Tree", "", LSTreeParameters, LSTreeResult, ls_tree, "tree", needs_tree=True)
    with pytest.raises(BadParameter, match="needs a tree"):
        method.start(GameShape(("a", "b"), ("yes",), 0), LSTreeParameters())
