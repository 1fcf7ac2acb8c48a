"""Indices of all players and pairs from one draw of coalitions, with standard errors.

What is evaluated is known, and a fitted model of the game stands for all the rest: an index is the sum of both. Its
standard error is what the model itself leaves open, in closed form (see `posterior`), widened where values that it had
not seen surprised it more than it expects, and for the few values that the noise was judged by.

A fit's time grows with the cube of its pairs, so there is a most of them. Pairs beyond it are drawn at random: they
tell how far the model is off, whatever it misses, and correct it by as much as their number makes that certain.
When every coalition is there, the sums are exact and no model is fitted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from espalier.explain.coalitions import posterior
from espalier.explain.coalitions.draw import Draw
from espalier.explain.coalitions.prior import Prior, involvements
from espalier.explain.coalitions.surrogate import Fit, freedom, model_pairs, model_players
from espalier.explain.coalitions.tuning import refined, tuned
from espalier.explain.coalitions.weights import (
    PairIndex,
    PlayerIndex,
    pair_response,
    player_response,
    shapley_value,
)
from espalier.explain.plan import FloatArray

MOST_FITTED = 2304
"""Pairs that are fitted at most."""

TUNING_PAIRS = 250
"""Pairs that say what is to be expected of players, or two for each: it belongs to the game, not to the budget."""

ROUGH_PAIRS = 100
"""The same for a partial result: what it costs is then one fit."""

NORMAL = 1.959964
"""Standard errors to either side within which 95 % of a normal distribution lie."""

WIDENED = 1.02
"""Stated errors over those of the model, whose variances were themselves judged by the values. Settled by looking at
enumerated games of three models, where 95 % intervals then held 93 to 97 % at budgets from 100 to 2,000 (see
docs/estimators.md, which says what else was settled on the same games)."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """An index for each player, or for each arrow j -> i as [j, i], and its standard error (0 where it is exact)."""

    values: FloatArray
    errors: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a draw's values say about any index, by pair p and side (0 the smaller coalition, 1 its complement).

    `left[side, p]` is what the models leave of the values of the pairs in `draw`. Pairs `beyond` were not fitted:
    `missed[side, p]` is by how much the models miss them, and `trust` how much of the correction that they give is
    taken.
    """

    draw: Draw
    left: FloatArray
    fits: Sequence[Fit] = ()
    beyond: Draw | None = None
    missed: FloatArray | None = None
    trust: float = 0.0


def weigh(draw: Draw, values: FloatArray, odd_only: bool = False, roughly: bool = False) -> Evidence:
    """Fit. `values[side, p]` is the game's value of a side of pair p.

    An index that changes its sign when all coalitions are replaced by their complements, as the Shapley value does, has
    no use for the even part: `odd_only` leaves it unfitted. `roughly` learns what to expect from the first pairs only,
    for a picture that will be replaced.
    """
    if draw.complete:
        # By size, so that the sums do not depend on the order in which coalitions were asked for.
        order = np.argsort(draw.strata, kind="stable")
        return Evidence(draw.only(order), values[:, order])
    fitted, known = draw.only(slice(0, MOST_FITTED)), values[:, :MOST_FITTED]
    evidence = _evidence(draw, values, [_fitted(fitted, known, low, roughly) for low in ((1,) if odd_only else (0, 1))])
    if evidence.beyond is None:
        return evidence
    # One share for all indices, so that what adds up goes on adding up.
    index, odd = shapley_value(draw.size), evidence.fits[-1]
    by_model, by_chance = _player_left(odd, index).sum(), _player_correction(evidence, index)[1].sum()
    return replace(evidence, trust=float(by_model / (by_model + by_chance)) if by_model > 0 else 0.0)


def weigh_again(evidence: Evidence, draw: Draw, values: FloatArray) -> Evidence:
    """What other values of the same draw say, if as much is expected of its terms as before: linear in the values, and
    a hundredth of the work."""
    if draw.complete:
        return weigh(draw, values)
    known = values[:, :MOST_FITTED]
    again = _evidence(draw, values, [fit.with_values(_parity(known, fit.prior.low)) for fit in evidence.fits])
    return replace(again, trust=evidence.trust)


