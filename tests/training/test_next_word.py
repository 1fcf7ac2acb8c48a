"""Training the language model: the estimated normaliser, the lanes, and perplexity, against what can be counted."""

import math
import random

import pytest
import torch

from espalier.models.next_word import EDGE, NextWordLSTM
from espalier.models.vocabulary import UNKNOWN, Vocabulary
from training.next_word import Effort, Lanes, compared_loss, ids_of, perplexity, rate


@pytest.fixture
def network() -> NextWordLSTM:
    torch.manual_seed(0)
    return NextWordLSTM(400, vector_size=8, hidden=12).eval()


@torch.no_grad()
def test_the_loss_against_a_sample_is_on_average_that_against_all_words(network):
    features = 0.3 * torch.randn(64, 8)
    targets = torch.randint(0, 400, (64,))
    exact = torch.nn.functional.cross_entropy(network.logits(features), targets).item()
    estimates = torch.tensor([compared_loss(network, features, targets, 100).item() for _ in range(200)])
    error = estimates.std().item() / math.sqrt(len(estimates))
    # The logarithm of an estimate lies a little below that of its mean: a hundredth at most.
    assert exact - 0.01 - 3 * error < estimates.mean().item() < exact + 0.01 + 3 * error
    assert estimates.std().item() > 0


def test_lanes_hold_every_word_before_the_one_to_be_predicted():
    texts = [torch.tensor([EDGE, *range(start, start + 9)]) for start in (10, 20, 30, 40)]
    lanes = Lanes(texts, lanes=2, chunk=3, random_source=random.Random(1))
    order = None
    for _ in range(6):
        read, wanted = lanes.next()
        order = order or list(lanes.order)
        assert torch.equal(read[:, 1:], wanted[:, :-1])
    first = torch.cat([texts[index] for index in order]).view(2, 20)
    lanes.order = order
    lanes.lay(0)
    assert torch.equal(lanes.next()[0], first[:, :3])


def test_a_model_that_knows_nothing_is_as_perplexed_as_the_vocabulary_is_large():
    network = NextWordLSTM(50, vector_size=4, hidden=4)
    torch.nn.init.zeros_(network.embedding.weight)
    texts = [torch.tensor([EDGE, 3, 4, 5]), torch.tensor([EDGE, 9])]
    assert perplexity(network, texts) == pytest.approx(50, rel=1e-5)


def test_texts_of_different_lengths_are_measured_each_by_itself(network):
    texts = [torch.tensor([EDGE, 3, 4, 5, 6, 7]), torch.tensor([EDGE, 9, 9]), torch.tensor([EDGE, 1])]
    logs = [math.log(perplexity(network, [text])) * (len(text) - 1) for text in texts]
    assert math.log(perplexity(network, texts)) == pytest.approx(sum(logs) / 8, rel=1e-5)


def test_words_fall_apart_as_when_the_model_is_asked():
    vocabulary = Vocabulary(["good", "is", "n't"])
    assert ids_of(vocabulary, [["good", "isn't", "odd"], []])[0].tolist() == [EDGE, 2, 3, 4, UNKNOWN]


def test_the_learning_rate_rises_stays_and_falls_to_nothing():
    effort = Effort(steps=1000, cooldown=0.5)
    assert rate(0, effort) == pytest.approx(0.01)
    assert rate(300, effort) == 1.0
    assert rate(750, effort) == pytest.approx(0.5)
    assert rate(999, effort) == pytest.approx(0.002)
