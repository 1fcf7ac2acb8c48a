"""The steps of a run: what they reach, and what the average of the weights is."""

import pytest
import torch

from training.descent import Descent


def network() -> torch.nn.Linear:
    torch.manual_seed(2)
    made = torch.nn.Linear(3, 1)
    made.bias.requires_grad_(False)
    return made


def loss_of(made: torch.nn.Linear) -> torch.Tensor:
    return ((made(torch.eye(3)) - torch.tensor([[1.0], [2.0], [3.0]])) ** 2).mean()


def test_frozen_weights_stay_and_the_others_find_their_place():
    made = network()
    before = made.bias.clone()
    descent = Descent(made, 800, 0.05)
    assert descent.size == 3
    first = loss_of(made).item()
    for _ in range(800):
        descent.step(loss_of(made))
    assert torch.equal(made.bias, before)
    assert loss_of(made).item() < 0.02 * first


def test_the_average_is_there_only_inside():
    made = network()
    descent = Descent(made, 20, 0.5)
    weights, average = [made.weight.detach().clone()], made.weight.detach().clone()
    for step in range(1, 11):
        descent.step(loss_of(made))
        weights.append(made.weight.detach().clone())
        average = average + (1 - (1 + step) / (10 + step)) * (weights[-1] - average)
    with descent.averaged():
        torch.testing.assert_close(made.weight.detach(), average)
    assert torch.equal(made.weight, weights[-1])


def test_steps_rise_and_fall_to_nothing():
    made = network()
    descent = Descent(made, 50, 1.0)
    rates = []
    for _ in range(50):
        descent.step(loss_of(made))
        rates.append(descent._optimizer.param_groups[0]["lr"])
    assert rates[0] == pytest.approx(1 / 3)
    assert rates.index(max(rates)) == 2
    assert rates[-1] == pytest.approx(1 / 50)
