"""The picture of a diagnosis has its numbers, in the place where the axis says they are."""

from xml.etree import ElementTree

import pytest

from espalier.diagnostics.adversatives import adversatives
from espalier.diagnostics.diagnosis import diagnosed, row_of
from espalier.diagnostics.documents import Diagnosis, ModelDiagnosis
from espalier.diagnostics.scored import ScoredText
from espalier.explain.ls_tree import LSTreeParameters, described
from espalier.pictures.svg.diagnosis import svg_of_diagnosis
from espalier.trees.tree import flatten

SPACE = "{http://www.w3.org/2000/svg}"


def scored(strength: float) -> ScoredText:
    """The words "not" and "good" under a phrase, beside a word; the phrase says something else than its words."""
    tree = flatten((("S",), [(("VP",), [(("RB",), 0), (("JJ",), 1)]), (("NN",), 2)]))
    result = described(tree, [0.0, -strength, -strength, 0.2, 1.0, 0.3 * strength], LSTreeParameters())
    return ScoredText(("not", "good", "film"), tuple(result.nodes), tuple(result.word_values), (-1.0, 1.0, 0.1))


@pytest.fixture(scope="module")
def diagnosis() -> Diagnosis:
    texts = [scored(0.5 + each / 4) for each in range(6)]
    model = diagnosed("a model", texts, texts[:4], seed=0)
    assert model.contrast == adversatives([row_of(text) for text in texts], 0)
    return Diagnosis(texts=6, training_texts=4, linear="a line", scale="logit", seed=0, models=[model], left_out=[])


def drawn(models: list[ModelDiagnosis]) -> str:
    return svg_of_diagnosis(models, "a line", 6, "logit")


def test_every_panel_has_the_numbers_of_the_diagnosis(diagnosis: Diagnosis) -> None:
    picture = ElementTree.fromstring(drawn(diagnosis.models))
    (model,) = diagnosis.models
    points = [
        float(each.get("data-value") or "nan") for each in picture.iter(f"{SPACE}g") if each.get("class") == "point"
    ]
    assert model.linearity is not None
    assert model.overfitting is not None
    parent = next(each.parent for each in model.contrast.words if each.word == "not")
    sides = model.overfitting.train.variance.mean, model.overfitting.test.variance.mean
    assert points == [model.linearity.words.mean, parent.ratio, *sides]
    (curve,) = [each for each in picture.iter(f"{SPACE}g") if each.get("class") == "curve"]
    for depth in model.depths[:5]:
        assert float(curve.get(f"data-top-{depth.top}") or "nan") == depth.depth.mean
    assert curve.get("data-top-6") is None  # the texts have five nodes


def test_what_was_not_asked_for_has_no_panel(diagnosis: Diagnosis) -> None:
    (model,) = diagnosis.models
    fewer = model.model_copy(update={"linearity": None, "overfitting": None})
    titles = drawn([fewer])
    assert "Correlation" not in titles
    assert "Variance" not in titles
    assert "Depth of the top nodes" in titles
