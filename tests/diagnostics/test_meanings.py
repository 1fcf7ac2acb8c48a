"""What "while" means, in sentences whose meaning a reader is sure of, and where words of contrast are found."""

import pytest

from espalier.datasets.forms import Row
from espalier.diagnostics.adversatives import occurrences
from espalier.diagnostics.scored import ScoredText
from espalier.lab.diagnose import Diagnosing
from espalier.library import shared_explainer

WHILE = {
    "While the plot is thin, the acting is superb.": "contrast",
    "The first half is funny, while the second half drags.": "contrast",
    "So while the place has a great reputation, even they can get it wrong.": "contrast",
    "The food is cheap and, while nobody would call it refined, it fills you up.": "contrast",
    "The film, while not perfect, is worth your evening.": "contrast",
    "While some will dislike the ending, most people will cry.": "contrast",
    "It is a good book, but while the ideas are new, the language is tired.": "contrast",
    "We had to walk while the snow blew in our faces.": "time",
    "I fell asleep while watching it.": "time",
    "She sings while he plays the piano.": "time",
    "While waiting for our table, we read the menu twice.": "time",
    "While I was reading it, my tea went cold.": "time",
    "He smiled while she told the story.": "time",
    "The sauce had been standing there for a while.": "period",
    "After a while the jokes get old.": "period",
    "It is the best film I have seen in a while.": "period",
}


def scored(texts: list[str]) -> list[ScoredText]:
    found = Diagnosing(shared_explainer(), ["sst2-bow"], [Row(text=text) for text in texts]).texts["sst2-bow"]
    return [text for text in found if text is not None]


def test_while_is_read_as_a_reader_does() -> None:
    found = [occurrences(text) for text in scored(list(WHILE))]
    names = [next(each.name for each in inside if each.name.startswith("while")) for inside in found]
    assert names == [f"while ({meaning})" for meaning in WHILE.values()]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Even though it is not new, it is fun.", ["even though", "not"]),
        ("Though slow, it works, in spite of the cast.", ["though", "in spite of"]),
        ("It isn't bad but it wasn’t good.", ["n't", "but", "n't"]),
        ("The knot and the button.", []),
    ],
)
def test_words_of_contrast_are_found_whole_and_once(text: str, names: list[str]) -> None:
    (found,) = scored([text])
    assert [each.name for each in occurrences(found)] == names


def test_several_words_are_scored_as_the_node_that_they_are() -> None:
    (text,) = scored(["Even though it drags, I liked it."])
    (found,) = occurrences(text)
    exact = [node.absolute for node in text.nodes if (node.start, node.end) == (0, 2)]
    around = min((node for node in text.nodes if node.start == 0 and node.end > 2), key=lambda node: node.end)
    assert found.alone == (exact[0] if exact else None)
    assert found.parent == around.absolute
