"""What a game's own values say about how much is to be expected of its terms.

The values are taken as drawn at random with the variances of the prior, and the prior is moved to where they would be
likeliest (the restricted likelihood of kriging; the noise is solved for). Involvements are held near where they began
by a normal distribution of their logarithms, so that few values move them little.

Involvements are learned from some of the pairs. How much is expected of each order against what no term expresses
decides how far the model leans on single values, and with that the estimates and their errors: it is refined on all.
"""

from dataclasses import replace

import numpy as np
from scipy.optimize import minimize

from espalier.explain.coalitions.prior import Prior
from espalier.explain.coalitions.surrogate import free_terms, freedom, project
from espalier.explain.plan import FloatArray

SPREAD = 0.5
"""Standard deviation of the logarithm of an involvement around where it began."""

STEPS = 10
"""Of a quasi-Newton search, at most."""

ENOUGH = 0.005
"""Share of the logarithm of the likelihood: a step that gains less is the last. What comes after makes the prior
likelier, but not the prediction better."""

REFINING_STEPS, REFINED = 6, 1e-4
"""The same for the factors alone, which matter more and are few."""

FURTHEST = (1.5, 7.0)
"""How far the logarithms of an involvement and of a factor may go: what is not there at all would take them to minus
infinity, and a kernel of both at their largest can still be inverted."""

NOTHING_LEFT = 1e-24
"""Share of the values' squares below which the free terms explain everything, and nothing can be learned."""


def tuned(prior: Prior, signs: FloatArray, values: FloatArray) -> Prior:
    """The prior after some values of its parity, `signs` being those of their coalitions."""
    free = free_terms(signs, prior.low)
    left = values - free @ np.linalg.lstsq(free, values, rcond=None)[0]
    if left @ left <= NOTHING_LEFT * (values @ values):
        return prior
    likelihood = Likelihood(prior, signs, values)
    furthest = np.repeat(FURTHEST, [len(prior.involvement), len(prior.factors)])
    found = minimize(
        likelihood,
        np.zeros_like(furthest),
        jac=True,
        method="L-BFGS-B",
        bounds=list(zip(-furthest, furthest, strict=True)),
        options={"maxiter": STEPS, "ftol": ENOUGH},
    )
    return likelihood.moved(found.x)


def refined(prior: Prior, signs: FloatArray, values: FloatArray) -> Prior:
    """The prior with the factors at which these values are likeliest, the involvements as they are."""
    free = free_terms(signs, prior.low)
    left = values - free @ np.linalg.lstsq(free, values, rcond=None)[0]
    if left @ left <= NOTHING_LEFT * (values @ values):
        return prior
    near = prior.near_terms(signs)
    polynomials = prior.polynomials(signs, signs)
    kernels = [factor * polynomials[order] for order, factor in prior.orders]
    kernels.append((near * prior.near_variances) @ near.T)
    degrees = freedom(len(values), free.shape[1])

    def likelihood(by: FloatArray) -> tuple[float, FloatArray]:
        changes = np.exp(by)
        kernel = changes[0] * kernels[0]
        for change, each in zip(changes[1:], kernels[1:], strict=True):
            kernel += change * each
        projection, _, _, determinant = project(kernel, free)
        left = projection @ values
        noise = float(values @ left) / degrees
        slope = [
            change * float(np.vdot(projection, each) - left @ each @ left / noise)
            for change, each in zip(changes, kernels, strict=True)
        ]
        return float(degrees * np.log(noise) + determinant) / 2, np.array(slope) / 2

    furthest = [(-FURTHEST[1], FURTHEST[1])] * len(kernels)
    options = {"maxiter": REFINING_STEPS, "ftol": REFINED}
    found = minimize(likelihood, np.zeros(len(kernels)), jac=True, method="L-BFGS-B", bounds=furthest, options=options)
    return replace(prior, factors=prior.factors * np.exp(found.x))


class Likelihood:
    """Minus its logarithm, and how that changes with the logarithms of the involvements and of the factors."""

    def __init__(self, prior: Prior, signs: FloatArray, values: FloatArray) -> None:
        self._prior = prior
        self._signs, self._values = signs, values
        self._free = free_terms(signs, prior.low)
        self._near, self._members = prior.near_terms(signs), prior.near_members

    def moved(self, by: FloatArray) -> Prior:
        involvement, factors = self._prior.involvement, self._prior.factors
        moves, changes = np.exp(by[: len(involvement)]), np.exp(by[len(involvement) :])
        return replace(self._prior, involvement=involvement * moves, factors=factors * changes)

    def __call__(self, by: FloatArray) -> tuple[float, FloatArray]:
        prior, players = self.moved(by), len(self._prior.involvement)
        polynomials, near_variances = prior.polynomials(self._signs, self._signs), prior.near_variances
        kernel = (self._near * near_variances) @ self._near.T
        for order, factor in prior.orders:
            kernel += factor * polynomials[order]
        projection, _, _, determinant = project(kernel, self._free)
        left = projection @ self._values
        freedom = len(self._values) - self._free.shape[1]
        noise = float(self._values @ left) / freedom
        moves = by[:players] / SPREAD
        minus_log = float(freedom * np.log(noise) + determinant + moves @ moves) / 2
        # Times how an entry of the kernel changes, it is twice how the first two terms change.
        projection -= np.outer(left, left / noise)
        of_near = near_variances * ((projection @ self._near) * self._near).sum(axis=0)
        of_factors = [factor * np.vdot(projection, polynomials[order]) for order, factor in prior.orders]
        of_involvements = of_near @ self._members + self._of_orders(prior, projection, polynomials)
        slope = np.concatenate([of_involvements, of_factors, [of_near.sum()]]) / 2
        slope[:players] += moves / SPREAD
        return minus_log, slope

    def _of_orders(self, prior: Prior, pull: FloatArray, polynomials: list[FloatArray]) -> FloatArray:
        """The part of the terms of all players: each player's involvement times the symmetric polynomial of the others,
        by division of power series."""
        found = np.zeros_like(prior.involvement)
        for rest in range(prior.low + 4):
            pulled = pull * polynomials[rest]
            # A sign's even powers are one.
            shared = (float(pulled.sum()), ((pulled @ self._signs) * self._signs).sum(axis=0))
            for order, factor in prior.orders:
                if (power := order - rest) > 0:
                    found -= factor * (-prior.involvement) ** power * shared[power % 2]
        return found
