"""How a long text comes apart."""

import pytest

from espalier.games.nesting import MOST_PARTS, MOST_SENTENCES, Nesting, phrases, runs
from espalier.problems import BadParameter
from espalier.text import Passage, read
from espalier.trees.tree import SpanTree, from_spans

TEXT = "It begins well. But then, as nobody had expected, the whole story falls to pieces in the rain. Stay home."


def halves(passage: Passage) -> SpanTree:
    """A tree that halves what it is given, down to the words."""
    spans, waiting = {}, [(0, len(passage.words))]
    while waiting:
        start, end = waiting.pop()
        spans[start, end] = ("X",)
        if end - start > 1:
            middle = (start + end) // 2
            waiting += [(start, middle), (middle, end)]
    return from_spans(len(passage.words), spans)


def test_a_text_opens_into_its_sentences_and_nothing_is_parsed_for_it():
    def never(passage: Passage) -> SpanTree:
        raise AssertionError("parsed before anybody looked")

    (level,) = Nesting([read(TEXT)], never).levels(None)
    assert [(part.start, part.end) for part in level.parts] == list(read(TEXT).sentences)
    assert {part.kind for part in level.parts} == {"sentence"}


def test_a_sentence_opens_into_phrases_and_a_phrase_into_words():
    nesting = Nesting([read(TEXT)], halves)
    sentence = nesting.levels(None)[0].parts[1]
    opened = nesting.levels((sentence.start, sentence.end))
    assert [level.kind for level in opened] == ["text", "sentence"]
    assert 2 <= len(opened[-1].parts) <= MOST_PARTS
    phrase = next(part for part in opened[-1].parts if part.kind == "phrase")
    words = nesting.levels((phrase.start, phrase.end))[-1]
    assert words.kind == "phrase"
    assert all(part.kind == "word" for part in words.parts)


def test_the_parts_of_every_level_are_all_of_it_once():
    nesting = Nesting([read(TEXT * 9)], halves)
    waiting, seen = [None], 0
    while waiting:
        level = nesting.levels(waiting.pop())[-1]
        assert level.tree.size == len(level.parts)
        assert [word for part in level.parts for word in range(part.start, part.end)] == [
            *range(level.start, level.end)
        ]
        assert len(level.parts) <= (MOST_SENTENCES if level.kind == "text" else MOST_PARTS)
        waiting += [(part.start, part.end) for part in level.parts if part.end - part.start > 1]
        seen += 1
    assert seen > 30


def test_many_sentences_are_taken_together_in_passages():
    nesting = Nesting([read("It rains. " * 100)], halves)
    (level,) = nesting.levels(None)
    assert {part.kind for part in level.parts} == {"passage"}
    first = level.parts[0]
    assert {part.kind for part in nesting.levels((first.start, first.end))[-1].parts} <= {"sentence", "passage"}


def test_the_sentences_of_both_texts_of_a_pair_are_parts():
    (level,) = Nesting([read("It rains. It pours."), read("The sun is out.")], halves).levels(None)
    assert [(part.start, part.end) for part in level.parts] == [(0, 3), (3, 6), (6, 11)]


@pytest.mark.parametrize("span", [(1, 5), (0, 1), (90, 99)])
def test_what_is_no_part_cannot_be_opened_and_it_says_what_can(span):
    with pytest.raises(BadParameter, match=r"nothing there to open: got words .*possible inside of"):
        Nesting([read(TEXT)], halves).levels(span)


def test_a_given_tree_is_taken_instead_of_a_parse():
    passage = read("The very old red house on the far green hill fell.")
    tree = from_spans(len(passage.words), {(0, 10): ("NP",), (0, 5): ("NP",), (5, 10): ("PP",), (10, 11): ("VP",)})
    (level,) = Nesting([passage], lambda _: pytest.fail("parsed"), tree).levels(None)
    assert (level.parts[0].start, level.parts[-1].end) == (0, len(passage.words))


def test_runs_of_neighbours_cut_nothing():
    spans = [(0, 3), (3, 40), (40, 41), (41, 44), (44, 60), (60, 61), (61, 70), (70, 80)]
    found = runs(spans, 4)
    assert len(found) <= 4
    assert {edge for span in found for edge in span} <= {edge for span in spans for edge in span}


def test_a_flat_phrase_of_many_words_opens_in_stretches():
    assert len(phrases(from_spans(40, {}), (0, 40))) == MOST_PARTS
