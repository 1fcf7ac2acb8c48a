"""From rows to a verdict: paired by sentence where it can be, corrected for there being so many claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.verdicts.claims import Claim, Side
from espalier.lab.matrix import Column
from espalier.measure.curves import PERCENTS
from espalier.measure.registry import measure
from espalier.statistics.bootstrap import DRAWS, interval
from espalier.statistics.documents import MeanInterval
from espalier.statistics.means import mean_intervals, resampled_means, sign_flips
from espalier.statistics.paired import holm
from espalier.statistics.permutations import larger_mean

FloatArray = NDArray[np.float64]

Columns = Mapping[tuple[str, str], Column]
"""By model and method."""

Verdict = Literal["held", "did not hold", "undecided", "not measured"]
SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Judged:
    claim: Claim
    verdict: Verdict
    first: float | None = None
    second: float | None = None
    difference: MeanInterval | None = None
    corrected: float | None = None


def judged(claims: Sequence[Claim], columns: Columns, seed: int = 0) -> list[Judged]:
    """Held: better as claimed, at 5 % after Holm over all claims. Did not hold: worse, by the same rule."""
    pairs = [_values(claim, columns) for claim in claims]
    measured = [index for index, pair in enumerate(pairs) if min(len(pair[0]), len(pair[1])) > 1]
    p = [_p(claims[index], *pairs[index], seed) for index in measured]
    corrected = dict(zip(measured, holm(p), strict=True))
    found = []
    for index, (claim, (first, second)) in enumerate(zip(claims, pairs, strict=True)):
        if index not in corrected:
            found.append(Judged(claim, "not measured"))
            continue
        difference = _difference(claim, first, second, seed)
        sign = 1 if (claim.better or measure(claim.measure).kind.better) == "higher" else -1
        better = sign * (difference.mean or 0.0) > 0
        verdict: Verdict = "undecided"
        if corrected[index] < SIGNIFICANT:
            verdict = "held" if better else "did not hold"
        means = float(first.mean()), float(second.mean())
        found.append(Judged(claim, verdict, *means, difference, corrected[index]))
    return found


def _p(claim: Claim, first: FloatArray, second: FloatArray, seed: int) -> float:
    """Two-sided."""
    if claim.test == "paired":
        return sign_flips((first - second)[:, None], seed)[0]
    return min(1.0, 2 * min(larger_mean(first, second, seed), larger_mean(second, first, seed)))


def _difference(claim: Claim, first: FloatArray, second: FloatArray, seed: int) -> MeanInterval:
    if claim.test == "paired":
        return mean_intervals((first - second)[:, None], seed)[0]
    draws = [resampled_means(side[:, None], seed + at, DRAWS)[:, 0] for at, side in enumerate((first, second))]
    low, high = interval(draws[0] - draws[1])
    return MeanInterval(mean=float(first.mean() - second.mean()), low=low, high=high, n=len(first) + len(second))


def _values(claim: Claim, columns: Columns) -> tuple[FloatArray, FloatArray]:
    sides = [_column(claim, side, columns) for side in (claim.first, claim.second)]
    if sides[0] is None or sides[1] is None:
        return np.empty(0), np.empty(0)
    if claim.test == "unpaired":
        return sides[0][~np.isnan(sides[0])], sides[1][~np.isnan(sides[1])]
    both = ~np.isnan(sides[0]) & ~np.isnan(sides[1])
    return sides[0][both], sides[1][both]


def _column(claim: Claim, side: Side, columns: Columns) -> FloatArray | None:
    column = columns.get((side.model, side.method))
    if column is None or claim.measure not in column.values:
        return None
    if claim.percent is not None and claim.measure in column.curves:
        return np.asarray(column.curves[claim.measure][:, PERCENTS.index(claim.percent)])
    return column.values[claim.measure]
