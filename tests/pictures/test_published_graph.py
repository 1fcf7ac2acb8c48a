"""The published code's arrows, from its plan run on the small model: texts with moved words are written out in full."""

import io
from xml.etree import ElementTree

import pytest
from rich.console import Console

from espalier.explain.graph.published import PublishedParameters, published
from espalier.explain.plan import Arrange, Ask, GameShape
from espalier.findings.finding import finding
from espalier.pictures.svg import svg
from espalier.pictures.terminal import draw

WORDS = ("it", "is", "not", "good")


def written(coalition, word=None, place=None) -> str:
    """The words that are present, each in its place, and one word in another's."""
    places = [name if present else "" for name, present in zip(WORDS, coalition, strict=True)]
    if place is not None:
        places[place] = WORDS[word]
    return " ".join(name for name in places if name)


@pytest.fixture(scope="module")
def explanation(judged, verdicts):
    """An explanation of the judge, with the result of the published plan."""
    plan = published(GameShape(WORDS, ("negative", "positive"), 1), PublishedParameters(orders=20))
    reply = None
    while True:
        try:
            step = plan.send(reply)
        except StopIteration as finished:
            other = judged("leave-one-out", " ".join(WORDS))
            return other.model_copy(update={"method": "asiv-published", "result": finished.value})
        reply = None
        if isinstance(step, Ask):
            reply = verdicts([written(row) for row in step.coalitions])
        elif isinstance(step, Arrange):
            moves = zip(step.coalitions, step.words, step.places, strict=True)
            reply = verdicts([written(*move) for move in moves])


def test_the_strongest_arrow_is_told_with_its_two_parts(explanation):
    result = explanation.result
    size = range(len(WORDS))
    j, i = max(((j, i) for j in size for i in size if i != j), key=lambda pair: abs(result.arrows[pair[0]][pair[1]]))
    sentence = finding(explanation)
    assert f"“{WORDS[j]}” → “{WORDS[i]}”" in sentence
    for matrix in (result.arrows, result.interaction, result.displacement):
        assert f"{matrix[j][i]:+.2f}".replace("-", "−").replace("+0.00", "0.00") in sentence


def test_the_picture_carries_every_part(explanation):
    drawn = [mark.attrib for mark in ElementTree.fromstring(svg(explanation)).iter() if mark.get("class") == "arrow"]
    assert len(drawn) == 10
    for mark in drawn:
        j, i = int(mark["data-from"]), int(mark["data-to"])
        assert float(mark["data-arrow"]) == explanation.result.arrows[j][i]
        assert float(mark["data-interaction"]) == explanation.result.interaction[j][i]
        assert float(mark["data-displacement"]) == explanation.result.displacement[j][i]


def test_the_terminal_lists_the_parts(explanation):
    file = io.StringIO()
    Console(file=file, width=100).print(draw(explanation))
    assert "lost by moving" in file.getvalue()
    assert "arrows from rows to columns" in file.getvalue()
