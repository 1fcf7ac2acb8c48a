"""What the draws of a reference add to the uncertainty, words that make no difference, and SOC as it was published."""

import math

import numpy as np
import pytest
from tests.games.references.test_filled import SIX, TEXT, WORTH, by_enumeration, explainer, filler, judge, model

from espalier.engine.explainer import Explainer
from espalier.explain.drawn import jackknife
from espalier.explain.request import ExplanationRequest
from espalier.findings.certainty import certainty
from espalier.findings.document import document
from espalier.models.callable import CallableModel
from espalier.problems import BadParameter

__all__ = ["explainer", "filler", "model"]  # fixtures


def explained(explainer, **fields):
    asked = {"text": TEXT, "model": "own", "reference": "conditional", "method": "shap", "scale": "probability"}
    return explainer.explain(ExplanationRequest(**{**asked, **fields}))


def errors_of(explanation):
    return [span["draw_error"] for span in document(explanation)["reading"]["spans"]]


@pytest.mark.parametrize("method", ["shap", "leave-one-out", "asiv"])
def test_the_draws_error_of_a_linear_method_is_the_standard_error_over_its_draws_games(explainer, method):
    """Each draw is a game of its own: with one draw at the place of another the method gives its own values."""
    found = explained(explainer, method=method, draws=4)
    reading = document(found)["reading"]
    singles = []
    for draw in range(4):
        game = Shifted(explainer, draw)
        singles.append(game.values(method))
    for number, span in enumerate(reading["spans"]):
        own = [single[number] for single in singles]
        assert span["score"] == pytest.approx(np.mean(own), abs=1e-9)
        assert span["draw_error"] == pytest.approx(np.std(own, ddof=1) / 2, abs=1e-9)


class Shifted:
    """The game of one draw alone, made by asking which texts were drawn."""

    def __init__(self, explainer, draw):
        self._explainer, self._draw = explainer, draw

    def values(self, method):
        from espalier.engine.stand_ins import of_prepared
        from espalier.explain.registry import methods
        from espalier.explain.toy import Toy

        prepared = self._explainer.prepare(
            ExplanationRequest(text=TEXT, model="own", reference="conditional", method=method, draws=4)
        )

        def values(coalitions):
            found = []
            for row in coalitions:
                texts = of_prepared(self._explainer, prepared, np.flatnonzero(~row).tolist())["texts"]
                found.append(judge([texts[self._draw]["text"]])[0])
            return np.array(found)

        target = int(judge([TEXT])[0].argmax())
        chosen = methods()[method]
        result = Toy(values).run(chosen.start(prepared.game.shape(target), chosen.parameters()))
        return [span.score for span in result.reading().spans]


@pytest.mark.parametrize("method", ["shap", "asiv"])
def test_estimates_without_some_draws_expect_what_was_learned_from_all_of_them(explainer, method):
    """So they are linear in the values: their mean is the estimate itself, which a model tuned anew would not give."""
    asked = ExplanationRequest(
        text=TEXT, model="own", reference="conditional", method=method, scale="probability", parameters={"budget": 16}
    )
    prepared = explainer.prepare(asked)
    found = explainer.drive(prepared, 1).run()
    assert not found.result.exact
    whole, others = found.result.reading(), [each.reading() for each in found.redrawn]
    assert len(others) == 4
    for number, span in enumerate(whole.spans):
        scores = [other.spans[number].score for other in others]
        assert len(set(scores)) > 1
        assert np.mean(scores) == pytest.approx(span.score, abs=1e-12)
    for number, pair in enumerate(whole.pairs):
        assert np.mean([other.pairs[number].score for other in others]) == pytest.approx(pair.score, abs=1e-12)


def test_pairs_have_errors_of_their_draws_too(explainer):
    reading = document(explained(explainer, method="asiv"))["reading"]
    assert reading["pairs"]
    assert all(pair["draw_error"] >= 0 for pair in reading["pairs"])


def test_one_draw_or_none_says_nothing_of_its_error(explainer):
    for fields in ({"draws": 1}, {"fill": "likeliest"}, {"reference": "pad"}):
        found = explained(explainer, **fields)
        assert found.draw_errors is None
        assert errors_of(found) == [None] * 5
        assert certainty(found) == "exact"


def test_what_the_draws_add_is_said_apart_from_what_the_coalitions_do(explainer):
    found = explained(explainer)
    assert (found.draws, found.fill, found.filler) == (4, "drawn", "mlm-general")
    assert certainty(found).startswith("exact for 4 draws, which add ± 0.")
    sampled = explained(explainer, method="sampled-shapley")
    assert certainty(sampled).startswith("± standard error, of 4 draws, which add ± 0.")
    assert all(error is not None for error in errors_of(sampled))
    assert certainty(explained(explainer, method="mahe")).endswith("of 4 draws, whose error is not known")
    assert explained(explainer, reference="marginal").draws == 8


def test_more_draws_make_the_error_smaller(explainer):
    few, many = (np.mean(errors_of(explained(explainer, draws=draws, seed=2))) for draws in (4, 64))
    assert many < few / 2


def test_a_number_that_is_not_there_without_some_draws_has_no_error():
    assert jackknife([{"a": 1.0}, {"b": 1.0}], "a") is None
    assert jackknife([{"a": 1.0}, {"a": 2.0}, {"a": 3.0}], "a") == pytest.approx(math.sqrt(2 / 3 * 2))


# ------------------------------------------------------------------------------- words that the model never uses


PLACE = 1


def blind(texts):
    """A model that does not look at the second word, whatever it is."""
    return judge(
        [" ".join(w for at, w in enumerate(text.split()) if at != PLACE or len(text.split()) < 5) for text in texts]
    )


