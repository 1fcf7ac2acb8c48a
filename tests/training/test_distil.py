"""Learning from a teacher: its answers are kept whatever happens, and fragments are parts of training sentences."""

import random

import pytest
import torch

from training import distil, sentiment

SENTENCES = (("It 's a lovely film , and never dull .", 4), ("No .", 1), ("Do n't go .", 0))


@pytest.fixture
def treebank(monkeypatch):
    monkeypatch.setattr(sentiment, "treebank_sentences", lambda part: SENTENCES if part == "train" else SENTENCES[1:])


def test_answers_are_there_again_but_for_half_a_line(tmp_path):
    path = tmp_path / "answers.tsv"
    first = distil.Answers(path)
    first.add({"good": 2.0, "a\ttab": -1.0})
    with path.open("a") as lines:
        lines.write("0.3141\tthe sto")
    again = distil.Answers(path)
    assert again.missing(["good", "the story", "good ", "the story"]) == ["the story"]
    again.add({"the story": 0.0})
    assert len(distil.Answers(path)) == 3
    assert distil.Answers(path).probability("good") == pytest.approx(0.8808, abs=1e-4)


def test_fragments_are_words_of_training_sentences_in_their_order(treebank):
    sentences = [sentiment.as_written(text).lower() for text, _ in SENTENCES]
    found = distil.fragments(random.Random(1), 200)
    assert len(set(found)) > 50
    for fragment in found:
        assert fragment
        characters = fragment.lower().replace(" ", "")
        assert any(_is_part(characters, sentence.replace(" ", "")) for sentence in sentences)


def _is_part(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


def test_a_held_out_sentence_is_not_asked_about(monkeypatch):
    reviews = [("I saw it twice in one week. Do not go to it! What a day it was. And so on.", 1)]
    monkeypatch.setattr(distil.corpus, "reviews", lambda part: reviews)
    monkeypatch.setattr(sentiment, "treebank_sentences", lambda part: (("Do not go to it .", 0),))
    found = distil.review_sentences(random.Random(1), 10)
    assert set(found) == {"I saw it twice in one week.", "What a day it was."}


def test_a_label_counts_as_much_as_the_teacher_and_a_grade_alone(tmp_path):
    answers = distil.Answers(tmp_path / "answers.tsv")
    answers.add({"good": 0.0, "so so": 0.0})
    learned = [distil.Lesson("good", 0.98), distil.Lesson("so so"), distil.Lesson("the film", 0.5, share=1)]
    assert [lesson.is_asked for lesson in learned] == [True, True, False]
    texts, targets = distil.targets(answers, learned)
    assert texts == ["good", "so so", "the film"]
    torch.testing.assert_close(targets, torch.tensor([[0.26, 0.74], [0.5, 0.5], [0.5, 0.5]]))


def test_what_ships_is_between_what_was_and_what_was_learned():
    before, after = {"head": torch.tensor([1.0, -1.0]).half()}, {"head": torch.tensor([2.0, -1.0]).half()}
    found = distil.averaged(before, after)["head"]
    assert found.dtype == torch.float16
    torch.testing.assert_close(found, torch.tensor([1.7, -1.0]).half())
