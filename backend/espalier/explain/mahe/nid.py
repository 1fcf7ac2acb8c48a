"""Neural interaction detection (NID): which inputs meet in the hidden units of a sparse network (Tsang et al., 2018).

A network learns an interaction where its inputs meet, in a first-layer unit. For each unit, the inputs are sorted by
the size of their weights; the strongest two, three, ... of them are candidate interactions, as strong as their
weakest weight times the unit's influence on the output.

Several small networks are read together instead of one larger one. In one unit a pair always outranks the triple that
it is the beginning of; only units that sort their inputs differently let the triple add up, and one sparse network
has few. With one 50-30-10 network as in the paper, 10 x1 x2 x3 comes out as a pair seven times in ten.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import FloatArray

FloatArray32 = NDArray[np.float32]

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


def train_networks(inputs: FloatArray, targets: FloatArray, weights: FloatArray, seed: int) -> list[FloatArray]:
    """The weight matrices of the trained networks, layer by layer: float[networks, inputs, outputs].

    What single inputs explain is taken by a linear connection beside the networks (the main effects of NID), so that
    units are left to interactions. All networks train at once, as one batch of matrices with the samples in the last
    place; the gradient is written out, since for matrices this small keeping a record of it costs more than it.
    """
    features = (inputs - np.average(inputs, axis=0, weights=weights)).astype(np.float32)
    centred = targets - np.average(targets, weights=weights)
    scale = float(np.sqrt(np.average(centred**2, weights=weights))) or 1.0
    wanted = (centred / scale).astype(np.float32)
    shares = (2 * weights / weights.sum()).astype(np.float32)
    generator = np.random.default_rng(seed)
    sizes = (inputs.shape[1], *HIDDEN, 1)
    layers = [_uniform((NETWORKS, b, a), (3 / a) ** 0.5, generator) for a, b in pairwise(sizes)]
    offsets = [_uniform((NETWORKS, b, 1), (1 / a) ** 0.5, generator) for a, b in pairwise(sizes)]
    beside = np.zeros((NETWORKS, sizes[0]), dtype=np.float32)
    descent = Descent([*layers, *offsets, beside])
    for step in range(STEPS):
        # All that reads the inputs, of all networks, is one product.
        reading = np.concatenate([layers[0].reshape(-1, sizes[0]), beside]) @ features.T
        hidden = reading[:-NETWORKS].reshape(NETWORKS, sizes[1], -1)
        seen = []
        for offset, following in zip(offsets, [*layers[1:], None], strict=True):
            hidden += offset
            if following is not None:
                seen.append(np.maximum(hidden, 0, out=hidden))
                hidden = following @ hidden
        slope = (hidden[:, 0] + reading[-NETWORKS:] - wanted) * shares
        back, by_layer, by_offset = slope[:, None], [], []
        for layer, before in zip(layers[:0:-1], seen[::-1], strict=True):
            by_layer.append(back @ before.swapaxes(1, 2))
            by_offset.append(back.sum(axis=2, keepdims=True))
            back = layer.swapaxes(1, 2) @ back
            back *= before > 0
        by_layer.append((back.reshape(-1, len(features)) @ features).reshape(layers[0].shape))
        by_offset.append(back.sum(axis=2, keepdims=True))
        for gradient, layer in zip(by_layer, layers[::-1], strict=True):
            gradient += SPARSITY * np.sign(layer)
        descent.step([*by_layer[::-1], *by_offset[::-1], slope @ features], _pace(step))
    return [layer.swapaxes(1, 2).astype(np.float64) for layer in layers]


class Descent:
    """Adam (Kingma & Ba, 2015) on arrays, in place."""

    def __init__(self, parameters: Sequence[FloatArray32]) -> None:
        self._parameters = parameters
        self._means = [np.zeros_like(each) for each in parameters]
        self._squares = [np.zeros_like(each) for each in parameters]
        self._steps = 0

    def step(self, gradients: Sequence[FloatArray32], rate: float) -> None:
        self._steps += 1
        first, second = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for each, gradient, mean, square in zip(self._parameters, gradients, self._means, self._squares, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            each -= rate / first * mean / (np.sqrt(square / second) + 1e-8)


def _pace(step: int) -> float:
    """The learning rate: up for a third of the way, then down to nothing, along half cosines."""
    done = step / STEPS
    share = done / 0.3 if done < 0.3 else (1 - done) / 0.7
    return LEARNING_RATE * (0.04 + 0.96 * (1 - math.cos(math.pi * share)) / 2)


def _uniform(shape: tuple[int, ...], bound: float, generator: np.random.Generator) -> FloatArray32:
    return generator.uniform(-bound, bound, shape).astype(np.float32)


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
