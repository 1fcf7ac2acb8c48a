"""What the thesis says, as numbers with intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.sections import Row
from benchmarks.thesis.measured import Explained
from espalier.statistics.bootstrap import interval, item_bootstrap

LAST = (1, 2, 5)
ZERO = 1e-9
FIVE_DIGITS = 5e-6
"""Below it a value is printed as zero in the thesis' tables."""
SURE = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over passages with its 95 % interval."""

    mean: float
    low: float
    high: float
    of: int

    def __str__(self) -> str:
        return "" if self.of == 0 else f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"


def estimate(each: Sequence[float]) -> Estimate:
    values = np.asarray(each, dtype=np.float64)
    if len(values) == 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    low, high = interval(item_bootstrap(values, np.ones(len(values)), seed=0))
    return Estimate(float(values.mean()), low, high, len(values))


def share_of_last(values: Sequence[float], last: int) -> float:
    sizes = np.abs(values)
    return float(sizes[-last:].sum() / sizes.sum())


def squares_of_last(values: Sequence[float], errors: Sequence[float], last: int) -> float:
    """The share of squared value. What noise adds to a square is its variance, which is known and taken off: so the
    share does not hang on the budget."""
    squares = np.square(values) - np.square(errors)
    return float(np.clip(squares[-last:].sum() / max(squares.sum(), 1e-12), 0, 1))


def zeros(values: Sequence[float], up_to: float = ZERO) -> float:
    return float((np.abs(values) <= up_to).mean())


def zeros_left_out(found: Sequence[Explained], up_to: float = ZERO) -> Estimate:
    return estimate([zeros(each.left_out, up_to) for each in found if each.left_out])


def unsure(values: Sequence[float], errors: Sequence[float]) -> float:
    return float((np.abs(values) <= SURE * np.asarray(errors)).mean())


Claim = tuple[str, Callable[[Sequence[Explained]], Estimate]]


def _wrong(found: Sequence[Explained]) -> list[Explained]:
    """Passages where another word came than the likeliest one, and its values are known."""
    return [each for each in found if not each.right and each.real]


CLAIMS: tuple[Claim, ...] = (
    *(
        (
            f"share of absolute value on the last {last} of 35 words",
            lambda found, last=last: estimate([share_of_last(each.predicted, last) for each in found]),  # type: ignore[misc]
        )
        for last in LAST
    ),
    (
        "share of squared value on the last 2, noise taken off",
        lambda found: estimate([squares_of_last(each.predicted, each.predicted_errors, 2) for each in found]),
    ),
    (
        "the last word has the largest absolute value of all",
        lambda found: estimate([float(np.argmax(np.abs(each.predicted)) == len(each.predicted) - 1) for each in found]),
    ),
    ("SHAP values that are exactly zero (sampled)", lambda found: estimate([zeros(each.predicted) for each in found])),
    ("one word left out: values that are exactly zero (no sampling)", zeros_left_out),
    (
        "… that five digits print as zero",
        lambda found: zeros_left_out(found, FIVE_DIGITS),
    ),
    (
        "values that cannot be told from zero",
        lambda found: estimate([unsure(each.predicted, each.predicted_errors) for each in found]),
    ),
    (
        "the word that came was the likeliest, or began with it",
        lambda found: estimate([float(each.right) for each in found]),
    ),
    (
        "where it was not: value of the last word for the predicted word",
        lambda found: estimate([each.predicted[-1] for each in _wrong(found)]),
    ),
    (
        "… and for the real word",
        lambda found: estimate([each.real[-1] for each in _wrong(found)]),
    ),
    (
        "… how often it speaks against the real word",
        lambda found: estimate([float(each.real[-1] < 0) for each in _wrong(found)]),
    ),
    (
        "… share of the last two words in the real word's values",
        lambda found: estimate([share_of_last(each.real, 2) for each in _wrong(found)]),
    ),
)


def table(found: dict[str, list[Explained]]) -> list[Row]:
    return [(name, *(str(measure(each)) for each in found.values())) for name, measure in CLAIMS]
