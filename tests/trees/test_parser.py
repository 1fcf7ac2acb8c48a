"""Parsing any text whatever into a tree over its words."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from espalier.text import Passage, read
from espalier.trees.parser import Parser
from espalier.trees.tree import SpanTree

ODD = [
    "one", "\u0301", "\ue000 \ue001", "👩‍👩‍👧", "😀" * 210, "שלום עולם!", "مرحبا؟", "[SEP] [CLS] x", "-", "…",
    "x" * 3000,
    "-".join(["abc"] * 400), "﷽ ﷽", "\u200b a \u200b", "gonna cannot dunno", "İstanbul ǅ ﬁ ½", "'s 'm", "\u0e33 ำ",
    "a\u0301\u0302\u0303b", "한국어 " * 160, "你好。", "A title\n\nthe text", "``quoted'' -LRB- (x)",
]  # fmt: skip

fragments = st.sampled_from(
    ["isn't", "well-made", " ", " ", "it's", "—", "👍🏽", "e\u0301", "\u0301", "\ue000", "שלום", "...", "?", "\n", '"']
)


def covers_the_words(tree: SpanTree, passage: Passage) -> bool:
    return [tree.nodes[leaf].start for leaf in tree.leaves] == list(range(len(passage.words)))


@pytest.mark.slow
def test_odd_texts_get_a_tree_over_their_words(untrained: Parser) -> None:
    passages = [read(text) for text in ODD]
    for passage, tree in zip(passages, untrained.parse_batch(passages), strict=True):
        assert covers_the_words(tree, passage)


@settings(max_examples=40)
@given(st.lists(fragments | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=4), max_size=12))
def test_any_text_gets_a_tree_over_its_words(untrained: Parser, parts: list[str]) -> None:
    passage = read("a " + "".join(parts))
    assert covers_the_words(untrained.parse(passage), passage)


def test_three_hundred_words_are_parsed_in_parts_under_one_node(untrained: Parser) -> None:
    passage = read(" ".join(["very"] * 299) + " good")
    tree = untrained.parse(passage)
    assert covers_the_words(tree, passage)
    root = tree.nodes[0]
    assert root.labels == ("FRAG",)
    assert [(tree.nodes[child].start, tree.nodes[child].end) for child in root.children] == [(0, 200), (200, 300)]


def test_a_long_sentence_is_cut_at_its_punctuation(untrained: Parser) -> None:
    passage = read(", ".join([" ".join(["good"] * 89)] * 4))
    tree = untrained.parse(passage)
    root = tree.nodes[0]
    assert root.labels == ("FRAG",)
    assert [(tree.nodes[child].start, tree.nodes[child].end) for child in root.children] == [(0, 180), (180, 359)]


def test_words_of_many_tokens_do_not_overflow_the_model(untrained: Parser) -> None:
    passage = read(" ".join(["pneumonoultramicroscopicsilicovolcanoconiosis"] * 150))
    assert covers_the_words(untrained.parse(passage), passage)


def test_several_sentences_stand_under_one_root(untrained: Parser) -> None:
    passage = read("It works. Does it? Yes!")
    tree = untrained.parse(passage)
    root = tree.nodes[0]
    assert root.labels == ("TEXT",)
    assert tuple((tree.nodes[child].start, tree.nodes[child].end) for child in root.children) == passage.sentences


def test_one_sentence_is_its_own_root(untrained: Parser) -> None:
    assert "TEXT" not in untrained.parse(read("It works.")).nodes[0].labels


def test_every_word_has_a_tag_and_a_contraction_has_both(untrained: Parser) -> None:
    tags = untrained.parse(read("It isn't good")).tags
    assert all(tags)
    assert tags[1].count("+") == 1


def test_a_batch_gives_what_each_text_alone_gives(untrained: Parser) -> None:
    texts = ["The dog sleeps near a fire.", "One.", "It isn't well-made. It is not fun, either!"]
    passages = [read(text) for text in texts]
    assert untrained.parse_batch(passages) == [untrained.parse(passage) for passage in passages]


def test_an_empty_batch_is_allowed(untrained: Parser) -> None:
    assert untrained.parse_batch([]) == []


@pytest.mark.parametrize(("loose", "tight"), [("does n't work", "doesn't work"), ("it 's", "it's"), ("“no”", '"no"')])
def test_tokenised_text_and_plain_text_read_alike(untrained: Parser, loose: str, tight: str) -> None:
    # "doesn't" is one word of two pieces, "does n't" two words: the pieces' tags are the same.
    assert "+".join(untrained.parse(read(loose)).tags) == "+".join(untrained.parse(read(tight)).tags)


def test_threads_may_share_a_parser(untrained: Parser) -> None:
    passages = [read(f"The dog sleeps near {'a very ' * count}warm fire.") for count in range(8)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(untrained.parse, passages)) == untrained.parse_batch(passages)
