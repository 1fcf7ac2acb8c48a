"""How far an index of the fitted model can be from that of the game, in closed form.

In the model the game is a sum of terms of known variances and of a value of its own for each pair, with variance one
(all times the noise, which the fit finds). An index is a linear function of the game: so it has a variance before
anything is known, covariances with the values of pairs, and what is left of the variance once these are known.
"""

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from espalier.explain.coalitions.prior import Prior, symmetric_polynomials
from espalier.explain.coalitions.weights import PairIndex, PlayerIndex, pair_response, player_response
from espalier.explain.plan import BoolArray, FloatArray

MOST_TOGETHER = 1 << 15
"""Numbers of each term that are worked on at a time: what a processor keeps near."""


def player_weights(index: PlayerIndex, members: BoolArray, low: int) -> FloatArray:
    """How much the parity part of a pair's values enters the index of each player, float[n, pairs]."""
    sign, sizes = 1.0 - 2 * low, members.sum(axis=1)
    outside, inside = (index.table[a, sizes] + sign * index.table[1 - a, index.size - sizes] for a in (0, 1))
    weights: FloatArray = np.where(members.T, inside, outside)
    return weights


def pair_weights(index: PairIndex, members: BoolArray, low: int, given: int) -> FloatArray:
    """The same for the arrows from the player `given`, float[n, pairs]."""
    sign, sizes = 1.0 - 2 * low, members.sum(axis=1)
    weight = [
        [index.table[b, a, sizes] + sign * index.table[1 - b, 1 - a, index.size - sizes] for a in (0, 1)]
        for b in (0, 1)
    ]
    outside, inside = (np.where(members[:, given], weight[1][a], weight[0][a]) for a in (0, 1))
    weights: FloatArray = np.where(members.T, inside, outside)
    return weights


def player_covariances(index: PlayerIndex, prior: Prior, members: BoolArray) -> FloatArray:
    """Of each player's index with the values of pairs, float[n, pairs]."""
    signs = np.where(members, 1.0, -1.0)
    scaled, without = _without_each(prior, signs.T)
    found = player_weights(index, members, prior.low)
    for order, factor in prior.orders:
        outside, inside = player_response(index, order)
        found += factor * (outside * without[order] + inside * scaled * without[order - 1])
    outside, inside = player_response(index, prior.low + 2)
    near = prior.near_terms(signs) * prior.near_variances
    found += outside * near.sum(axis=1) + (inside - outside) * (near @ prior.near_members).T
    return found


