"""Findings against the model's own arithmetic (see conftest): nothing is said that the numbers do not say."""

import re
from math import exp, log

import pytest

from espalier.findings.finding import finding


def log_probability(score: float) -> float:
    return -log(1 + exp(-score))


def test_a_tree_tells_which_word_turns_which_phrase(judged):
    # Alone, "good" has 2 and "not good" has -2; nothing has 0.
    before, after = (log_probability(score) - log_probability(0) for score in (2, -2))
    assert finding(judged("ls-tree")) == f"“not” turns “good” from +{before:.2f} to −{-after:.2f} for positive."


def test_a_tree_without_interactions_says_so(added_up):
    tree = "(S (NP the lovely film) (VP is dull))"
    assert (
        finding(added_up("ls-tree", tree=tree)) == "No phrase says more or less for positive than its words added up."
    )


def test_a_tree_of_one_word_has_that_word(judged):
    value = log_probability(2) - log_probability(0)
    assert finding(judged("ls-tree", "good", tree="(S good)")) == f"“good” stands alone: +{value:.2f} for positive."


def test_a_phrase_that_takes_away_without_turning_is_said_to_take_off(judged):
    sentence = finding(judged("ls-tree", "not lovely good", tree="(S not lovely good)"))
    explanation = judged("ls-tree", "not lovely good", tree="(S not lovely good)")
    assert explanation.result.nodes[0].signed < 0
    assert sentence.startswith(("“not", "“not lovely good” takes"))


def test_a_ladder_names_the_phrase_that_speaks_most(judged):
    explanation = judged("hedge")
    spans = [span for level in explanation.result.levels for span in level.spans if span.end - span.start <= 5]
    best = min(spans, key=lambda span: (-span.contribution, span.start, span.end))
    words = explanation.text[explanation.words[best.start].start : explanation.words[best.end - 1].end]
    whole = explanation.result.levels[0].spans[0].contribution
    assert best.contribution == pytest.approx(2 / (1 + exp(-2)) - 1)
    said = f"“{words}” alone speaks most for positive: +{best.contribution:.2f}; the whole text has −{-whole:.2f}."
    assert finding(explanation) == said


def test_a_ladder_in_which_nothing_speaks_for_the_class_says_so(judged):
    assert finding(judged("hedge", "a dull dull thing", scale="log_odds")) == (
        "Nothing speaks for positive on its own; “a” comes closest with 0.00, and the whole text has −2.00."
    )


def test_words_are_named_by_what_they_add(judged):
    positive = [1 / (1 + exp(-score)) for score in (-0.5, -2.0, 3.5)]
    assert finding(judged("leave-one-out")) == (
        f"“lovely” speaks most for positive (+{positive[0] - positive[1]:.2f}), "
        f"“not” most against it (−{positive[2] - positive[0]:.2f})."
    )


def test_words_that_add_up_lead_from_nothing_to_the_prediction(added_up):
    assert finding(added_up("leave-one-out")) == (
        "“lovely” speaks most for positive (+1.50), “dull” most against it (−1.00); "
        "all words together go from 0.00 to 0.50."
    )


def test_words_that_do_nothing_are_not_said_to_speak(added_up):
    sentence = finding(added_up("leave-one-out", "the film is here"))
    assert sentence.startswith("No word clearly speaks for or against positive")


def test_one_side_is_said_to_be_empty(added_up):
    assert "no word clearly against it" in finding(added_up("leave-one-out", "a lovely film"))
    assert finding(added_up("leave-one-out", "a dull film")).startswith("“dull” speaks most against positive (−1.00)")


def test_a_sampled_word_within_its_error_is_not_called_a_finding(judged):
    sentence = finding(judged("soc", "the film is not there"))
    assert sentence.startswith("No word clearly speaks")


def test_levels_tell_how_much_words_alone_explain(judged):
    explanation = judged("mahe", "it is not a good film")
    first, last = explanation.result.levels[0], explanation.result.levels[-1]
    shares = [int(share) for share in re.findall(r"(\d+)%", finding(explanation))]
    assert shares == [round(100 * first.r2_held_out), 100]
    assert last.r2_held_out == 1
    assert "“not … good”" in finding(explanation)


def test_levels_without_interactions_say_so(added_up):
    assert finding(added_up("mahe")).endswith("no interaction adds enough to that.")


def test_the_strongest_pair_is_told_in_both_contexts(judged):
    probability = {score: 1 / (1 + exp(-score)) for score in (0.0, 1.0, 2.0, -2.0, 3.0, -1.0)}
    alone = probability[-2.0] - probability[2.0]
    assert finding(judged("archipelago", "not good")) == (
        f"“not” and “good” interact most: together −{-alone:.2f} for positive beyond their sum in the text, "
        f"−{-alone:.2f} by themselves."
    )


def test_pairs_that_add_up_are_not_called_a_finding(added_up):
    sentence = "No two words do anything together for positive that they do not do apart."
    assert finding(added_up("archipelago")) == sentence


def test_arrows_tell_what_a_word_adds_without_another_and_with_it(judged):
    # Without "not", "good" takes the probability from 1/2 to p(2); after it, from 1/2 to p(-2).
    adds = 1 / (1 + exp(-2)) - 0.5
    assert finding(judged("asiv", "not good")) == (
        f"“good” adds +{adds:.2f} for positive without “not”, and −{adds:.2f} once it is there."
    )


def test_a_pair_of_phrases_that_was_asked_for_is_what_is_told(judged):
    groups = [[2, 4], [9, 11]]
    assert "“is lovely”" in finding(judged("asiv", parameters={"groups": groups}))
    assert "“not good”" in finding(judged("asiv", parameters={"groups": groups}))


def test_arrows_that_change_nothing_are_not_called_a_finding(added_up):
    assert finding(added_up("asiv")) == "No word clearly changes what another one adds for positive."
