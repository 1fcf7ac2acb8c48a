"""Indices of all players and pairs from one draw of coalitions, with standard errors.

A fitted model of the game gives each index in closed form; what the model misses on the evaluated coalitions corrects
it, each size scaled up to all coalitions of that size. The correction is measured on coalitions the model was not
fitted to, so the estimate is right on average whatever the model misses: the pairs are split into folds, the model of
a fold is fitted to the others, and the estimates of all folds are averaged. A training pair counts once; the held-out
ones of its stratum stand for all the rest. When every coalition is there, the sums are exact and no model is fitted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from espalier.explain.coalitions.draw import Draw
from espalier.explain.coalitions.prior import Prior, involvements
from espalier.explain.coalitions.surrogate import Surrogate, model_pairs, model_players
from espalier.explain.coalitions.tuning import tuned
from espalier.explain.coalitions.weights import PairIndex, PlayerIndex, pair_response, player_response
from espalier.explain.plan import BoolArray, FloatArray

MOST_USABLE = 2304
"""Pairs that are fitted at most. A fit's time grows with their cube; the pairs beyond them still correct it."""

FOLDS = 20
"""So that a model of a fold has seen nearly all pairs. They share most of the work."""

TUNING_PAIRS = 250
"""Pairs that say what is to be expected of terms, or two for each player: it belongs to the game, not to the budget."""

BORROWED = 20
"""A stratum's own deviations for a pair of players are few, so as many of the stratum's average are added to them."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """An index for each player, or for each arrow j -> i as [j, i], and its standard error (0 where it is exact)."""

    values: FloatArray
    errors: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a draw's values say about any index, by pair p and side (0 the smaller coalition, 1 its complement).

    `remainder[side, p]` is what the model misses, scaled up to the coalitions it stands for; `missed[side, p]` the same
    before scaling, by models that were not fitted to the pair. `strengths[low, p]`, `linear` and `priors[low]` are the
    model.
    """

    draw: Draw
    remainder: FloatArray
    missed: FloatArray
    strengths: FloatArray
    linear: FloatArray
    priors: Sequence[Prior]


def weigh(draw: Draw, values: FloatArray, odd_only: bool = False) -> Evidence:
    """Fit and correct. `values[side, p]` is the game's value of a side of pair p.

    An index that changes its sign when all coalitions are replaced by their complements, as the Shapley value does, has
    no use for the even part: `odd_only` leaves it unfitted.
    """
    pairs = len(draw.strata)
    strengths, linear = np.zeros((2, pairs)), np.zeros(draw.size)
    priors = [Prior.of(np.ones(draw.size), low) for low in (0, 1)]
    if draw.complete:
        return Evidence(draw, values, np.zeros_like(values), strengths, linear, priors)
    unfinished = ~draw.exhausted
    folds = min(FOLDS, int(draw.taken[unfinished].min()))
    # Exhausted strata have nothing left to stand for: they are never held out.
    fold_of = np.where(unfinished[draw.strata], draw.ranks % folds, folds)
    usable, tuning = _first(draw, MOST_USABLE), _first(draw, max(TUNING_PAIRS, 2 * draw.size))
    unseen = (fold_of[:, None] == np.arange(folds)) | ~usable[:, None]
    stands_for = _stands_for(draw, unseen)
    involvement = involvements(draw.members[usable], (values[0] - values[1])[usable])
    tuning_signs = np.where(draw.members[tuning], 1.0, -1.0)
    remainder, missed = np.zeros_like(values), np.zeros_like(values)
    for low, sign in ((1, -1.0),) if odd_only else ((0, 1.0), (1, -1.0)):
        # The even part enters both sides of a pair alike, the odd one with opposite signs.
        part = (values[0] + sign * values[1]) / 2
        sides = np.array([[1.0], [sign]])
        prior = priors[low] = tuned(Prior.of(involvement, low), tuning_signs, part[tuning])
        crossed = Surrogate.of(draw.members, usable, prior).cross(part, fold_of, folds)
        remainder += sides * (crossed.left * stands_for).mean(axis=1)
        missed += sides * (crossed.left * unseen).sum(axis=1) / np.maximum(unseen.sum(axis=1), 1)
        strengths[low] = crossed.strengths.mean(axis=1)
        if low == 1:
            linear = crossed.free.mean(axis=1)
    return Evidence(draw, remainder, missed, strengths, linear, priors)


def _first(draw: Draw, count: int) -> BoolArray:
    """The pairs drawn first, evenly over the strata, up to `count` of them."""
    chosen = np.zeros(len(draw.ranks), dtype=bool)
    chosen[np.argsort(draw.ranks, kind="stable")[:count]] = True
    return chosen


def _stands_for(draw: Draw, unseen: BoolArray) -> FloatArray:
    """How many pairs of its stratum each pair stands for, in each fold: itself where the model has seen it, and
    together with the other unseen ones all that it has not seen."""
    held = np.zeros((len(draw.taken), unseen.shape[1]))
    np.add.at(held, draw.strata, unseen)
    scale = ((draw.population - draw.taken)[:, None] + held) / np.maximum(held, 1)
    return np.where(unseen, scale[draw.strata], 1.0)


