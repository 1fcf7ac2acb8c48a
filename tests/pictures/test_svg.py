"""Pictures read back: the numbers in an SVG are those of the result, and a text stays text."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.judge import doubtful

from espalier.library import explain
from espalier.pictures.svg import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
METHODS = [
    "ls-tree",
    "hedge",
    "hedge-merge",
    "leave-one-out",
    "lime",
    "sampled-shapley",
    "mahe",
    "archipelago",
    "asiv",
    "shap",
]


def marks(picture: str, kind: str) -> list[dict[str, str]]:
    return [mark.attrib for mark in ElementTree.fromstring(picture).iter(f"{NAMESPACE}g") if mark.get("class") == kind]


def numbers(picture: str, kind: str, name: str = "value") -> list[float]:
    return [float(mark[f"data-{name}"]) for mark in marks(picture, kind)]


def test_a_tree_carries_word_values_and_interactions(judged):
    explanation = judged("ls-tree")
    picture = svg(explanation)
    assert numbers(picture, "word") == explanation.result.word_values
    assert numbers(picture, "phrase") == [node.signed for node in explanation.result.nodes if node.children]


def test_sentences_of_a_text_are_all_drawn(judged):
    explanation = judged("ls-tree", "It is good. It is not dull.", tree="(TEXT (S It is good .) (S It is not dull .))")
    picture = svg(explanation)
    assert sorted(numbers(picture, "word")) == sorted(explanation.result.word_values)
    assert len(numbers(picture, "phrase")) == 3


def test_a_ladder_says_which_cuts_may_be_others(judged):
    assert svg(judged("hedge")).count("sure)") == 0
    assert svg(doubtful(judged("hedge"))).count("(93.1% sure)") == 1


@pytest.mark.parametrize("method", ["hedge", "hedge-merge"])
def test_a_ladder_carries_every_span_of_every_level(method, judged):
    explanation = judged(method)
    drawn = [
        (int(mark["data-level"]), int(mark["data-start"]), int(mark["data-end"]), float(mark["data-value"]))
        for mark in marks(svg(explanation), "span")
    ]
    assert drawn == [
        (index, span.start, span.end, span.contribution)
        for index, level in enumerate(explanation.result.levels)
        for span in level.spans
    ]


def test_bars_carry_values_errors_and_both_ends(judged):
    explanation = judged("sampled-shapley", parameters={"orders": 20})
    picture = svg(explanation)
    assert numbers(picture, "word") == list(explanation.result.values)
    assert numbers(picture, "word", "error") == list(explanation.result.standard_errors)
    assert numbers(picture, "total") == [explanation.result.base, explanation.result.full]


def test_bars_that_add_up_touch_end_to_end(judged):
    picture = ElementTree.fromstring(svg(judged("sampled-shapley", "not lovely good", parameters={"orders": 20})))
    words = [mark for mark in picture.iter(f"{NAMESPACE}g") if mark.get("class") == "word"]
    bars = [word.find(f"{NAMESPACE}rect").attrib for word in words]
    spans = [(float(bar["x"]), float(bar["x"]) + float(bar["width"])) for bar in bars]
    for before, after in pairwise(spans):
        assert min(abs(a - b) for a in before for b in after) < 0.05


def test_levels_carry_shares_and_contributions(judged):
    explanation = judged("mahe", "it is not a good film")
    picture = svg(explanation)
    assert numbers(picture, "level", "r2") == [level.r2_held_out for level in explanation.result.levels]
    assert numbers(picture, "word") == list(explanation.result.coefficients)
    added = [float(mark["data-value"]) for mark in marks(picture, "level") if "data-value" in mark]
    assert added == [level.terms[-1].contribution for level in explanation.result.levels[1:]]


def test_islands_carry_contributions_and_pairs(judged):
    explanation = judged("archipelago")
    picture = svg(explanation)
    assert numbers(picture, "island") == [island.contribution for island in explanation.result.islands]
    assert numbers(picture, "pair", "alone") == [pair.alone for pair in explanation.result.pairs[:8]]


def test_arrows_carry_what_is_added_without_and_with(judged):
    explanation = judged("asiv")
    result = explanation.result
    picture = svg(explanation)
    drawn = marks(picture, "arrow")
    for mark in drawn:
        given, adds = int(mark["data-from"]), int(mark["data-to"])
        assert float(mark["data-absent"]) == result.absent[given][adds]
        assert float(mark["data-present"]) == result.present[given][adds]
    assert numbers(picture, "node") == result.values
    assert numbers(picture, "node", "pagerank") == result.pagerank
    synergies = [abs(float(mark["data-present"]) - float(mark["data-absent"])) for mark in drawn]
    strongest = sorted((abs(result.synergy[j][i]) for j in range(12) for i in range(j)), reverse=True)
    # The model adds "lovely", "not" and "good": the three pairs of them are all that interact.
    assert synergies == pytest.approx(strongest[:3])
    assert strongest[3] < 1e-9


def test_a_graph_without_interactions_has_no_arrows(added_up):
    assert marks(svg(added_up("asiv")), "arrow") == []
    assert len(marks(svg(added_up("asiv")), "node")) == 5


@pytest.mark.parametrize("method", METHODS)
def test_everything_drawn_is_on_the_page(method, judged):
    picture = ElementTree.fromstring(svg(judged(method)))
    width, height = (float(part) for part in picture.get("viewBox").split()[2:])
    inner = picture.find(f"{NAMESPACE}g")
    for mark, x, y in _placed(inner):
        right, bottom = x + float(mark.get("width", 0)), y + float(mark.get("height", 0))
        assert 0 <= x <= right <= width
        assert 0 <= y <= bottom <= height


def _placed(group, x=0.0, y=0.0):
    moved = group.get("transform")
    if moved is not None:
        dx, dy = moved.removeprefix("translate(").removesuffix(")").split()
        x, y = x + float(dx), y + float(dy)
    for child in group:
        if child.tag == f"{NAMESPACE}g":
            yield from _placed(child, x, y)
        elif child.get("x") is not None:
            yield child, x + float(child.get("x")), y + float(child.get("y"))


@pytest.mark.parametrize("method", METHODS)
def test_a_picture_has_a_title_a_description_and_a_label(method, judged):
    picture = ElementTree.fromstring(svg(judged(method)))
    assert picture.get("role") == "img"
    assert picture.find(f"{NAMESPACE}title").text == picture.get("aria-label")
    assert "The music is lovely, but the film is not good." in picture.find(f"{NAMESPACE}desc").text


HOSTILE = "<img src=x onerror=alert(1)> ]]> &amp; \" ' <script>alert(2)</script> \x1b[31m \x07 \u202e good"


@pytest.mark.slow
@pytest.mark.parametrize("method", [method for method in METHODS if method != "ls-tree"])
def test_markup_in_a_text_or_a_class_stays_text(method):
    def constant(texts):
        return np.tile([0.25, 0.75], (len(texts), 1)) + np.array([[1, -1]]) * [[len(text) / 1000] for text in texts]

    picture = svg(explain(HOSTILE, constant, method, classes=["a", "<b onload=x>&"], scale="probability"))
    document = ElementTree.fromstring(picture)
    tags = {element.tag.removeprefix(NAMESPACE) for element in document.iter()}
    assert tags <= {"svg", "g", "title", "desc", "rect", "text", "path"}
    attributes = {name for element in document.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on")]
    assert "<b onload=x>&" in document.find(f".//{NAMESPACE}title").text + "".join(document.itertext())


def test_a_notebook_shows_the_picture(judged):
    explanation = judged("leave-one-out")
    assert explanation._repr_svg_() == svg(explanation)


def test_a_whisker_holds_ninety_five_percent_and_the_picture_says_so(judged):
    explanation = judged("lime")
    picture = svg(explanation)
    assert "whisker: 95 % of repeated runs would end here" in picture
    bars = [bar for bar in ElementTree.fromstring(picture).iter(f"{NAMESPACE}g") if bar.get("class") == "word"]
    found = 0
    for bar in bars:
        length = float(bar.findall(f".//{NAMESPACE}rect")[0].attrib["width"])
        value, error = float(bar.attrib["data-value"]), float(bar.attrib["data-error"])
        whiskers = [re.match(r"M\S+ \S+ h(\S+) m0 -3", path.attrib["d"]) for path in bar.iter(f"{NAMESPACE}path")]
        # Bars have one decimal: of short ones that is too coarse to compare lengths by.
        for whisker in filter(None, whiskers):
            if length > 40:
                found += 1
                assert float(whisker[1]) / 2 == pytest.approx(1.96 * error * length / abs(value), rel=0.02)
    assert found


def test_no_whisker_is_spoken_of_where_there_is_none(judged):
    assert "whisker" not in svg(judged("leave-one-out"))
