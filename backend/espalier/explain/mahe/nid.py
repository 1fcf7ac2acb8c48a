"""Neural interaction detection (NID): which inputs meet in the hidden units of a sparse network (Tsang et al., 2018).

A network learns an interaction where its inputs meet, in a first-layer unit. For each unit, the inputs are sorted by
the size of their weights; the strongest two, three, ... of them are candidate interactions, as strong as their
weakest weight times the unit's influence on the output.

Several small networks are read together instead of one larger one. In one unit a pair always outranks the triple that
it is the beginning of; only units that sort their inputs differently let the triple add up, and one sparse network
has few. With one 50-30-10 network as in the paper, 10 x1 x2 x3 comes out as a pair seven times in ten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from espalier.explain.plan import FloatArray

NETWORKS = 8
HIDDEN = (20, 10)
STEPS = 200
LEARNING_RATE = 2e-2
SPARSITY = 1e-3
"""L1 penalty on all weights, for targets of unit variance. Sparse first layers are what makes units readable."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """Inputs that interact, in order, and how strongly."""

    players: tuple[int, ...]
    strength: float


def detect(
    inputs: FloatArray, targets: FloatArray, weights: FloatArray, seed: int, largest: int, most: int | None = None
) -> tuple[Interaction, ...]:
    """The `most` strongest interactions of up to `largest` inputs, none of them contained in a stronger one."""
    return ranked(interaction_strengths(train_networks(inputs, targets, weights, seed), largest), most)


# A host may run its model, and this, where gradients are switched off.
@torch.inference_mode(False)
@torch.enable_grad()
def train_networks(inputs: FloatArray, targets: FloatArray, weights: FloatArray, seed: int) -> list[FloatArray]:
    """The weight matrices of the trained networks, layer by layer: float[networks, inputs, outputs].

    What single inputs explain is taken by a linear connection beside the networks (the main effects of NID), so that
    units are left to interactions. All networks train at once, as one batch of matrices.
    """
    features = torch.from_numpy(inputs - np.average(inputs, axis=0, weights=weights)).float()
    centred = targets - np.average(targets, weights=weights)
    scale = float(np.sqrt(np.average(centred**2, weights=weights))) or 1.0
    wanted = torch.from_numpy(centred / scale).float()
    shares = torch.from_numpy(weights / weights.sum()).float()
    generator = torch.Generator().manual_seed(seed)
    sizes = (inputs.shape[1], *HIDDEN, 1)
    layers = [_uniform((NETWORKS, a, b), (3 / a) ** 0.5, generator) for a, b in pairwise(sizes)]
    offsets = [_uniform((NETWORKS, 1, b), (1 / a) ** 0.5, generator) for a, b in pairwise(sizes)]
    beside = torch.zeros(NETWORKS, sizes[0], 1, requires_grad=True)
    parameters = [*layers, *offsets, beside]
    optimiser = torch.optim.Adam(parameters, lr=LEARNING_RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=LEARNING_RATE, total_steps=STEPS)
    for _ in range(STEPS):
        optimiser.zero_grad()
        # All that reads the inputs, of all networks, is one product; samples come last, where they lie together.
        reading = torch.cat([layers[0], beside], dim=2).mT.flatten(0, 1) @ features.T
        hidden, linear = reading.unflatten(0, (NETWORKS, -1)).split([sizes[1], 1], dim=1)
        hidden = hidden + offsets[0].mT
        for layer, offset in zip(layers[1:], offsets[1:], strict=True):
            hidden = torch.baddbmm(offset.mT, layer.mT, torch.relu(hidden))
        outputs = (hidden + linear)[:, 0]
        loss = ((outputs - wanted) ** 2 @ shares).sum() + SPARSITY * sum(layer.abs().sum() for layer in layers)
        loss.backward()
        optimiser.step()
        schedule.step()
    return [layer.detach().double().numpy() for layer in layers]


def _uniform(shape: tuple[int, ...], bound: float, generator: torch.Generator) -> torch.Tensor:
    """Starting weights from their own generator: a seed fixes the result, and nobody else's random numbers move."""
    return ((torch.rand(shape, generator=generator) * 2 - 1) * bound).requires_grad_()


def interaction_strengths(layers: Sequence[FloatArray], largest: int) -> dict[tuple[int, ...], float]:
    """NID's scores: the smallest |W1| of each prefix times z = |W2| ... |w_out|, summed over units and networks."""
    first, *later = (np.abs(layer) for layer in layers)
    influence = later[-1]
    for layer in reversed(later[:-1]):
        influence = layer @ influence
    order = np.argsort(-first, axis=1, kind="stable")[:, :largest]
    sizes = np.take_along_axis(first, order, axis=1)
    strengths: dict[tuple[int, ...], float] = {}
    networks, _, units = first.shape
    for network in range(networks):
        for unit in range(units):
            for size in range(2, order.shape[1] + 1):
                players = tuple(sorted(order[network, :size, unit].tolist()))
                strength = float(sizes[network, size - 1, unit] * influence[network, unit, 0])
                strengths[players] = strengths.get(players, 0.0) + strength
    return strengths


def ranked(strengths: dict[tuple[int, ...], float], most: int | None = None) -> tuple[Interaction, ...]:
    """Strongest first; a set that a stronger superset contains says nothing new and is left out."""
    kept: list[Interaction] = []
    for players, strength in sorted(strengths.items(), key=lambda item: (-item[1], item[0])):
        if len(kept) == most:
            break
        if strength > 0 and not any(set(players) < set(stronger.players) for stronger in kept):
            kept.append(Interaction(players, strength))
    return tuple(kept)
