"""Bracket F1, against counts made by hand as EVALB makes them."""

import nltk
import pytest

from training.brackets import BracketScore, brackets, score


def compare(gold: str, predicted: str) -> BracketScore:
    return score([(nltk.Tree.fromstring(gold), nltk.Tree.fromstring(predicted))])


def test_spans_are_numbered_without_punctuation_top_label_and_tags() -> None:
    tree = nltk.Tree.fromstring("(ROOT (S (NP (DT The) (, ,) (NN dog)) (VP (VBZ barks)) (. .)))")
    punctuation = [False, True, False, False, True]
    assert dict(brackets(tree, punctuation)) == {("S", 0, 3): 1, ("NP", 0, 2): 1, ("VP", 2, 3): 1}


def test_the_same_tree_scores_a_hundred() -> None:
    tree = "(ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)))"
    result = compare(tree, tree)
    assert (result.labelled_f1, result.unlabelled_f1, result.exact) == (100, 100, 1)


def test_a_misplaced_phrase_costs_what_it_costs_by_hand() -> None:
    # gold: S 0-4, NP 0-2, VP 2-4, ADVP 3-4; predicted: S 0-4, NP 0-2, VP 2-3, ADVP 3-4. Three of four and four match.
    result = compare(
        "(ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))) (. .)))",
        "(TOP (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (ADVP (RB loudly)) (. .)))",
    )
    assert (result.gold, result.predicted, result.labelled_matched, result.unlabelled_matched) == (4, 4, 3, 3)
    assert result.labelled_f1 == pytest.approx(75)
    assert result.exact == 0


def test_where_punctuation_hangs_is_not_counted() -> None:
    result = compare("(S (NP (NN dog) (, ,)) (VP (VBZ barks)) (. .))", "(S (NP (NN dog)) (, ,) (VP (VBZ barks) (. .)))")
    assert result.labelled_f1 == 100


def test_the_gold_tags_say_what_punctuation_is() -> None:
    # The parser took the dash for a word (SYM); it is still taken out of both trees.
    result = compare("(S (NP (NN dog)) (: -) (VP (VBZ barks)))", "(S (NP (NN dog) (SYM -)) (VP (VBZ barks)))")
    assert result.labelled_f1 == 100


def test_a_phrase_of_punctuation_only_vanishes() -> None:
    result = compare("(S (NN dog) (. !) (. !))", "(S (NN dog) (X (. !) (. !)))")
    assert (result.gold, result.predicted) == (1, 1)


def test_unary_chains_count_each_of_their_brackets() -> None:
    # gold: S 0-1, VP 0-1; predicted: S 0-1, NP 0-1. One label and both spans match.
    result = compare("(S (VP (VB Go)))", "(S (NP (NN Go)))")
    assert (result.labelled_matched, result.unlabelled_matched, result.gold, result.predicted) == (1, 2, 2, 2)
    assert (result.labelled_f1, result.unlabelled_f1) == (50, 100)


def test_a_bracket_given_twice_is_matched_as_often_as_both_have_it() -> None:
    # gold: NP 0-2 twice and S; predicted: NP 0-2 once and S: 2 * 2 / (3 + 2) = 80 %.
    result = compare("(S (NP (NP (NN a) (NN b))) (VB c))", "(S (NP (NN a) (NN b)) (VB c))")
    assert (result.labelled_matched, result.gold, result.predicted) == (2, 3, 2)
    assert result.labelled_f1 == pytest.approx(80)


def test_particles_and_adverbs_are_the_same_label() -> None:
    assert compare("(VP (VB give) (PRT (RP up)))", "(VP (VB give) (ADVP (RB up)))").labelled_f1 == 100


def test_scores_add_up_over_sentences_before_they_are_divided() -> None:
    pairs = [("(S (VP (VB Go)))", "(S (NP (NN Go)))"), ("(NP (DT a) (NN b))", "(NP (DT a) (NN b))")]
    result = score((nltk.Tree.fromstring(gold), nltk.Tree.fromstring(predicted)) for gold, predicted in pairs)
    assert (result.sentences, result.exact) == (2, 1)
    assert result.labelled_f1 == pytest.approx(100 * 2 * 2 / (3 + 3))


def test_trees_over_different_words_are_refused() -> None:
    with pytest.raises(ValueError, match="got 1, gold has 2"):
        compare("(S (NN a) (NN b))", "(S (NN a))")