def player_estimate(evidence: Evidence, index: PlayerIndex) -> Estimate:
    """The index of every player."""
    draw, signs = evidence.draw, np.where(evidence.draw.members, 1.0, -1.0)
    values = _player_sums(draw, index, evidence.remainder)
    outside, inside = player_response(index, 1)
    values += inside * evidence.linear + outside * (evidence.linear.sum() - evidence.linear)
    for low in (0, 1):
        values += model_players(index, evidence.priors[low], signs, evidence.strengths[low])
    variance = np.zeros(draw.size)
    for part, missed, factor in _unfinished(evidence):
        size, count = int(part.strata[0]), len(part.strata)
        own = _player_sums(part, index, missed, squared=True) - _player_sums(part, index, missed) ** 2 / count
        average = sum(
            comb(draw.size - 1, size - a)
            / comb(draw.size, size)
            * np.square(_player_weights(part, index, missed, a)).sum()
            for a in (0, 1)
        )
        variance += factor * _with_borrowed(own, float(average), count)
    return Estimate(values, np.sqrt(variance))


def pair_estimate(evidence: Evidence, index: PairIndex) -> Estimate:
    """The index of every arrow, [j, i] for j -> i, zero on the diagonal."""
    draw, linear = evidence.draw, evidence.linear
    signs = np.where(draw.members, 1.0, -1.0)
    values = _pair_sums(draw, index, evidence.remainder)
    response = pair_response(index, 1)
    values += (
        response[1, 0] * linear[:, None]
        + response[0, 1] * linear[None, :]
        + response[0, 0] * (linear.sum() - linear[:, None] - linear[None, :])
    )
    for low in (0, 1):
        values += model_pairs(index, evidence.priors[low], signs, evidence.strengths[low])
    variance = np.zeros_like(values)
    for part, missed, factor in _unfinished(evidence):
        size, count = int(part.strata[0]), len(part.strata)
        own = _pair_sums(part, index, missed, squared=True) - _pair_sums(part, index, missed) ** 2 / count
        average = sum(
            comb(draw.size - 2, size - a - b)
            / comb(draw.size, size)
            * np.square(_pair_weights(part, index, missed, b, a)).sum()
            for b in (0, 1)
            for a in (0, 1)
        )
        variance += factor * _with_borrowed(own, float(average), count)
    errors = np.sqrt(variance)
    np.fill_diagonal(values, 0.0)
    np.fill_diagonal(errors, 0.0)
    return Estimate(values, errors)


def _unfinished(evidence: Evidence) -> list[tuple[Draw, FloatArray, float]]:
    """Each stratum not exhausted: its pairs, what the model missed on them, and the factor from squared deviations to
    the variance of the stratum's total when sampling without replacement."""
    draw = evidence.draw
    found = []
    for stratum in np.flatnonzero(~draw.exhausted):
        here = draw.strata == stratum
        part = Draw(draw.members[here], draw.strata[here], draw.ranks[here], draw.taken, draw.population)
        taken, population = float(draw.taken[stratum]), float(draw.population[stratum])
        factor = population * (population - taken) / (taken * (taken - 1))
        found.append((part, evidence.missed[:, here], factor))
    return found


def _with_borrowed(own: FloatArray, average: float, count: int) -> FloatArray:
    """Squared deviations, `count` of their own and `BORROWED` from the average over all players, scaled to `count`."""
    mixed = np.maximum(own, 0.0) * count + average * (count - 1) / count * BORROWED
    return mixed / (count + BORROWED)


def _player_weights(draw: Draw, index: PlayerIndex, amounts: FloatArray, inside: int) -> FloatArray:
    """Weight times amount of each pair for a player that is in its smaller coalition (or not): both sides together."""
    sizes, others = draw.strata, draw.size - draw.strata
    both: FloatArray = index.table[inside, sizes] * amounts[0] + index.table[1 - inside, others] * amounts[1]
    return both


def _player_sums(draw: Draw, index: PlayerIndex, amounts: FloatArray, squared: bool = False) -> FloatArray:
    """For each player the sum over pairs of weight times amount, or of its square."""
    present = draw.members.astype(np.float64)
    found = np.zeros(draw.size)
    for inside, columns in ((1, present), (0, 1 - present)):
        each = _player_weights(draw, index, amounts, inside)
        found += (each**2 if squared else each) @ columns
    return found


def _pair_weights(draw: Draw, index: PairIndex, amounts: FloatArray, given: int, adds: int) -> FloatArray:
    sizes, others = draw.strata, draw.size - draw.strata
    small, large = index.table[given, adds, sizes], index.table[1 - given, 1 - adds, others]
    both: FloatArray = small * amounts[0] + large * amounts[1]
    return both


def _pair_sums(draw: Draw, index: PairIndex, amounts: FloatArray, squared: bool = False) -> FloatArray:
    """For each arrow [j, i] the sum over pairs of weight times amount, or of its square."""
    present = draw.members.astype(np.float64)
    found = np.zeros((draw.size, draw.size))
    for given, rows in ((1, present), (0, 1 - present)):
        for adds, columns in ((1, present), (0, 1 - present)):
            each = _pair_weights(draw, index, amounts, given, adds)
            found += (rows * (each**2 if squared else each)[:, None]).T @ columns
    return found
