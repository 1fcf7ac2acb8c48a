"""Matrix products with weights that are laid out once.

A processor multiplies fastest by weights in blocks that suit its registers. torch's usual product lays them out anew
every time, which is most of the work where rows are few: the last new nodes of a trie, a short text. oneDNN, which is
inside torch, can be given weights that are laid out already. On two cores its products are 1.2 times as fast for 256
rows, 1.4 times for 80 and nearly twice for 16. It also has fewer ways to add up: from two rows on, a row's numbers are
the same bits in any company and on any number of threads (see `models.batches`).

Layers that read the same rows one after the other, such as the three that make an attention's queries, keys and values,
are one product: narrow ones do not keep two cores busy. Which layers of a network are laid out, and how, `laying_out`
says.

Only the laid-out weights are kept. Whoever needs them as they were, to compute gradients, gets a copy back, which is
the same to the last bit.
"""

from collections.abc import Sequence
from typing import TypeGuard

import torch
from torch import nn

ROWS = 256
"""Rows that the blocks are chosen for. Any number can be multiplied."""

PROBE = 16
"""Rows of a product that is compared with the usual one before it takes its place."""

CLOSE = 1e-4
"""How far the two may be apart, of the largest number: single precision adds up in another order, no more."""


LONGEST_SUM = 768
"""Inputs of a layer, at most. oneDNN adds up in one go, torch's usual product in pieces: of 576 numbers its rounding is
1.5 times as large, of 1,536 twice, and single precision is all that a small language model's log-odds can spare."""


class LaidOut(nn.Module):
    """In the place of a linear layer, or of several with one input after the other."""

    def __init__(self, layers: Sequence[nn.Linear]) -> None:
        super().__init__()
        weights, biases = [layer.weight.detach() for layer in layers], [layer.bias for layer in layers]
        self.bias = None if biases[0] is None else torch.cat([bias.detach() for bias in biases])
        self._weight: torch.Tensor = torch.ops.mkldnn._reorder_linear_weight(torch.cat(weights), ROWS)

    @property
    def weight(self) -> torch.Tensor:
        """As it was, a copy each time."""
        return self._weight.to_dense()

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        if rows.requires_grad and torch.is_grad_enabled():
            # Gradients are not known of the other product.
            return nn.functional.linear(rows, self.weight, self.bias)
        found: torch.Tensor = torch.ops.mkldnn._linear_pointwise(rows, self._weight, self.bias, "none", [], "")
        return found

    def onto(self, found: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """What it says of rows, added to what is there already, in one go."""
        return torch.ops.mkldnn._linear_pointwise.binary(rows, found, self._weight, self.bias, "add")


class Shared:
    """One product for several layers: the first that is asked about rows computes it for all of them."""

    def __init__(self, product: LaidOut, sizes: Sequence[int]) -> None:
        self._product, self._sizes = product, list(sizes)
        self._rows: torch.Tensor | None = None
        self._found: tuple[torch.Tensor, ...] = ()

    def part(self, index: int, rows: torch.Tensor) -> torch.Tensor:
        if rows is not self._rows:
            self._found = self._product(rows).split(self._sizes, dim=-1)
            self._rows = rows
        found = self._found[index]
        if index == len(self._sizes) - 1:
            self._rows, self._found = None, ()  # nobody asks again, and memory is dear
        return found


class Part(nn.Module):
    """In the place of one of several linear layers that read the same rows."""

    def __init__(self, shared: Shared, index: int, product: LaidOut) -> None:
        super().__init__()
        self._shared, self._index = shared, index
        self.product = product

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return self._shared.part(self._index, rows)


def is_plain(layer: nn.Module, longest: float = LONGEST_SUM) -> TypeGuard[nn.Linear]:
    """Not what is derived from a linear layer: that may do more. Nor one with longer sums."""
    if type(layer) is not nn.Linear or layer.in_features > longest:
        return False
    return layer.weight.device.type == "cpu" and layer.weight.dtype == torch.float32


@torch.no_grad()
def laid_out(*layers: nn.Module) -> LaidOut | None:
    """Layers with their weights laid out; nothing where that cannot be done, or gives something else."""
    plain = [layer for layer in layers if is_plain(layer)]
    if len(plain) < len(layers):
        return None
    rows = torch.linspace(-1, 1, PROBE * plain[0].in_features).reshape(PROBE, -1)
    try:
        made = LaidOut(plain)
        own = made(rows)
    except (RuntimeError, AttributeError):  # a torch without oneDNN, or with another one
        return None
    usual = torch.cat([layer(rows) for layer in plain], dim=-1)
    apart = float((own - usual).abs().max())
    return made if apart <= CLOSE * max(1.0, float(usual.abs().max())) else None