def pair_covariances(indices: Sequence[PairIndex], prior: Prior, members: BoolArray) -> Iterator[FloatArray]:
    """Of the arrows' indices with the values of pairs: float[indices, n, pairs] for those from player 0, from player 1,
    … What terms there are does not depend on the index, so that several cost little more than one."""
    signs = np.where(members, 1.0, -1.0)
    scaled, without = _without_each(prior, signs.T)
    near, near_members = prior.near_terms(signs) * prior.near_variances, prior.near_members
    near_responses = [pair_response(index, prior.low + 2) for index in indices]
    shares = np.array(
        [[factor * pair_response(index, order).ravel() for order, factor in prior.orders] for index in indices]
    ).reshape(len(indices), -1)
    size, pairs = scaled.shape
    width = max(1, MOST_TOGETHER // size)
    for given in range(size):
        found = np.stack([pair_weights(index, members, prior.low, given) for index in indices])
        for start in range(0, pairs, width):
            own = slice(start, start + width)
            terms = _terms_of_two(prior, scaled[:, own], [each[:, own] for each in without], given)
            found[:, :, own] += (shares @ terms.reshape(len(terms), -1)).reshape(len(indices), size, -1)
        has_given = near_members[:, given]
        for each, response in zip(found, near_responses, strict=True):
            outside, inside = (np.where(has_given, response[1, a], response[0, a]) for a in (0, 1))
            each += near @ outside + ((near * (inside - outside)) @ near_members).T
        yield found


def _terms_of_two(prior: Prior, scaled: FloatArray, without: Sequence[FloatArray], given: int) -> FloatArray:
    """For every order four sums of terms, float[4 orders, n, pairs]: of those that have neither the player `given` nor
    the other one, that have only the other, only `given`, and both."""
    own = scaled[given]
    # The symmetric polynomials of all but two: one factor more divided out.
    without_two = [np.ones_like(scaled)]
    for order in range(1, prior.low + 5):
        without_two.append(without[order][given] - scaled * without_two[-1])
    terms = np.empty((4 * len(prior.orders), *scaled.shape))
    for place, (order, _) in enumerate(prior.orders):
        neither, one, two = (without_two[order - less] for less in (0, 1, 2))
        terms[4 * place] = neither
        np.multiply(scaled, one, out=terms[4 * place + 1])
        np.multiply(own, one, out=terms[4 * place + 2])
        np.multiply(own * scaled, two, out=terms[4 * place + 3])
    return terms


def player_variances(index: PlayerIndex, prior: Prior) -> FloatArray:
    """Of each player's index before anything is known."""
    involvement, without = _without_each(prior, np.ones((index.size, 1)))
    found = np.full((index.size, 1), _own_players(index, prior.low))
    for order, factor in prior.orders:
        outside, inside = player_response(index, order) ** 2
        found += factor * (outside * without[order] + inside * involvement * without[order - 1])
    outside, inside = player_response(index, prior.low + 2) ** 2
    near: FloatArray = prior.near_variances
    total: FloatArray = found[:, 0] + outside * near.sum() + (inside - outside) * (near @ prior.near_members)
    return total


def pair_variances(index: PairIndex, prior: Prior) -> FloatArray:
    """The same for every arrow, [j, i] for j -> i; the diagonal has no meaning."""
    involvement, each = _without_each(prior, np.ones((index.size, 1)))
    without = [polynomial[:, 0] for polynomial in each]
    adds = involvement[:, 0]
    without_two = [np.ones((index.size, index.size))]
    for order in range(1, prior.low + 5):
        without_two.append(without[order][:, None] - adds * without_two[-1])
    found = np.full((index.size, index.size), _own_pairs(index, prior.low))
    for order, factor in prior.orders:
        response = factor * pair_response(index, order) ** 2
        found += response[0, 0] * without_two[order]
        found += (response[1, 0] * adds[:, None] + response[0, 1] * adds) * without_two[order - 1]
        found += response[1, 1] * np.outer(adds, adds) * without_two[order - 2]
    response, near, members = pair_response(index, prior.low + 2) ** 2, prior.near_variances, prior.near_members
    for b, rows in ((0, 1 - members), (1, members)):
        for a, columns in ((0, 1 - members), (1, members)):
            found += response[b, a] * ((rows * near[:, None]).T @ columns)
    return found


def _without_each(prior: Prior, columns: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
    """Involvements times `columns`, and for each order their symmetric polynomial over all players but one: both
    float[n, columns]. By division of power series by one factor."""
    scaled = prior.involvement[:, None] * columns
    whole = symmetric_polynomials([(scaled**power).sum(axis=0) for power in range(1, prior.low + 5)])
    without = [np.ones_like(scaled)]
    for polynomial in whole[1:]:
        without.append(polynomial - scaled * without[-1])
    return scaled, without


def _own_players(index: PlayerIndex, low: int) -> float:
    """What the values that no term expresses add to the variance: squares of the weights of all pairs there are."""
    size, sign = index.size, 1.0 - 2 * low
    return sum(
        comb(size - 1, count - a) * float(index.table[a, count] + sign * index.table[1 - a, size - count]) ** 2 / 2
        for count in range(size + 1)
        for a in (0, 1)
        if 0 <= count - a <= size - 1
    )


def _own_pairs(index: PairIndex, low: int) -> float:
    size, sign = index.size, 1.0 - 2 * low
    return sum(
        comb(size - 2, count - a - b)
        * float(index.table[b, a, count] + sign * index.table[1 - b, 1 - a, size - count]) ** 2
        / 2
        for count in range(size + 1)
        for b in (0, 1)
        for a in (0, 1)
        if 0 <= count - a - b <= size - 2
    )
