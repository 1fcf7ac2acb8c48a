"""Measures beside people: the same items, the same numbers as SciPy's, and no more said than they bear."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from espalier.lab.people.beside import NOT_YET, OTHERWISE, Found, beside, correlations, summary
from espalier.lab.people.documents import MeasuredItem
from espalier.measure.registry import measure
from espalier.studies.documents import ItemDocument, ShownFor
from espalier.studies.results import ItemResult

AOPC, SUFFICIENCY, COHESION = measure("aopc-delete"), measure("sufficiency-delete"), measure("cohesion")
TITLES = {each.name: each.title for each in (AOPC, SUFFICIENCY, COHESION)}


def items(texts: int, follows: float = 1.0) -> list[MeasuredItem]:
    """Two methods on each text. AOPC follows people's guesses up, sufficiency down, and cohesion not at all."""
    generator = np.random.default_rng(8)
    found = []
    for text in range(texts):
        for method in ("hedge", "lime"):
            right = int(generator.binomial(5, 0.6))
            values = {
                AOPC.name: follows * right / 5 + float(generator.normal(0, 0.1)),
                SUFFICIENCY.name: -follows * right / 5 + float(generator.normal(0, 0.1)),
                COHESION.name: float(generator.normal()),
            }
            given = {"item": str(text), "text": f"text {text}", "model": "bow", "method": method}
            found.append(MeasuredItem(**given, right=right, guesses=5, values=values))
    return found


def test_each_measure_is_correlated_with_the_share_of_right_guesses() -> None:
    given = items(30)
    found = {(each.measure, each.method): each for each in correlations(given, [AOPC, SUFFICIENCY, COHESION], 1)}
    assert list(found) == [(name, method) for name in TITLES for method in (None, "hedge", "lime")]
    for (name, method), each in found.items():
        inside = [item for item in given if method in (None, item.method)]
        truth = spearmanr([item.right / item.guesses for item in inside], [item.values[name] for item in inside])
        assert each.correlation.rho == pytest.approx(truth.statistic)
        assert (each.correlation.groups, each.correlation.items) == (30, len(inside))
        assert each.corrected is not None
        assert each.correlation.p is not None
        assert each.corrected >= each.correlation.p


def test_better_measures_go_with_people_whether_better_is_higher_or_lower() -> None:
    found = {
        each.measure: each for each in correlations(items(30), [AOPC, SUFFICIENCY, COHESION], 1) if not each.method
    }
    assert found[AOPC.name].verdict == found[SUFFICIENCY.name].verdict == "with"
    assert found[COHESION.name].verdict == "undecided"
    assert "people guess the prediction more often" in found[SUFFICIENCY.name].says
    assert "could be chance" in found[COHESION.name].says
    turned = {each.measure: each for each in correlations(items(30, -1), [AOPC], 1) if not each.method}
    assert turned[AOPC.name].verdict == "against"
    assert "less often" in turned[AOPC.name].says


def test_fewer_than_ten_texts_are_too_few_and_say_so() -> None:
    found = correlations(items(9), [AOPC], 1)
    assert {each.verdict for each in found} == {"too-few"}
    assert found[0].correlation.rho is None
    assert found[0].says == "Too few: 9 texts with both scores, and at least 10 are needed."
    assert summary(found, TITLES) == "On bow: 1 measure had fewer than 10 texts."


def test_where_everybody_is_right_nothing_goes_with_it() -> None:
    given = [item.model_copy(update={"right": 5}) for item in items(12)]
    assert {each.verdict for each in correlations(given, [AOPC], 1)} == {"alike"}


def test_the_summary_speaks_of_all_methods_together() -> None:
    said = summary(correlations(items(30), [AOPC, SUFFICIENCY, COHESION], 1), TITLES)
    assert said == (
        "On bow: AOPC (delete) and Sufficiency (delete) went with people’s guesses; "
        "1 measure could not be told from chance."
    )


def answered(text: str, method: str, votes: dict[str, int]) -> ItemResult:
    return ItemResult(
        item=text, text=text, model="bow", method=method, votes=votes, prediction="positive", majority=None
    )


def shown(text: str, words: list[int]) -> ItemDocument:
    conditions = [
        ShownFor(model="bow", method=method, prediction="positive", probability=0.9, phrase="", words=words)
        for method in ("hedge", "lime")
    ]
    return ItemDocument(id=text, number=1, kind="task", text=text, label=None, shown=conditions, votes=1)


def test_what_people_did_not_see_is_not_measured_in_their_name() -> None:
    found = {
        ("a", "bow", "hedge"): Found((0, 1), {AOPC.name: 0.5}, None),
        ("a", "bow", "lime"): Found((1,), {AOPC.name: 0.4}, None),
        ("b", "bow", "hedge"): Found((), {}, "text too long"),
    }
    results = [
        answered("a", "lime", {"negative": 2}),
        answered("a", "hedge", {"positive": 3, "negative": 1, "n/a": 1}),
        answered("b", "hedge", {"positive": 1}),
        answered("b", "lime", {"positive": 1}),
    ]
    made, unmeasured = beside(results, [shown("a", [0, 1]), shown("b", [0])], found)
    assert [(item.right, item.guesses, item.values) for item in made] == [
        (3, 5, {AOPC.name: 0.5}),
        (0, 2, {}),
        (1, 1, {}),
        (1, 1, {}),
    ]
    assert unmeasured == {OTHERWISE: 1, "text too long": 1, NOT_YET: 1}
