"""Trees of spans: what they promise to whoever walks over them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from espalier.trees.tree import BadTree, Nested, Node, SpanTree, flatten, from_spans

Shape = int | list["Shape"]

labels = st.lists(st.sampled_from(["S", "NP", "VP", "X"]), max_size=2).map(tuple)
shapes = st.recursive(st.just(0), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=25)


@st.composite
def nested_trees(draw: st.DrawFn) -> tuple[Nested, int]:
    """A random nested tree with unary chains, and how many words it has."""
    count = 0

    def number(shape: Shape) -> Nested:
        nonlocal count
        if isinstance(shape, list):
            return draw(labels), [number(inner) for inner in shape]
        count += 1
        return draw(labels), count - 1

    tree = number(draw(shapes))
    return tree, count


@given(nested_trees())
def test_the_leaves_are_the_words_in_order(drawn: tuple[Nested, int]) -> None:
    nested, count = drawn
    tree = flatten(nested)
    assert [tree.nodes[leaf].start for leaf in tree.leaves] == list(range(count))
    assert tree.size == count


@given(nested_trees())
def test_no_two_nodes_cover_the_same_words(drawn: tuple[Nested, int]) -> None:
    spans = flatten(drawn[0]).spans()
    assert len(set(spans)) == len(spans)


@given(nested_trees())
def test_no_label_is_lost_when_unary_chains_collapse(drawn: tuple[Nested, int]) -> None:
    def all_labels(nested: Nested) -> list[str]:
        own, content = nested
        children = content if isinstance(content, list) else []
        return [*own, *(label for child in children for label in all_labels(child))]

    # Both walk in reading order, a chain from top to bottom.
    assert [label for node in flatten(drawn[0]).nodes for label in node.labels] == all_labels(drawn[0])


@given(nested_trees())
def test_a_tree_is_the_same_from_its_spans(drawn: tuple[Nested, int]) -> None:
    tree = flatten(drawn[0])
    assert from_spans(tree.size, {(node.start, node.end): node.labels for node in tree.nodes}) == tree


@given(nested_trees())
def test_depths_and_parents_agree_with_the_spans(drawn: tuple[Nested, int]) -> None:
    tree = flatten(drawn[0])
    for position, (node, parent) in enumerate(zip(tree.nodes, tree.parents, strict=True)):
        around = [
            other
            for other, outer in enumerate(tree.nodes)
            if other != position and outer.start <= node.start and node.end <= outer.end
        ]
        smallest = min(around, key=lambda other: tree.nodes[other].end - tree.nodes[other].start, default=None)
        assert parent == smallest
        assert tree.depths[position] == 1 + max((tree.depths[child] for child in node.children), default=0)


@given(nested_trees())
def test_bottom_up_meets_children_before_their_parent(drawn: tuple[Nested, int]) -> None:
    tree = flatten(drawn[0])
    met: set[int] = set()
    for position in tree.bottom_up():
        assert met.issuperset(tree.nodes[position].children)
        met.add(position)
    assert len(met) == len(tree.nodes)


def test_coalitions_have_a_row_for_each_node_with_its_words() -> None:
    tree = from_spans(3, {(1, 3): ["VP"]})
    assert tree.coalitions().astype(int).tolist() == [[1, 1, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1]]


def test_the_last_label_of_a_leaf_is_its_tag() -> None:
    tree = from_spans(3, {(0, 3): ["S"], (0, 1): ["NP", "PRP"], (1, 2): ["VBZ"]})
    assert tree.tags == ("PRP", "VBZ", "")


def test_one_word_is_a_tree() -> None:
    assert flatten((["S"], [(["NP"], [(["NN"], 0)])])).nodes == (Node(0, 1, ("S", "NP", "NN")),)


def test_a_chain_deeper_than_the_stack_is_flattened() -> None:
    nested: Nested = (["NN"], 4999)
    for word in range(4998, -1, -1):
        nested = (["S"], [(["NN"], word), nested])
    tree = flatten(nested)
    assert (tree.size, tree.depths[0]) == (5000, 5000)


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([], "no nodes"),
        ([Node(0, 2)], "a leaf must cover one word"),
        ([Node(0, 1, (), (1,)), Node(0, 1)], "two children or more"),
        ([Node(0, 3, (), (1, 2)), Node(0, 1), Node(2, 3)], "gap or overlap at word 1"),
        ([Node(0, 3, (), (1, 2)), Node(0, 1), Node(1, 2)], "words up to 2, not 3"),
        ([Node(1, 3, (), (1, 2)), Node(1, 2), Node(2, 3)], "word 1 as the first"),
        ([Node(0, 2, (), (2, 1)), Node(1, 2), Node(0, 1)], "pre-order"),
        ([Node(0, 2, (), (0, 1)), Node(1, 2)], "pre-order"),
        ([Node(0, 2, (), (2, 3)), Node(0, 2, (), (2, 3)), Node(0, 1), Node(1, 2)], "pre-order"),
        ([Node(0, 2, (), (1, 2)), Node(0, 1), Node(1, 2), Node(2, 3)], "one parent"),
    ],
)
def test_what_is_not_a_tree_is_refused(nodes: list[Node], reason: str) -> None:
    with pytest.raises(BadTree, match=reason):
        SpanTree(tuple(nodes))


@pytest.mark.parametrize(("span", "reason"), [((1, 3), "must not cross"), ((2, 9), "possible is 0 to 4")])
def test_spans_that_make_no_tree_are_refused(span: tuple[int, int], reason: str) -> None:
    with pytest.raises(BadTree, match=reason):
        from_spans(4, {(0, 2): ["NP"], span: ["VP"]})