def _evidence(draw: Draw, values: FloatArray, fits: Sequence[Fit]) -> Evidence:
    """What fits to the first pairs leave of them, and by how much they miss those beyond; these are not trusted yet."""
    fitted = draw.only(slice(0, MOST_FITTED))
    # The even part enters both sides of a pair alike, the odd one with opposite signs.
    left: FloatArray = np.sum([fit.strengths * _sides(fit) for fit in fits], axis=0)
    beyond, others = draw.only(slice(MOST_FITTED, None)), values[:, MOST_FITTED:]
    # Where a stratum has a single pair beyond, nobody knows how far it is from the others: too few to correct by.
    if np.any((beyond.taken < 2) & ~draw.exhausted):
        return Evidence(fitted, left, fits)
    missed: FloatArray = others - np.sum([fit.predict(beyond.members) * _sides(fit) for fit in fits], axis=0)
    return Evidence(fitted, left, fits, beyond, missed)


def _parity(values: FloatArray, low: int) -> FloatArray:
    """The part of pairs' values that terms of even order make up (`low` = 0), or those of odd order."""
    part: FloatArray = (values[0] + (1 - 2 * low) * values[1]) / 2
    return part


def _fitted(draw: Draw, values: FloatArray, low: int, roughly: bool) -> Fit:
    part = _parity(values, low)
    pairs = ROUGH_PAIRS if roughly else TUNING_PAIRS
    signs, tuning = np.where(draw.members, 1.0, -1.0), slice(0, max(pairs, 2 * draw.size))
    prior = Prior.of(involvements(draw.members, values[0] - values[1]), low)
    prior = tuned(prior, signs[tuning], part[tuning])
    refining = tuning if roughly else slice(None)
    prior = refined(prior, signs[refining], part[refining])
    return Fit.to(draw.members, part, prior)


def _sides(fit: Fit) -> FloatArray:
    return np.array([[1.0], [1.0 - 2 * fit.prior.low]])


def player_estimate(evidence: Evidence, index: PlayerIndex, errors: bool = True) -> Estimate:
    """The index of every player. Without `errors`, which are most of the work, they are zeros."""
    values = _player_sums(evidence.draw, index, evidence.left)
    variance = np.zeros(index.size)
    for fit in evidence.fits:
        signs = np.where(fit.members, 1.0, -1.0)
        outside, inside = player_response(index, fit.prior.low)
        if fit.prior.low == 1:
            values += inside * fit.free + outside * (fit.free.sum() - fit.free)
        else:
            values += outside * fit.free
        values += model_players(index, fit.prior, signs, fit.strengths)
        if errors:
            variance += _player_left(fit, index)
    if evidence.beyond is not None:
        correction, by_chance = _player_correction(evidence, index)
        values += evidence.trust * correction
        if errors:
            variance = (1 - evidence.trust) ** 2 * variance + evidence.trust**2 * by_chance
    return Estimate(values, np.sqrt(variance))


def pair_estimates(evidence: Evidence, indices: Sequence[PairIndex], errors: bool = True) -> list[Estimate]:
    """Each index of every arrow, [j, i] for j -> i, zero on the diagonal. Without `errors` they are zeros."""
    left = [_pairs_left(fit, indices) for fit in evidence.fits] if errors else []
    return [
        _pair_estimate(evidence, index, np.sum([each[place] for each in left], axis=0) if left else None)
        for place, index in enumerate(indices)
    ]


def pair_estimate(evidence: Evidence, index: PairIndex, errors: bool = True) -> Estimate:
    """The same of one index."""
    return pair_estimates(evidence, [index], errors)[0]


def _pair_estimate(evidence: Evidence, index: PairIndex, left: FloatArray | None) -> Estimate:
    """`left` is the variance that the fits leave; None where nobody asks."""
    values = _pair_sums(evidence.draw, index, evidence.left)
    variance = np.zeros_like(values) if left is None else left
    for fit in evidence.fits:
        signs, free = np.where(fit.members, 1.0, -1.0), fit.free
        response = pair_response(index, fit.prior.low)
        if fit.prior.low == 1:
            values += response[1, 0] * free[:, None] + response[0, 1] * free[None, :]
            values += response[0, 0] * (free.sum() - free[:, None] - free[None, :])
        else:
            values += response[0, 0] * free
        values += model_pairs(index, fit.prior, signs, fit.strengths)
    if evidence.beyond is not None:
        correction, by_chance = _pair_correction(evidence, index)
        values += evidence.trust * correction
        if left is not None:
            variance = (1 - evidence.trust) ** 2 * variance + evidence.trust**2 * by_chance
    np.fill_diagonal(values, 0.0)
    np.fill_diagonal(variance, 0.0)
    return Estimate(values, np.sqrt(variance))


