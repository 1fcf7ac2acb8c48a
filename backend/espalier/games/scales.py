"""From a model's scores to values on the scale that the user chose."""

import numpy as np
from numpy.typing import NDArray

from espalier.scale import SCALES, Scale

FloatArray = NDArray[np.float64]

__all__ = ["SCALES", "Scale", "summarise", "to_scale", "value_error"]

STRETCH: dict[Scale, float] = {
    "logit": 1.0,
    "log_probability": 2.0,
    "log_odds": 2.0,
    "probability": 0.5,
    "margin": 1.0,
}
"""By how much a value moves at most when every score moves by at most 1: a logarithm of a sum of exponentials moves no
further than they do, and a probability p by p (1 - p) of what its log-odds do."""

FEW = 8
"""Outcomes that are left out one by one, as a classifier's always were: to add in another order changes last bits."""


def summarise(logits: FloatArray) -> FloatArray:
    """What every scale can be made from: float[m, draws, outcomes] logits to float[m, 3, outcomes].

    Row 0 the mean logit, row 1 the logarithm of the mean probability, row 2 the logarithm of the mean probability of
    *not* being the outcome. Kept as logarithms, so that 1 - p is not lost where p is all but 1.
    """
    logits = np.asarray(logits, dtype=np.float64)
    total = _log_sum(logits, axis=-1)
    inside = logits - total[..., None]
    outside = _others(logits) - total[..., None]
    draws = np.log(logits.shape[1])
    return np.stack([logits.mean(axis=1), _log_sum(inside, axis=1) - draws, _log_sum(outside, axis=1) - draws], axis=1)


def _others(logits: FloatArray) -> FloatArray:
    """For each outcome the logarithm of the sum of all others' exponentials, of the shape of the logits.

    A few are left out one by one. Many are added up from both sides, and each has what is before it and after it: the
    work grows with their number, not with its square, and nothing is subtracted, so nothing is lost.
    """
    size = logits.shape[-1]
    others = np.full_like(logits, -np.inf)
    if 1 < size <= FEW:
        for index in range(size):
            others[..., index] = _log_sum(np.delete(logits, index, axis=-1), axis=-1)
    elif size > FEW:
        before = np.logaddexp.accumulate(logits, axis=-1)
        after = np.logaddexp.accumulate(logits[..., ::-1], axis=-1)[..., ::-1]
        others[..., 1:] = before[..., :-1]
        others[..., :-1] = np.logaddexp(others[..., :-1], after[..., 1:])
    return others


def to_scale(summary: FloatArray, scale: Scale, against: int | None = None) -> FloatArray:
    """Values of all outcomes: float[m, 3, outcomes] to float[m, outcomes].

    Log-odds can be held against one other outcome instead of all others together.
    """
    logit, inside, outside = summary[:, 0], summary[:, 1], summary[:, 2]
    if scale == "logit":
        return logit
    if scale == "log_probability":
        return inside
    if scale == "log_odds":
        return inside - (outside if against is None else inside[:, against, None])
    probability = np.exp(inside)
    if scale == "probability":
        return probability
    ordered = np.sort(probability, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return probability - np.where(probability == best, second, best)


def value_error(score_error: float, scale: Scale) -> float:
    """How far a value is off at most where no score is off by more than `score_error`."""
    return STRETCH[scale] * score_error


def _log_sum(values: FloatArray, axis: int) -> FloatArray:
    highest = values.max(axis=axis, keepdims=True)
    result: FloatArray = np.log(np.exp(values - highest).sum(axis=axis)) + highest.squeeze(axis)
    return result
