"""The sentences that teach how feelings compose are many, of all emotions, and none is a sample that measures it."""

import random
import re
from collections import Counter

import pytest
from benchmarks import pairs

from espalier import samples
from training import adapters, composition, data, feelings

EVERYTHING = feelings.sentences()
WRITTEN = composition.written(feelings.WRITTEN)


def names(sentence, word):
    return re.search(rf"\b{word}\b", sentence.text.lower()) is not None


def test_there_are_more_than_six_hundred_different_ones_and_two_hundred_were_written_by_hand():
    texts = [sentence.text for sentence in EVERYTHING]
    assert len(texts) == len(set(texts)) > 600
    assert len(WRITTEN) > 200


@pytest.mark.parametrize("chosen", [EVERYTHING, WRITTEN], ids=["all", "written"])
def test_every_emotion_has_nearly_as_many(chosen):
    counts = Counter(sentence.label for sentence in chosen)
    assert counts.keys() == set(data.EMOTIONS)
    assert min(counts.values()) > 0.75 * max(counts.values())


def test_every_emotion_has_every_phenomenon_except_that_irony_is_never_neutral():
    found = {(sentence.label, sentence.phenomenon) for sentence in WRITTEN}
    asked = {"negation", "correction", "contrast", "intensifier", "concession", "past-now", "question", "irony"}
    assert {(label, each) for label in data.EMOTIONS for each in asked} - found == {("neutral", "irony")}


def test_every_word_of_feeling_occurs_under_other_emotions_too():
    """Were it found under its own alone, the word would tell, and nothing about composition be learned."""
    for emotion, words in feelings.FEELINGS.items():
        for word in words:
            labels = {sentence.label for sentence in EVERYTHING if names(sentence, word)}
            assert labels - {emotion}, word


@pytest.mark.parametrize("emotion", feelings.FEELINGS)
def test_a_template_names_what_is_meant_and_something_else(emotion):
    made = list(feelings.from_templates(emotion, random.Random(0)))
    own = feelings.FEELINGS[emotion]
    for sentence in made:
        assert any(names(sentence, word) for word in own), sentence.text
        others = [word for words in feelings.FEELINGS.values() for word in words if word not in own]
        assert sentence.phenomenon == "intensifier" or any(names(sentence, word) for word in others), sentence.text
        assert "{" not in sentence.text
        assert sentence.text[0].isupper()


def test_none_is_a_sample_nor_shares_six_words_in_a_row_with_one():
    others = [sample.text for sample in samples.load()]
    others += [text for pair in pairs.pairs() for text in (pair.first, pair.second)]
    assert composition.shared_runs([sentence.text for sentence in EVERYTHING], others) == []


def test_they_are_the_same_in_every_run():
    assert feelings.sentences() == EVERYTHING


def test_the_recipe_reads_them_beside_the_comments_and_measures_on_comments_alone(monkeypatch):
    comments, held = [("I love it", data.EMOTIONS.index("joy"))], [("Ugh", data.EMOTIONS.index("disgust"))]
    monkeypatch.setattr(data, "emotions", lambda: (comments, held))
    read, measured = adapters.RECIPES["emotion-minilm"].load()
    assert measured == held
    assert read[:1] == comments
    counts = Counter(read[1:])
    assert set(counts.values()) == {feelings.TIMES}
    assert counts.keys() == {(each.text, data.EMOTIONS.index(each.label)) for each in EVERYTHING}
