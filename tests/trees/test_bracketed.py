"""Users' own trees as bracketed strings."""

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st

from espalier.text import Passage, read
from espalier.trees.bracketed import bracketed, read_bracketed
from espalier.trees.tree import BadTree, SpanTree, from_spans

FILM = read("The film isn't well-made (but fun).")
FILM_TREE = (
    "(S (NP (DT The) (NN film)) (VP (VBZ is) (RB n't) (ADJP (RB well) (HYPH -) (VBN made))"
    " (PRN (-LRB- -LRB-) (CC but) (ADJP (JJ fun)) (-RRB- -RRB-))) (. .))"
)


def spans(tree: SpanTree) -> set[tuple[str, int, int]]:
    return {(node.label, node.start, node.end) for node in tree.nodes}


def test_a_treebank_tree_is_read_over_a_readers_words() -> None:
    assert spans(read_bracketed(FILM_TREE, FILM)) == {
        ("S", 0, 9), ("NP", 0, 2), ("DT", 0, 1), ("NN", 1, 2), ("VP", 2, 8), ("VBZ+RB", 2, 3), ("ADJP+VBN", 3, 4),
        ("PRN", 4, 8), ("-LRB-", 4, 5), ("CC", 5, 6), ("ADJP+JJ", 6, 7), ("-RRB-", 7, 8), (".", 8, 9),
    }  # fmt: skip


def test_the_written_form_is_read_by_nltk_with_the_same_leaves() -> None:
    written = bracketed(read_bracketed(FILM_TREE, FILM), FILM)
    assert nltk.Tree.fromstring(written).leaves() == [
        "The", "film", "isn't", "well-made", "-LRB-", "but", "fun", "-RRB-", "."
    ]  # fmt: skip


@pytest.mark.parametrize("top", ["(ROOT {})", "(TOP {})", "( {})", "(\n{}\n)"])
def test_a_bracket_around_the_tree_is_no_constituent(top: str) -> None:
    assert read_bracketed(top.format(FILM_TREE), FILM) == read_bracketed(FILM_TREE, FILM)


def test_words_without_tags_are_allowed() -> None:
    assert spans(read_bracketed("(S (NP It here) works)", read("It here works"))) == {
        ("S", 0, 3), ("NP", 0, 2), ("", 0, 1), ("", 1, 2), ("", 2, 3)
    }  # fmt: skip


def test_a_bracket_without_label_keeps_its_words_together() -> None:
    tree = read_bracketed("(S ( (DT The) (NN film)) (VBZ works))", read("The film works"))
    assert (0, 2) in tree.spans()


def test_several_trees_stand_under_one_root() -> None:
    tree = read_bracketed("(S (PRP It) (VBZ works)) (INTJ (UH Yes))", read("It works\n\nYes"))
    assert [(node.label, node.start, node.end) for node in tree.nodes][:2] == [("TEXT", 0, 3), ("S", 0, 2)]


def test_traces_are_left_out() -> None:
    tree = read_bracketed("(S (NP (-NONE- *T*-1)) (VP (VB Go) (ADVP (RB home))))", read("Go home"))
    assert spans(tree) == {("S+VP", 0, 2), ("VB", 0, 1), ("ADVP+RB", 1, 2)}


def test_quotes_and_dashes_may_be_written_the_treebanks_way() -> None:
    passage = read("“It’s” — good…")
    tree = read_bracketed("(S (`` ``) (PRP It) (VBZ 's) ('' '') (: --) (JJ good) (: ...))", passage)
    assert tree.tags == ("``", "PRP", "VBZ", "''", ":", "JJ", ":")


@st.composite
def passages_with_trees(draw: st.DrawFn) -> tuple[Passage, SpanTree]:
    word = st.sampled_from(["isn't", "(", ")", "film", '"', "—", "👍🏽", "[", "a"])
    words = draw(st.lists(word, min_size=1, max_size=12))
    passage = read(" ".join(words))
    size = len(passage.words)
    label = st.sampled_from(["S", "NP", "VP"])
    found: dict[tuple[int, int], list[str]] = {(0, size): draw(st.lists(label, min_size=1, max_size=3))}
    for word in range(size):
        found.setdefault((word, word + 1), []).extend(draw(st.lists(label, min_size=1, max_size=2)))
    waiting = [(0, size)]
    while waiting:
        start, end = waiting.pop()
        if end - start > 2:
            middle = draw(st.integers(start + 1, end - 1))
            for part in ((start, middle), (middle, end)):
                if part[1] - part[0] > 1:
                    found[part] = draw(st.lists(label, min_size=1, max_size=2))
                    waiting.append(part)
    return passage, from_spans(size, found)


@given(passages_with_trees())
def test_what_is_written_is_read_again(drawn: tuple[Passage, SpanTree]) -> None:
    passage, tree = drawn
    assert read_bracketed(bracketed(tree, passage), passage) == tree


@pytest.mark.slow
def test_nesting_deeper_than_the_stack_is_read_and_written() -> None:
    passage = read(" ".join(["so"] * 5000))
    text = "(S (X so) " * 4999 + "(X so)" + ")" * 4999
    tree = read_bracketed(text, passage)
    assert tree.depths[0] == 5000
    assert read_bracketed(bracketed(tree, passage), passage) == tree


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty tree: got no bracket"),
        ("good", "outside the tree: got 'good' at character 0"),
        ("(S (NP (DT It", r"unclosed bracket: got '\(DT' at character 7"),
        ("(S (NP) (DT It) (VBZ works))", r"empty bracket: got '\(NP\)' at character 3"),
        ("(S It works))", r"outside the tree: got '\)' at character 12"),
        ("(S It worked)", "leaf 2 is another word: got 'worked', possible is 'works'"),
        ("(S It's works)", "leaf 1 is another word: got \"It's\", possible is 'It'"),
        ("(S It)", "too few leaves: got 1 that end before 'works'"),
        ("(S It wor)", "too few leaves: got 2 that end before 'works'"),
        ("(S It works well)", "too many leaves: got 'well' after the last word 'works'"),
        ("(S (-NONE- *))", "too few leaves: got 0 that end before 'It'"),
    ],
)
def test_a_tree_that_does_not_fit_is_refused_with_what_would(text: str, problem: str) -> None:
    with pytest.raises(BadTree, match=problem):
        read_bracketed(text, read("It works"))


def test_a_tree_is_not_written_over_other_words() -> None:
    with pytest.raises(BadTree, match="got 2 leaves, possible are 3"):
        bracketed(from_spans(2, {}), read("one two three"))
