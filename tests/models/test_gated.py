"""Gated products with weights that are laid out: the same numbers, in any company, and gradients that go through."""

import pytest
import torch
from torch import nn

from espalier.models.gated import Gated, gated
from espalier.models.laid_out import LONGEST_SUM
from espalier.models.laying_out import lay_out


class Products(nn.Module):
    """As the architectures of transformers have them."""

    def __init__(self, inputs: int, between: int, bias: bool = False, act_fn: nn.Module | None = None) -> None:
        super().__init__()
        torch.manual_seed(inputs + between)
        self.gate_proj = nn.Linear(inputs, between, bias=bias)
        self.up_proj = nn.Linear(inputs, between, bias=bias)
        self.down_proj = nn.Linear(between, inputs, bias=bias)
        self.act_fn = act_fn or nn.SiLU()

    def forward(self, rows):
        return self.down_proj(self.act_fn(self.gate_proj(rows)) * self.up_proj(rows))


@pytest.mark.parametrize(("inputs", "between"), [(576, 2 * LONGEST_SUM), (48, 96), (48, LONGEST_SUM + 1), (7, 3)])
def test_a_row_has_the_same_bits_in_any_company_on_any_number_of_threads(inputs, between):
    usual = Products(inputs, between)
    product = gated(usual)
    assert product is not None
    rows, there = torch.randn(520, inputs), torch.randn(520, inputs)
    threads = torch.get_num_threads()
    with torch.inference_mode():
        whole, onto, kept = product(rows), product.onto(there, rows), there.clone()
        torch.testing.assert_close(whole, usual(rows), atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(onto, there + usual(rows), atol=1e-5, rtol=1e-4)
        try:
            for number in (1, 2):
                torch.set_num_threads(number)
                for start, end in ((0, 8), (8, 24), (16, 56), (0, 256), (40, 520)):
                    some = rows[start:end].clone()
                    assert torch.equal(product(some), whole[start:end])
                    assert torch.equal(product.onto(there[start:end].clone(), some), onto[start:end])
        finally:
            torch.set_num_threads(threads)
    assert torch.equal(there, kept)  # what was there already is read, not written


def test_long_sums_are_done_in_pieces():
    products = Products(16, 2 * LONGEST_SUM + 1)
    product = gated(products)
    assert product is not None
    assert [down.to_dense().shape[1] for down in product._downs] == [513, 513, 511]


def test_gradients_go_through():
    usual = Products(24, 40)
    product = gated(usual)
    assert product is not None
    own, other = (torch.linspace(-1, 1, 48).reshape(2, 24).requires_grad_() for _ in range(2))
    product(own).sum().backward()
    usual(other).sum().backward()
    torch.testing.assert_close(own.grad, other.grad, atol=1e-6, rtol=1e-5)


class More(Products):
    """What no part shows: it does more with them."""

    def forward(self, rows):
        return super().forward(rows) + rows


@pytest.mark.parametrize(
    "other",
    [
        lambda: Products(24, 40, bias=True),
        lambda: Products(24, 40, act_fn=nn.GELU()),
        lambda: Products(24, 40).double(),
        lambda: Products(LONGEST_SUM + 1, 40),  # its sums would be less exact than torch's own
        lambda: More(24, 40),
        lambda: nn.Sequential(nn.Linear(4, 4)),
    ],
)
def test_what_is_not_a_gated_product_or_more_than_one_stays(other):
    assert gated(other()) is None


def test_a_network_is_laid_out_with_them():
    network = nn.ModuleDict({"mlp": Products(24, 40), "other": Products(24, 40, act_fn=nn.GELU())})
    lay_out(network)
    assert isinstance(network["mlp"], Gated)
    assert not isinstance(network["other"], Gated)


def test_another_gate_is_seen_however_small_the_weights():
    other = Products(48, 96, act_fn=nn.GELU())
    for weight in other.parameters():
        weight.data.mul_(0.1)
    assert gated(other) is None
