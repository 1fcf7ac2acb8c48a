"""Value scales: what a method's numbers are measured in. The scale is said in every result."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Scale = Literal["probability", "log_probability", "log_odds", "margin", "logit"]

SCALES: dict[Scale, str] = {
    "probability": "The class's probability, 0 to 1.",
    "log_probability": "The logarithm of the class's probability.",
    "log_odds": "The logarithm of the class's odds: 0 is even, adds up over independent evidence.",
    "margin": "The class's probability minus that of the best other class.",
    "logit": "The model's raw score for the class, before it is made a probability.",
}


def summarise(logits: FloatArray) -> FloatArray:
    """What every scale can be made from: float[m, draws, classes] logits to float[m, 3, classes].

    Row 0 the mean logit, row 1 the logarithm of the mean probability, row 2 the logarithm of the mean probability of
    *not* being the class. Kept as logarithms, so that 1 - p is not lost where p is all but 1.
    """
    logits = np.asarray(logits, dtype=np.float64)
    classes = logits.shape[-1]
    total = _log_sum(logits, axis=-1)
    inside = logits - total[..., None]
    outside = np.empty_like(logits)
    for index in range(classes):
        others = np.delete(logits, index, axis=-1)
        outside[..., index] = _log_sum(others, axis=-1) - total if classes > 1 else -np.inf
    draws = np.log(logits.shape[1])
    return np.stack([logits.mean(axis=1), _log_sum(inside, axis=1) - draws, _log_sum(outside, axis=1) - draws], axis=1)


def to_scale(summary: FloatArray, scale: Scale) -> FloatArray:
    """Values of all classes: float[m, 3, classes] to float[m, classes]."""
    logit, inside, outside = summary[:, 0], summary[:, 1], summary[:, 2]
    if scale == "logit":
        return logit
    if scale == "log_probability":
        return inside
    if scale == "log_odds":
        return inside - outside
    probability = np.exp(inside)
    if scale == "probability":
        return probability
    ordered = np.sort(probability, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return probability - np.where(probability == best, second, best)


def _log_sum(values: FloatArray, axis: int) -> FloatArray:
    highest = values.max(axis=axis, keepdims=True)
    result: FloatArray = np.log(np.exp(values - highest).sum(axis=axis)) + highest.squeeze(axis)
    return result
