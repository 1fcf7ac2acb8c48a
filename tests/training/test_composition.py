"""The sentences that teach composition are many, balanced, and none of them is one of the samples that measure it."""

from collections import Counter

import pytest

from espalier import samples
from training import composition


def test_there_are_more_than_a_thousand_different_ones():
    texts = [sentence.text for sentence in composition.sentences()]
    assert len(texts) > 1000
    assert len(set(texts)) == len(texts)


def test_each_phenomenon_has_both_labels_equally_often_up_to_a_tenth():
    counts = Counter((sentence.phenomenon, sentence.label) for sentence in composition.sentences())
    assert {phenomenon for phenomenon, _ in counts} == {
        "negation", "double-negation", "contrast", "concession", "comparison", "irony", "intensifier", "conditional",
    }  # fmt: skip
    for phenomenon, _ in counts:
        negative, positive = counts[phenomenon, "negative"], counts[phenomenon, "positive"]
        assert abs(negative - positive) <= (negative + positive) / 20


@pytest.mark.parametrize("phenomenon", ["contrast", "concession", "conditional"])
def test_words_of_praise_and_blame_occur_under_both_labels(phenomenon):
    """Were praise only found under one label, the words alone would tell, and nothing about composition be learned."""
    under = {
        label: " ".join(s.text for s in composition.sentences() if (s.phenomenon, s.label) == (phenomenon, label))
        for label in ("negative", "positive")
    }
    judging = [word for topic in composition.TOPICS for word in (*topic.praise, *topic.blame)]
    both = [word for word in judging if word in under["negative"] and word in under["positive"]]
    assert len(both) > len(judging) * 2 / 3


def test_none_is_a_sample_nor_shares_six_words_in_a_row_with_one():
    texts = [sentence.text for sentence in composition.sentences()]
    assert composition.shared_runs(texts, [sample.text for sample in samples.load()]) == []


def test_a_copied_passage_would_be_found():
    sample = samples.load()[0].text
    assert composition.shared_runs([f"They say: {sample.upper()}"], [sample])


def test_a_copy_of_a_short_text_would_be_found_too_and_a_part_of_one_is_none():
    assert composition.shared_runs(["The FOOD is good!"], ["The food is good."]) == [
        ("The FOOD is good!", "the food is good")
    ]
    assert composition.shared_runs(["Food is good."], ["The food is good."]) == []


def test_articles_fit_the_word_that_follows():
    texts = [f" {sentence.text.lower()}" for sentence in composition.sentences()]
    assert not [text for text in texts if " a a" in text or " a e" in text or " a i" in text or " an b" in text]


def test_they_are_the_same_in_every_run():
    assert composition.sentences() == composition.sentences()
