"""A reader's words as a treebank's tokens, and back."""

from hypothesis import given
from hypothesis import strategies as st

from espalier.text import Passage, Word, read
from espalier.trees.pieces import project, treebank_pieces
from espalier.trees.tree import SpanTree


def pieces(passage: Passage) -> list[str]:
    return [passage.source[piece.start : piece.end] for piece in treebank_pieces(passage)]


def labelled(tree: SpanTree) -> dict[tuple[int, int], str]:
    return {(node.start, node.end): node.label for node in tree.nodes}


def test_words_are_cut_as_the_treebanks_cut_them() -> None:
    assert pieces(read("They'd say it isn't well-made, I cannot.")) == [
        "They", "'d", "say", "it", "is", "n't", "well", "-", "made", ",", "I", "can", "not", "."
    ]  # fmt: skip


def test_an_emoji_sequence_is_not_cut() -> None:
    assert pieces(read("👩‍👩‍👧 fun")) == ["👩‍👩‍👧", "fun"]


def test_an_endless_compound_is_read_whole() -> None:
    assert len(treebank_pieces(read("-".join(["very"] * 100)))) == 1


odd_parts = st.sampled_from(["isn't", "well-made", "👩‍👩‍👧", "e\u0301", "it's", "—", "\u0301", " ", "..."])


@given(st.lists(odd_parts, min_size=1))
def test_the_pieces_of_a_word_are_its_characters(parts: list[str]) -> None:
    source = "a" + "".join(parts)
    passage = read(source)
    joined = ["" for _ in passage.words]
    for piece in treebank_pieces(passage):
        joined[piece.word] += source[piece.start : piece.end]
    assert joined == [word.text for word in passage.words]


def test_words_that_spacy_would_join_stay_words() -> None:
    by_hand = Passage("U.S.A", (Word("U.", 0, 2), Word("S.A", 2, 5)), ((0, 2),))
    assert [piece.word for piece in treebank_pieces(by_hand)] == [0, 1]


def test_constituents_of_whole_words_survive_and_what_cuts_a_word_is_dropped() -> None:
    # it | is n't | well - made      (NP it) (VP is (X n't well) (ADJP well - made)): X cuts two words
    tree = project(
        3,
        [0, 1, 1, 2, 2, 2],
        [(0, 6, ("S",)), (0, 1, ("NP",)), (1, 6, ("VP",)), (2, 4, ("X",)), (3, 6, ("ADJP",)), (3, 5, ("Y",))],
        ["PRP", "VBZ", "RB", "RB", "HYPH", "VBN"],
    )
    assert labelled(tree) == {
        (0, 3): "S", (0, 1): "NP+PRP", (1, 3): "VP", (1, 2): "VBZ+RB", (2, 3): "ADJP+VBN"
    }  # fmt: skip


def test_constituents_that_come_to_cover_the_same_words_become_one_chain() -> None:
    tree = project(1, [0, 0], [(0, 2, ("S", "VP")), (0, 2, ("ADJP",))], ["", ""])
    assert [node.labels for node in tree.nodes] == [("S", "VP", "ADJP")]
