"""Converters: real objects of shap and captum where they are installed, and for lime and ferret objects with the
attributes that their documentation names."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import espalier
from espalier.lab.foreign.alignment import aligned
from espalier.lab.foreign.converters import Line, from_captum, from_ferret, from_lime, from_shap
from espalier.lab.foreign.forms import ExplanationFile
from espalier.lab.foreign.written import to_lines
from espalier.measure.request import Given
from espalier.problems import BadParameter

TEXTS = ["It is not good .", "A lovely , warm film ."]


def read_in(lines: list[Line]) -> list[Given]:
    return [aligned(line) for line in ExplanationFile(name="them.jsonl", content=to_lines(lines)).lines]


def counted(texts: Any) -> Any:
    """A model whose Shapley values are known: "not" takes 0.2, "good" gives 0.1, "lovely" 0.3."""
    weights = {"not": -0.2, "good": 0.1, "lovely": 0.3}
    found = [0.5 + sum(weights[word] for word in weights if word in str(text)) for text in texts]
    return np.array([[1 - each, each] for each in found])


def test_what_shap_gives_is_measured() -> None:
    shap = pytest.importorskip("shap")
    explainer = shap.Explainer(counted, shap.maskers.Text(r"\W+"), output_names=["negative", "positive"])
    found = explainer(TEXTS, silent=True)
    lines = from_shap(found, TEXTS, model="sst2-bow")
    assert [line["target"] for line in lines] == ["negative", "positive"]
    first, second = read_in(lines)
    # For the negative class "not" is highest and "good" lowest; what the masker loses, the full stop, scores nothing.
    assert first.ranking == (2, 0, 1, 4, 3)
    assert second.ranking[0] == 1
    assert lines[0]["scores"] == pytest.approx([0, 0, 0.2, -0.1], abs=1e-9)
    named = from_shap(found, TEXTS, target="positive")
    assert named[0]["scores"] == pytest.approx([0, 0, -0.2, 0.1], abs=1e-9)
    assert from_shap(found[0], TEXTS[0], target=1)[0] == named[0]
    assert from_shap(found[0, :, "positive"], TEXTS[0])[0] == named[0]
    assert from_shap(found[:, :, "positive"], TEXTS) == named
    run = espalier.evaluate(TEXTS, "sst2-bow", [], explanations=lines, measures=["aopc-delete"], best_order=False)
    assert run.results.lines[0].method == "shap"
    assert run.results.lines[0].cells[0].interval.n + sum(run.results.lines[0].problems.values()) == 2
    with pytest.raises(BadParameter, match="no such class: got 'neutral', possible are negative, positive"):
        from_shap(found, TEXTS, target="neutral")
    with pytest.raises(BadParameter, match="texts do not fit: got 1 for 2"):
        from_shap(found, TEXTS[:1])


def test_what_captum_gives_is_measured() -> None:
    torch = pytest.importorskip("torch")
    attr = pytest.importorskip("captum.attr")
    tokens = ["[CLS]", "it", "is", "not", "go", "##od", ".", "[SEP]"]
    scores = torch.tensor([9.0, 0.5, 0, -2, 1, 1, 0.25, 9], requires_grad=True)
    expected = (3, 0, 4, 1, 2)
    (plain,) = from_captum(TEXTS[0], scores, tokens, method="captum-ig", target="positive")
    assert plain["method"] == "captum-ig"
    assert plain["target"] == "positive"
    # Attributions of embeddings, in a batch of one.
    embedded = torch.stack([scores / 4] * 4, dim=-1)[None]
    record = attr.visualization.VisualizationDataRecord(scores, 0.9, "positive", "positive", "positive", 1, tokens, 0.0)
    places = [(0, 0), (0, 2), (3, 5), (6, 9), (10, 12), (12, 14), (15, 16), (0, 0)]
    for line in (
        plain,
        from_captum(TEXTS[0], embedded, tokens)[0],
        from_captum(TEXTS[0], record)[0],
        from_captum(TEXTS[0], scores, offsets=places)[0],
    ):
        assert read_in([line])[0].ranking == expected
    assert from_captum(TEXTS[0], record)[0]["target"] == "positive"
    llm = attr.LLMAttributionResult(
        input_tokens=["It", "Ġis", "Ġnot", "Ġgood", "Ġ."], output_tokens=["x"], seq_attr=[0.5, 0, -2, 2, 0.25]
    )
    assert read_in(from_captum(TEXTS[0], llm))[0].ranking == expected
    with pytest.raises(BadParameter, match="attributions of nothing"):
        from_captum(TEXTS[0], scores)


class IndexedString:
    """As lime's: features are different words, each with the characters at which it stands."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.places: dict[str, list[int]] = {}
        for found in re.finditer(r"\w+", raw):
            self.places.setdefault(found[0], []).append(found.start())

    def raw_string(self) -> str:
        return self.raw

    def word(self, feature: int) -> str:
        return list(self.places)[feature]

    def string_position(self, feature: int) -> Any:
        return np.array(list(self.places.values())[feature])


