"""What estimators of next words are held against: the noise of the truth itself is not theirs."""

import numpy as np
import pytest
from benchmarks.next_word_truth import THIRTY, TWENTIES, Truth

from espalier.text import read


def test_the_prompts_have_as_many_words_as_is_said():
    assert [len(read(text).words) for text in TWENTIES] == [20, 20]
    assert len(read(THIRTY).words) == 30


def test_what_the_noise_of_the_truth_adds_to_an_error_is_taken_off():
    generator = np.random.default_rng(0)
    right = generator.normal(0, 1, 400)
    truth = Truth(right + generator.normal(0, 0.1, 400), np.full(400, 0.1))
    estimates = [right + generator.normal(0, 0.2, 400) for _ in range(20)]
    plainly = np.sqrt(np.mean([np.square(each - right).sum() for each in estimates]) / np.square(right).sum())
    assert truth.error_of(estimates) == pytest.approx(plainly, rel=0.05)
    assert truth.error_of([right]) < 0.04


def test_a_truth_without_noise_is_taken_as_it_is():
    truth = Truth(np.array([3.0, 4.0]), np.zeros(2))
    assert truth.error_of([np.array([3.0, 3.0])]) == pytest.approx(0.2)
