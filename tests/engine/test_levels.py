"""A long text through the whole explainer, level by level."""

import numpy as np
import pytest

from espalier import explain
from espalier.engine.address import address
from espalier.explain.request import ExplanationRequest
from espalier.problems import BadParameter, NotSupported

REVIEW = (
    "I went in expecting nothing. The first half hour is slow, and the music does not help. But then the daughter "
    "comes home, and from that scene on the film never puts a foot wrong. Every line she says is funny and sad. "
    "I have not seen a better performance. The ending, which some will call too neat, made my neighbour cry."
)


def test_levels_of_a_review_add_up_and_know_their_way():
    top = explain(REVIEW, "sst2-cnn", "shap", players="nested")
    assert (top.player_kind, len(top.players), len(top.levels)) == ("sentences", 6, 1)
    sentence = top.players[2]
    opened = explain(REVIEW, "sst2-cnn", "shap", players="nested", open=(sentence.start, sentence.end))
    assert sum(opened.result.values) == pytest.approx(top.result.values[2], abs=1e-9)
    assert [(level.start, level.end, level.kind) for level in opened.levels] == [
        (0, len(top.words), "text"),
        (sentence.start, sentence.end, "sentence"),
    ]
    assert [part.value for part in opened.levels[0].parts] == list(top.result.values)
    assert opened.levels[1].value == top.result.values[2]
    phrase = next(player for player in opened.players if player.end - player.start > 1)
    words = explain(REVIEW, "sst2-cnn", "shap", players="nested", open=(phrase.start, phrase.end))
    assert sum(words.result.values) == pytest.approx(opened.result.values[opened.players.index(phrase)], abs=1e-9)


def test_a_linear_model_has_the_same_word_values_at_any_level():
    """A bag of words in logits adds up: contexts change nothing, so the lowest level says what the weights say."""
    options = {"players": "nested", "scale": "logit"}
    words = explain(REVIEW, "sst2-bow", "linear-shap", scale="logit")
    top = explain(REVIEW, "sst2-bow", "shap", **options)
    wanted = [sum(words.result.values[player.start : player.end]) for player in top.players]
    np.testing.assert_allclose(top.result.values, wanted, atol=1e-6)


@pytest.mark.parametrize("method", ["ls-tree", "hedge", "asiv", "mahe"])
def test_what_one_method_asked_serves_the_next_at_the_same_level(method):
    top = explain(REVIEW, "sst2-cnn", "shap", players="nested")
    first = top.players[1]
    explain(REVIEW, "sst2-cnn", "shap", players="nested", open=(first.start, first.end))
    again = explain(REVIEW, "sst2-cnn", method, players="nested", open=(first.start, first.end))
    assert again.evaluations.distinct == again.evaluations.reused
    assert again.players[0].start == first.start


def test_two_thousand_words_work_with_a_model_that_can_read_them():
    top = explain(REVIEW * 30, "sst2-bow", "hedge", players="nested")
    assert len(top.words) > 2000
    assert 2 <= len(top.players) <= 10


def test_what_is_open_is_part_of_the_address_and_only_then():
    def at(**fields):
        return address(ExplanationRequest(text=REVIEW, model="sst2-bow", **fields), "revision")

    assert at(players="nested") != at(players="nested", open=(0, 6)) != at(players="nested", open=(6, 19))


def test_only_nested_players_can_be_opened():
    with pytest.raises(BadParameter, match="possible is players = nested"):
        explain(REVIEW, "sst2-bow", "shap", open=(0, 6))


def test_methods_that_look_inside_the_model_have_no_levels():
    with pytest.raises(NotSupported, match="got players = nested"):
        explain(REVIEW, "sst2-bow", "linear-shap", players="nested")
