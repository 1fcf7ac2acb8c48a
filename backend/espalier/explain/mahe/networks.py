"""Terms of a level as small networks, one for each interaction: the paper's own way to fit them."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from espalier.explain.mahe.terms import Basis, all_cells
from espalier.explain.plan import BoolArray, FloatArray

HIDDEN = (30, 10)
WEIGHT_DECAY = 1e-5
"""Sizes and penalty of the term networks: section 5.1 of the paper."""


# A host may run its model, and this, where gradients are switched off.
@torch.inference_mode(False)
@torch.enable_grad()
def fit_networks(
    basis: Basis, coalitions: BoolArray, leftover: FloatArray, weights: FloatArray, seed: int
) -> FloatArray:
    """The same coefficients from one small network for each interaction, trained together as in the paper.

    A network only ever sees the 2^k cells of its words, so it is run on those alone. And the squared error over all
    rows is a quadratic form in the outputs for the cells: the rows are summed up once, before training.
    """
    scale = float(np.sqrt(np.average(leftover**2, weights=weights))) or 1.0
    shares = weights / weights.sum()
    columns = [np.ones((len(coalitions), 1)), coalitions[:, basis.words]]
    for players in basis.interactions:
        cell = coalitions[:, players] @ (1 << np.arange(len(players))[::-1])
        columns.append(np.eye(2 ** len(players))[cell])
    design = np.concatenate(columns, axis=1)
    gram = torch.from_numpy(design.T @ (design * shares[:, None]))
    moment = torch.from_numpy(design.T @ (shares * leftover / scale))
    generator = torch.Generator().manual_seed(seed)
    networks = [TermNetwork.draw(len(players), generator) for players in basis.interactions]
    linear = torch.zeros(1 + len(basis.words), dtype=torch.float64, requires_grad=True)
    parameters = [parameter for network in networks for parameter in network.parameters]
    optimiser = torch.optim.LBFGS(
        [linear, *parameters], max_iter=300, history_size=20, tolerance_change=1e-12, line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        outputs = torch.cat([linear, *(network.outputs() for network in networks)])
        penalty = torch.stack([(parameter**2).sum() for parameter in parameters]).sum()
        total = outputs @ (gram @ outputs) - 2 * moment @ outputs + WEIGHT_DECAY * penalty
        total.backward()
        return total

    optimiser.step(loss)
    tables = [network.outputs().detach().numpy() * scale for network in networks]
    bias, *corrections = (linear.detach().numpy() * scale).tolist()
    return basis.coefficients(bias, np.array(corrections), tables)


@dataclass(frozen=True, slots=True)
class TermNetwork:
    """A smooth 30-10 network on the presences of a few words."""

    cells: torch.Tensor
    parameters: list[torch.Tensor]

    @classmethod
    def draw(cls, words: int, generator: torch.Generator) -> "TermNetwork":
        """Weights from the given generator: a seed fixes the result, and nobody else's random numbers move."""
        parameters = []
        for inputs, outputs in pairwise((words, *HIDDEN, 1)):
            weights = torch.rand((inputs, outputs), generator=generator, dtype=torch.float64) * 2 - 1
            parameters += [weights * (3 / inputs) ** 0.5, torch.zeros(outputs, dtype=torch.float64)]
        cells = torch.tensor(all_cells(words), dtype=torch.float64)
        return cls(cells, [parameter.requires_grad_() for parameter in parameters])

    def outputs(self) -> torch.Tensor:
        """One number for each cell."""
        hidden = self.cells
        *layers, last = zip(self.parameters[::2], self.parameters[1::2], strict=True)
        for weights, offsets in layers:
            hidden = torch.tanh(hidden @ weights + offsets)
        return (hidden @ last[0] + last[1])[:, 0]