def deaf(texts):
    """A model that does not know the word "film": it reads every text as if it were not there."""
    return judge([" ".join(word for word in text.split() if word != "film") for text in texts])


def with_model(function, filler):
    own = CallableModel(function, ["bad", "good"])
    return Explainer({"own": own, "mlm-general": filler}.__getitem__, lambda _: pytest.fail("a tree"))


def test_a_word_that_the_model_never_uses_has_no_interventional_value_but_an_observational_one(filler):
    """The dummy axiom holds for what is done to a model's input, not for what is learned from it."""
    assert WORTH["film"] != 0
    made = with_model(deaf, filler)
    interventional = explained(made, reference="pad")
    observational = explained(made, reference="conditional", draws=16)
    made.close()
    assert interventional.result.exact
    assert interventional.result.values[1] == pytest.approx(0, abs=1e-15)
    assert 1 in interventional.idle
    assert abs(observational.result.values[1]) > 0.01
    assert 1 not in observational.idle
    assert document(interventional)["idle"] == list(interventional.idle)


def test_a_place_that_the_model_never_looks_at_has_no_value_whatever_is_put_there(filler):
    made = with_model(blind, filler)
    found = explained(made, reference="marginal", background=tuple(" ".join(np.roll(SIX, k)[:5]) for k in range(6)))
    observational = explained(made, reference="conditional", draws=16)
    made.close()
    assert found.result.values[PLACE] == pytest.approx(0, abs=1e-15)  # weights added up in floating point
    assert found.idle == (PLACE,)  # and to the last bit in every pair of coalitions
    assert abs(observational.result.values[PLACE]) > 1e-5
    assert observational.idle == ()


# --------------------------------------------------------------------------------------------------------------- SOC


def softmax_logits(text):
    return np.log(judge([text])[0])


@pytest.mark.parametrize("radius", [1, 2])
def test_soc_is_what_its_paper_says(explainer, radius):
    """Transcribed: for each word draw the words within the radius from the language model given all others, then take
    the mean over the draws of the score with the word minus the score with the word taken out (padded: not there)."""
    from espalier.engine.stand_ins import stand_ins

    found = explained(explainer, method="soc", scale="logit", draws=6, parameters={"radius": radius})
    target = found.target
    words = TEXT.split()
    request = ExplanationRequest(text=TEXT, model="own", reference="conditional", draws=6, method="soc", fill="in-turn")
    for p in range(len(words)):
        neighbours = [i for i in range(len(words)) if i != p and abs(i - p) <= radius]
        total = 0.0
        for sample in stand_ins(explainer, request, neighbours)["texts"]:
            filled = [word["text"] for word in sample["words"]]
            assert filled[p] == words[p]
            without = [word for at, word in enumerate(filled) if at != p]
            total += softmax_logits(" ".join(filled))[target] - softmax_logits(" ".join(without))[target]
        assert found.result.values[p] == pytest.approx(total / 6, abs=1e-9)
    assert found.result.neighbours == "redrawn"
    assert all(error is not None for error in errors_of(found))


def test_soc_draws_neighbours_together_as_published_unless_asked_otherwise(explainer):
    assert explained(explainer, method="soc").fill == "in-turn"
    assert explained(explainer, method="soc", fill="drawn").fill == "drawn"
    assert explained(explainer, method="soc", parameters={"neighbours": "absent"}).fill == "drawn"
    assert explained(explainer, method="shap").fill == "drawn"
    assert explained(explainer, method="soc", reference="pad").fill is None


def test_the_methods_own_draws_are_refused_where_the_reference_draws(explainer):
    with pytest.raises(BadParameter, match="got draws = 50 among the method's parameters, possible is draws of the re"):
        explained(explainer, method="soc", parameters={"draws": 50})
    assert explained(explainer, method="soc", draws=50).draws == 50
    chosen = explained(explainer, method="soc", parameters={"draws": 50, "neighbours": "absent"})
    assert chosen.parameters["draws"] == 50


@pytest.mark.slow
@pytest.mark.parametrize("word", [1, 3])
def test_soc_comes_near_to_an_enumeration_of_all_neighbourhoods(filler, word):
    """By plain transformers: every way to fill the neighbours in, from the left to the right, with its probability."""
    made = with_model(judge, filler)
    seeds = range(16)
    found = [
        explained(made, method="soc", draws=64, seed=seed, parameters={"radius": 1}).result.values[word]
        for seed in seeds
    ]
    made.close()
    kept = np.array([abs(at - word) != 1 for at in range(5)])
    target = int(judge([TEXT])[0].argmax())

    def loss(text):
        words = text.split()
        without = " ".join(each for at, each in enumerate(words) if at != word)
        return judge([text])[0] - judge([without])[0]

    expected = by_enumeration(filler, kept, in_turn=True, says=loss)[target]
    product = by_enumeration(filler, kept, in_turn=False, says=loss)[target]
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert abs(np.mean(found) - expected) < 4 * error
    assert error < 0.02
    assert expected != pytest.approx(product, abs=1e-4)  # drawing together and apart are not the same thing


def test_soc_by_absence_is_still_there_under_its_name(explainer):
    assert explained(explainer, method="soc", reference="pad").result.neighbours == "absent"
    chosen = explained(explainer, method="soc", parameters={"neighbours": "absent"})
    assert chosen.result.neighbours == "absent"
    assert chosen.result.standard_errors is not None
    with pytest.raises(BadParameter, match="got a reference that fills nothing in, possible are conditional"):
        explained(explainer, method="soc", reference="delete", parameters={"neighbours": "redrawn"})
