"""A blank is one word, however it is written and whatever stands around it."""

import pytest
from tests.text.rebuilt import rebuilt

from espalier.text import is_blank, read, replaced


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The film is [MASK].", ["The", "film", "is", "[MASK]", "."]),
        ("The film is ___, really", ["The", "film", "is", "___", ",", "really"]),
        ("<mask>is it", ["<mask>", "is", "it"]),
        ("a ([MASK])!", ["a", "(", "[MASK]", ")", "!"]),
        ("[MASK][MASK] and _____", ["[MASK]", "[MASK]", "and", "_____"]),
        ("a_b __ c", ["a_b", "_", "_", "c"]),
    ],
)
def test_a_blank_is_one_word(text, words):
    passage = read(text)
    assert [word.text for word in passage.words] == words
    assert rebuilt(passage) == text


def test_only_blanks_are_blanks():
    assert all(map(is_blank, ["[MASK]", "[mask]", "<mask>", "___", "________"]))
    assert not any(map(is_blank, ["", "MASK", "__", "[UNK]", "mask", "[MASK]s"]))


def test_other_words_stand_in_the_place_of_words():
    passage = read("It's a film, but good. Really")
    assert replaced(passage, {}) is passage
    found = replaced(passage, {1: "was", 4: "and", 6: "dull"})
    assert found.source == "It was a film and but dull. Really"
    assert [word.text for word in found.words] == ["It", "was", "a", "film", "and", "but", "dull", ".", "Really"]
    assert all(found.source[word.start : word.end] == word.text for word in found.words)
    assert found.sentences == passage.sentences
