"""The shipped parser's opinions on sentences anyone can parse."""

import time

import pytest

from espalier.text import read
from espalier.trees.parser import Parser, default_parser, load_parser
from espalier.trees.tree import SpanTree


@pytest.fixture(scope="module")
def parser() -> Parser:
    return default_parser()


def phrases(parser: Parser, text: str) -> set[tuple[str, str]]:
    """Every label with the words it stands over."""
    passage = read(text)
    tree: SpanTree = parser.parse(passage)
    return {(label, passage.phrase(node.start, node.end)) for node in tree.nodes for label in node.labels}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The old dog chased a small cat.", {("NP", "The old dog"), ("VP", "chased a small cat")}),
        ("She put the book on the table.", {("NP", "She"), ("PP", "on the table"), ("NP", "the book")}),
        ("The film isn't well-made.", {("NP", "The film"), ("VP", "isn't well-made"), ("ADJP", "well-made")}),
        ("I think that he lied.", {("SBAR", "that he lied"), ("S", "he lied"), ("VP", "think that he lied")}),
        ("The acting is good but the plot is dull.", {("S", "The acting is good"), ("S", "the plot is dull")}),
        ("He cannot swim.", {("NP", "He"), ("VP", "cannot swim"), ("VP", "swim")}),
        ("a gorgeous and witty movie", {("NP", "a gorgeous and witty movie"), ("ADJP", "gorgeous and witty")}),
        ("it 's a film that does n't work .", {("VP", "does n't work"), ("SBAR", "that does n't work")}),
    ],
)
def test_plain_sentences_have_their_plain_phrases(parser: Parser, text: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= phrases(parser, text)


def test_words_are_tagged(parser: Parser) -> None:
    assert parser.parse(read("The dog isn't quickly eating two apples.")).tags == (
        "DT", "NN", "VBZ+RB", "RB", "VBG", "CD", "NNS", "."
    )  # fmt: skip


def test_loading_again_takes_little_time() -> None:
    started = time.thread_time()
    load_parser()
    assert time.thread_time() - started < 3
