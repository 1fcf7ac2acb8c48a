"""Small networks of a few inputs that learn what a linear part leaves over (MAHE, Eq. 3): one for each point, all of
them trained at once as one batch of matrices."""

from itertools import pairwise

import numpy as np

from espalier.explain.plan import FloatArray

HIDDEN = (30, 10)
"""The paper's units."""

PENALTY = 1e-5
"""The paper's on squared weights, for targets of unit variance."""

STARTS = 3
"""Networks of each point, of which the best on what is not taught is asked: now and then one does not get going."""

STEPS, RATE = 600, 1e-2
TRAINED, VALIDATED = 0.8, 0.1
"""Shares of the sample, as in the paper; its last tenth tests what we test on places of our own."""

LOOK = 25
"""Steps between two looks at the error on what is not taught: the best of them is kept (early stopping)."""


def surfaces(inputs: FloatArray, leftovers: FloatArray, asked: FloatArray, seed: int) -> FloatArray:
    """float[points, samples, inputs] and float[points, samples] are learnt; float[points, places] is said of float[
    points, places, inputs]."""
    import torch  # seconds to import

    points, samples, size = len(inputs) * STARTS, *inputs.shape[1:]
    inputs, leftovers, asked = (np.repeat(each, STARTS, axis=0) for each in (inputs, leftovers, asked))
    scale = leftovers.std(axis=1, keepdims=True)
    scale[scale == 0] = 1.0
    given, wanted, places = (torch.as_tensor(each, dtype=torch.float32) for each in (inputs, leftovers / scale, asked))
    first, second = int(TRAINED * samples), int((TRAINED + VALIDATED) * samples)
    generator = torch.Generator().manual_seed(seed)
    sizes = (size, *HIDDEN, 1)
    weights = [(torch.rand(points, a, b, generator=generator) * 2 - 1) * (3 / a) ** 0.5 for a, b in pairwise(sizes)]
    offsets = [(torch.rand(points, 1, b, generator=generator) * 2 - 1) * 0.5 for b in sizes[1:]]
    parameters = [each.requires_grad_() for each in (*weights, *offsets)]

    def said(of: torch.Tensor) -> torch.Tensor:
        hidden = of
        for layer, (weight, offset) in enumerate(zip(weights, offsets, strict=True)):
            hidden = torch.baddbmm(offset, hidden, weight)
            if layer < len(HIDDEN):
                hidden = hidden.relu()
        return hidden[:, :, 0]

    descent = torch.optim.Adam(parameters, lr=RATE)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(descent, STEPS)
    best = torch.full((points,), torch.inf)
    kept = torch.zeros(points, places.shape[1])
    for step in range(STEPS + 1):
        if step % LOOK == 0:
            with torch.no_grad():
                error = ((said(given[:, first:second]) - wanted[:, first:second]) ** 2).mean(dim=1)
                better = error < best
                best, kept = torch.where(better, error, best), torch.where(better[:, None], said(places), kept)
        if step == STEPS:
            break
        gap = ((said(given[:, :first]) - wanted[:, :first]) ** 2).mean(dim=1).sum()
        loss = gap + PENALTY * sum((each**2).sum() for each in weights)
        descent.zero_grad()
        loss.backward()
        descent.step()
        pace.step()
    chosen = best.reshape(-1, STARTS).argmin(dim=1) + STARTS * torch.arange(points // STARTS)
    return np.asarray((kept.double().numpy() * scale)[chosen.numpy()])