@dataclass
class Mapper:
    indexed_string: IndexedString


@dataclass
class LimeExplanation:
    """lime.explanation.Explanation, of a text."""

    domain_mapper: Mapper
    local_exp: dict[int, list[tuple[int, float]]]
    class_names: list[str] | None
    predict_proba: Any = None

    def as_map(self) -> dict[int, list[tuple[int, float]]]:
        return self.local_exp


def test_what_lime_gives_is_measured() -> None:
    text = "Fun, not dull: the not dull film"
    # Features by first place: Fun 0, not 1, dull 2, the 3, film 4. Lime leaves out what it finds unimportant.
    weights = {0: [(2, 0.3), (1, 0.1), (0, -0.5)], 1: [(2, -0.3), (1, 0.4)]}
    mapper = Mapper(IndexedString(text))
    found = LimeExplanation(mapper, weights, ["negative", "positive"], np.array([0.2, 0.8]))
    (line,) = from_lime(found)
    assert line["target"] == "positive"
    # Words: Fun , not dull : the not dull film. Both "not" are first, both "dull" last.
    assert read_in([line])[0].ranking == (2, 6, 0, 1, 4, 5, 8, 3, 7)
    (other,) = from_lime(found, label=0, method="lime-negative")
    assert (other["method"], other["target"]) == ("lime-negative", "negative")
    assert read_in([other])[0].ranking[-1] == 0
    assert "target" not in from_lime(LimeExplanation(mapper, {1: weights[1]}, None))[0]
    with pytest.raises(BadParameter, match="no such label: got 2, possible are 0, 1"):
        from_lime(found, label=2)


@dataclass
class FerretExplanation:
    """ferret.explainers.explanation.Explanation."""

    text: str
    tokens: list[str]
    scores: Any
    explainer: str
    target_pos_idx: int
    helper_type: str = "text-classification"
    target: str | None = None


def test_what_ferret_gives_is_measured() -> None:
    tokens = ["<s>", "It", "Ġis", "Ġnot", "Ġgood", "Ġ.", "</s>"]
    found = [
        FerretExplanation(TEXTS[0], tokens, np.array([0.1, 0.5, 0, -2, 2, 0.25, 0]), "Partition SHAP", 1),
        FerretExplanation(TEXTS[0], tokens, np.array([0.1, 0.5, 0, 2, -2, 0.25, 0]), "LIME", 1, target="negative"),
    ]
    lines = from_ferret(found, model="sst2-bow")
    assert [line["method"] for line in lines] == ["Partition SHAP", "LIME"]
    assert [line.get("target") for line in lines] == [None, "negative"]
    assert [each.ranking for each in read_in(lines)] == [(3, 0, 4, 1, 2), (2, 0, 4, 1, 3)]
    assert from_ferret(found[0], method="ferret")[0]["method"] == "ferret"