def _player_left(fit: Fit, index: PlayerIndex) -> FloatArray:
    """The variance of each player's index that is left after a fit."""
    outside, inside = player_response(index, fit.prior.low)
    of_free = np.full((index.size, len(fit.spread)), outside)
    if fit.prior.low == 1:
        np.fill_diagonal(of_free, inside)
    covariances = posterior.player_covariances(index, fit.prior, fit.members)
    return _left(fit, posterior.player_variances(index, fit.prior), covariances, of_free)


def _pairs_left(fit: Fit, indices: Sequence[PairIndex]) -> FloatArray:
    """The variance of each index of every arrow that is left after a fit, float[indices, n, n]."""
    responses = [pair_response(index, fit.prior.low) for index in indices]
    before = np.array([posterior.pair_variances(index, fit.prior) for index in indices])
    found = np.zeros_like(before)
    for given, together in enumerate(posterior.pair_covariances(indices, fit.prior, fit.members)):
        for place, (response, covariances) in enumerate(zip(responses, together, strict=True)):
            of_free = np.full((before.shape[1], len(fit.spread)), response[0, 0])
            if fit.prior.low == 1:
                of_free[:, given] = response[1, 0]
                np.fill_diagonal(of_free, response[0, 1])
            found[place, given] = _left(fit, before[place, given], covariances, of_free)
    return found


def _left(fit: Fit, before: FloatArray, covariances: FloatArray, of_free: FloatArray) -> FloatArray:
    """What values leave of variances, where `of_free` is how the free coefficients enter (universal kriging)."""
    known = ((covariances @ fit.projection) * covariances).sum(axis=1)
    free = ((of_free @ fit.spread - 2 * covariances @ fit.regress.T) * of_free).sum(axis=1)
    degrees = freedom(len(fit.members), len(fit.spread))
    # Few values say little about the noise: Student's quantile in the place of the normal one.
    noise = fit.noise * max(1.0, fit.surprise) * (WIDENED * float(stdtrit(degrees, 0.975)) / NORMAL) ** 2
    left: FloatArray = noise * np.maximum(before - known + free, 0.0)
    return left


def _player_correction(evidence: Evidence, index: PlayerIndex) -> tuple[FloatArray, FloatArray]:
    """What the pairs beyond the fit add, scaled up to all that were not fitted, and its variance."""
    correction, variance = np.zeros(index.size), np.zeros(index.size)
    for part, missed, scale, factor in _strata_beyond(evidence):
        total = _player_sums(part, index, missed)
        correction += scale * total
        variance += factor * (_player_sums(part, index, missed, squared=True) - total**2 / part.pairs)
    return correction, variance


def _pair_correction(evidence: Evidence, index: PairIndex) -> tuple[FloatArray, FloatArray]:
    correction, variance = np.zeros((index.size, index.size)), np.zeros((index.size, index.size))
    for part, missed, scale, factor in _strata_beyond(evidence):
        total = _pair_sums(part, index, missed)
        correction += scale * total
        variance += factor * (_pair_sums(part, index, missed, squared=True) - total**2 / part.pairs)
    return correction, variance


def _strata_beyond(evidence: Evidence) -> list[tuple[Draw, FloatArray, float, float]]:
    """Each stratum with pairs that were not fitted: those drawn from it, what the models miss on them, how many each
    stands for, and the factor from squared deviations to the variance of the total, drawn without replacement."""
    assert evidence.beyond is not None
    assert evidence.missed is not None
    found = []
    unknown = evidence.draw.population - evidence.draw.taken
    for stratum in np.flatnonzero(unknown):
        here = evidence.beyond.strata == stratum
        part, population = evidence.beyond.only(here), float(unknown[stratum])
        factor = population * (population - part.pairs) / max(1, part.pairs * (part.pairs - 1))
        found.append((part, evidence.missed[:, here], population / part.pairs, factor))
    return found


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
