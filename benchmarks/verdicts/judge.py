"""From numbers to a verdict, corrected for there being so many claims of a paper."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.verdicts.claims import Claim, Side
from benchmarks.verdicts.evidence import Evidence, Outcome
from espalier.measure.curves import PERCENTS
from espalier.measure.registry import measure
from espalier.statistics.bootstrap import DRAWS, bootstrap_p, interval
from espalier.statistics.documents import MeanInterval
from espalier.statistics.means import mean_intervals, resampled_means, sign_flips
from espalier.statistics.paired import holm
from espalier.statistics.permutations import larger_mean
from espalier.statistics.shares import more_than_half

FloatArray = NDArray[np.float64]

Verdict = Literal["held", "did not hold", "undecided", "not measured"]
SIGNIFICANT = 0.05

FEWEST = 5
"""Texts below which nothing is said."""

FEWEST_DRAWN = 20
"""Texts below which a bootstrap's tails are not to be trusted: p is 1 then."""


@dataclass(frozen=True, slots=True)
class Judged:
    claim: Claim
    verdict: Verdict
    outcome: Outcome | None = None
    left_out: int = 0
    """Texts without a number for both sides."""
    corrected: float | None = None
    """By Holm, over the paper's claims."""


def judged(claims: Sequence[Claim], evidence: Evidence, seed: int = 0) -> list[Judged]:
    """Held: better as claimed, at 5 % after Holm over the paper's claims. Did not hold: worse, by the same rule."""
    found = [_measured(claim, evidence, seed) for claim in claims]
    return corrected(found, [claim.family for claim in claims])


def corrected(found: Sequence[Judged], families: Sequence[str]) -> list[Judged]:
    """With verdicts, each family corrected for by itself."""
    members: dict[str, list[int]] = defaultdict(list)
    for index, family in enumerate(families):
        if found[index].outcome is not None:
            members[family].append(index)
    made = list(found)
    for indices in members.values():
        p = holm([outcome.p for index in indices if (outcome := found[index].outcome) is not None])
        for index, each in zip(indices, p, strict=True):
            made[index] = replace(found[index], corrected=each, verdict=_verdict(found[index], each))
    return made


def _verdict(each: Judged, p: float) -> Verdict:
    if p >= SIGNIFICANT or each.outcome is None:
        return "undecided"
    sign = 1 if (each.claim.better or measure(each.claim.measure).kind.better) == "higher" else -1
    return "held" if sign * (each.outcome.difference.mean or 0.0) > 0 else "did not hold"


def _measured(claim: Claim, evidence: Evidence, seed: int) -> Judged:
    if claim.test == "own":
        outcome = evidence.outcomes.get((claim.first.model, claim.measure))
        return Judged(claim, "not measured" if outcome is None else "undecided", outcome)
    first, second, left_out = _values(claim, evidence)
    if min(len(first), len(second)) < FEWEST:
        return Judged(claim, "not measured", None, left_out)
    difference = _difference(claim, first, second, seed)
    outcome = Outcome(float(first.mean()), float(second.mean()), difference, _p(claim, first, second, seed))
    return Judged(claim, "undecided", outcome, left_out)


def _p(claim: Claim, first: FloatArray, second: FloatArray, seed: int) -> float:
    """Two-sided."""
    if claim.test == "unpaired":
        return min(1.0, 2 * min(larger_mean(first, second, seed), larger_mean(second, first, seed)))
    if claim.test == "half":
        return more_than_half(int(first.sum()), len(first)).exact_two_sided or 0.0
    if claim.test == "constant":
        if len(first) < FEWEST_DRAWN:
            return 1.0
        return bootstrap_p(resampled_means((first - second)[:, None], seed, DRAWS)[:, 0])
    return sign_flips((first - second)[:, None], seed)[0]


def _difference(claim: Claim, first: FloatArray, second: FloatArray, seed: int) -> MeanInterval:
    if claim.test != "unpaired":
        return mean_intervals((first - second)[:, None], seed)[0]
    draws = [resampled_means(side[:, None], seed + at, DRAWS)[:, 0] for at, side in enumerate((first, second))]
    low, high = interval(draws[0] - draws[1])
    return MeanInterval(mean=float(first.mean() - second.mean()), low=low, high=high, n=len(first) + len(second))


def _values(claim: Claim, evidence: Evidence) -> tuple[FloatArray, FloatArray, int]:
    """Of both sides, and how many texts are left out."""
    sides = [_column(claim, side, evidence) for side in (claim.first, claim.second)]
    if sides[0] is None or sides[1] is None:
        return np.empty(0), np.empty(0), 0
    there = [~np.isnan(side) for side in sides if side is not None]
    if claim.test == "unpaired":
        return sides[0][there[0]], sides[1][there[1]], int(sum((~each).sum() for each in there))
    both = there[0] & there[1]
    return sides[0][both], sides[1][both], int((~both).sum())


def _column(claim: Claim, side: Side, evidence: Evidence) -> FloatArray | None:
    column = evidence.columns.get((side.model, side.line))
    if column is None or claim.measure not in column.values:
        return None
    if claim.percent is not None and claim.measure in column.curves:
        return np.asarray(column.curves[claim.measure][:, PERCENTS.index(claim.percent)], dtype=np.float64)
    return np.asarray(column.values[claim.measure], dtype=np.float64)
