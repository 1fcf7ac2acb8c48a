"""The tree in a terminal."""

import io

from rich.cells import cell_len
from rich.console import Console

from espalier.text import Passage, read
from espalier.trees.bracketed import read_bracketed
from espalier.trees.terminal import draw
from espalier.trees.tree import SpanTree, from_spans

FILM = read("The film works.")
FILM_TREE = read_bracketed("(S (NP (DT The) (NN film)) (VP (VBZ works)) (. .))", FILM)


def printed(tree: SpanTree, passage: Passage, width: int) -> list[str]:
    stream = io.StringIO()
    Console(width=width, file=stream, color_system=None).print(draw(tree, passage))
    return [line.rstrip() for line in stream.getvalue().rstrip("\n").split("\n")]


def test_a_tree_is_drawn_from_the_top_down_over_its_words() -> None:
    assert printed(FILM_TREE, FILM, 80) == [
        "           S",
        "   ┌───────┴─┬─────┐",
        "   NP        │     │",
        " ┌─┴──┐      │     │",
        " DT   NN   VP+VBZ  .",
        "The  film  works   .",
    ]


def test_a_tree_wider_than_the_window_becomes_an_outline() -> None:
    assert printed(FILM_TREE, FILM, 19) == [
        "S",
        "├─ NP",
        "│  ├─ DT The",
        "│  └─ NN film",
        "├─ VP+VBZ works",
        "└─ . .",
    ]


def test_the_sentences_of_a_text_are_drawn_below_one_another() -> None:
    passage = read("It works. No!")
    tree = read_bracketed("(S (PRP It) (VBZ works) (. .)) (INTJ (UH No) (. !))", passage)
    lines = printed(tree, passage, 80)
    assert lines.index("") == 4
    assert lines[3].split() == ["It", "works", "."]
    assert lines[-1].split() == ["No", "!"]
    assert not any("TEXT" in line for line in lines)


def test_wide_characters_do_not_push_the_lines_aside() -> None:
    passage = read("你好你好 works")
    narrow = read("xxxxxxxx works")
    drawn = printed(read_bracketed("(S (NP (FW 你好你好)) (VP (VBZ works)))", passage), passage, 80)
    expected = printed(read_bracketed("(S (NP (FW xxxxxxxx)) (VP (VBZ works)))", narrow), narrow, 80)
    assert drawn[:-1] == expected[:-1]
    assert cell_len(drawn[-1]) == cell_len(expected[-1])


def test_a_label_longer_than_its_words_finds_room() -> None:
    passage = read("a b c")
    tree = from_spans(3, {(0, 2): ["FRAGMENT", "OF", "SOMETHING"], (0, 3): ["S"]})
    assert any("FRAGMENT+OF+SOMETHING" in line for line in printed(tree, passage, 80))


def test_no_word_is_left_out_of_an_outline_deeper_than_the_window_is_wide() -> None:
    words = [f"w{number}" for number in range(1200)]
    passage = read(" ".join(words))
    tree = from_spans(1200, {(word, 1200): ["S"] for word in range(1200)})
    lines = printed(tree, passage, 40)
    assert len(lines) == len(tree.nodes)
    assert [line.split()[-1] for line in lines if line[-1].isdigit()] == words
    assert max(map(cell_len, lines)) <= 40
