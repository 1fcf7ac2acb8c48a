"""Products with weights that are laid out: the same numbers, whatever the company, and the weights can be had back."""

import pytest
import torch
from torch import nn

from espalier.models.families import load_in_full, load_model
from espalier.models.laid_out import LONGEST_SUM, LaidOut, Part, laid_out
from espalier.models.laying_out import lay_out
from espalier.models.sources import source_of
from espalier.text import read

CPU = torch.device("cpu")


def linear(inputs: int, outputs: int, bias: bool = True, seed: int = 0) -> nn.Linear:
    torch.manual_seed(seed)
    return nn.Linear(inputs, outputs, bias=bias)


@pytest.mark.parametrize(("inputs", "outputs"), [(384, 384), (384, 1536), (768, 384), (384, 2), (7, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_a_row_has_the_same_bits_in_any_company_on_any_number_of_threads(inputs, outputs, bias):
    usual = linear(inputs, outputs, bias)
    layer = laid_out(usual)
    assert layer is not None
    rows = torch.randn(520, inputs)
    threads = torch.get_num_threads()
    with torch.inference_mode():
        whole = layer(rows)
        torch.testing.assert_close(whole, usual(rows), atol=1e-4, rtol=1e-4)
        try:
            for number in (1, 2):
                torch.set_num_threads(number)
                for start, end in ((0, 8), (8, 24), (16, 56), (0, 256), (40, 520)):
                    assert torch.equal(layer(rows[start:end].clone()), whole[start:end])
        finally:
            torch.set_num_threads(threads)


def test_weights_come_back_to_the_last_bit_and_gradients_go_through():
    usual = linear(24, 5)
    layer = laid_out(usual)
    assert layer is not None
    assert torch.equal(layer.weight, usual.weight)
    own, other = (torch.linspace(-1, 1, 48).reshape(2, 24).requires_grad_() for _ in range(2))
    layer(own).sum().backward()
    usual(other).sum().backward()
    assert torch.equal(own.grad, other.grad)


def test_what_is_more_than_a_linear_layer_stays():
    class More(nn.Linear):
        def forward(self, rows):
            return super().forward(rows) + 1

    assert laid_out(More(4, 4)) is None
    assert laid_out(linear(4, 4).double()) is None
    assert laid_out(linear(LONGEST_SUM + 1, 4)) is None  # its sums would be less exact than torch's own
    assert laid_out(nn.LayerNorm(4)) is None


class Attention(nn.Module):
    def __init__(self, value_bias: bool = False) -> None:
        super().__init__()
        self.q_proj, self.k_proj = linear(16, 16, bias=False), linear(16, 8, bias=False, seed=1)
        self.v_proj = linear(16, 8, bias=value_bias, seed=2)

    def forward(self, rows):
        return torch.cat([self.q_proj(rows), self.k_proj(rows), self.v_proj(rows)], dim=-1)


def test_layers_that_read_the_same_rows_are_one_product():
    usual, network = Attention(), Attention()
    lay_out(network)
    assert all(isinstance(each, Part) for each in network.children())
    for rows in (torch.randn(8, 16), torch.randn(2, 8, 16)):
        # Twice the same object with other numbers in it: what was computed for the first is not taken for the second.
        for _ in range(2):
            torch.testing.assert_close(network(rows), usual(rows), atol=1e-5, rtol=1e-5)
            rows.mul_(-2)


def test_layers_of_different_kinds_stay_apart():
    network = Attention(value_bias=True)
    lay_out(network)
    assert all(isinstance(each, LaidOut) for each in network.children())


def test_a_model_to_be_asked_is_laid_out_and_one_to_be_changed_is_not(bert_folder):
    source = source_of(str(bert_folder), {})
    plain, asked = load_in_full(source, CPU), load_model(source, CPU)
    kinds = [{type(each) for each in model.network.modules()} for model in (plain, asked)]
    assert nn.Linear in kinds[0]
    assert not kinds[0] & {LaidOut, Part}
    assert nn.Linear not in kinds[1]
    assert kinds[1] >= {LaidOut, Part}
    row = plain.encode(read("A lovely film.")).row()
    torch.testing.assert_close(
        torch.tensor(asked.outputs([row])), torch.tensor(plain.outputs([row])), atol=1e-5, rtol=1e-4
    )
