"""The language model's network: reading step by step is reading at once, and states can be shared and branched."""

import pytest
import torch

from espalier.models.next_word import EDGE, NextWordLSTM


@pytest.fixture
def network() -> NextWordLSTM:
    torch.manual_seed(0)
    return NextWordLSTM(30, vector_size=8, hidden=12, layers=2).eval()


def read(network: NextWordLSTM, ids: list[int]) -> torch.Tensor:
    features, state = network.step(torch.tensor([EDGE]), network.start(1))
    for id in ids:
        features, state = network.step(torch.tensor([id]), state)
    return network.logits(features)[0]


def test_steps_give_what_a_whole_text_gives(network):
    ids = torch.tensor([[EDGE, 3, 9, 4, 20], [EDGE, 7, 7, 2, 5]])
    features, _ = network(ids, network.start(2))
    for row, whole in zip(ids, features, strict=True):
        torch.testing.assert_close(read(network, row[1:].tolist()), network.logits(whole[-1]), atol=1e-6, rtol=1e-5)


def test_a_state_can_be_carried_into_two_continuations(network):
    _, state = network(torch.tensor([[EDGE, 3, 9]]), network.start(1))
    both = tuple(part.index_select(1, torch.tensor([0, 0])) for part in state)
    features, _ = network.step(torch.tensor([4, 5]), both)
    for id, found in zip((4, 5), network.logits(features), strict=True):
        torch.testing.assert_close(found, read(network, [3, 9, id]), atol=1e-6, rtol=1e-5)


def test_some_words_have_the_logits_they_have_among_all(network):
    features, _ = network.step(torch.tensor([EDGE]), network.start(1))
    asked = torch.tensor([17, 2])
    torch.testing.assert_close(network.logits(features, asked), network.logits(features)[:, asked])


def test_the_output_layer_is_the_word_vectors(network):
    assert set(network.state_dict()) == {
        "embedding.weight", "bias", "projection.weight", "projection.bias",
        *(f"lstm.{kind}_{side}_l{layer}" for kind in ("weight", "bias") for side in ("ih", "hh") for layer in (0, 1)),
    }  # fmt: skip
