"""What is expected of a game's values before they are known, for the economical ladder.

A value is a constant, a sum over the words that are present, a sum over neighbours that are present or absent together,
and a rest that changes the more, the more words come or go: a Gaussian process whose covariance falls off exponentially
with the words in which two coalitions differ. Words do not count the same: one that changes the model's output moves a
coalition further than one that does not. Values between -1 and 1 may be all this on a scale without ends.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from espalier.explain.plan import FloatArray
from espalier.explain.racing.bend import bend, can_be_bent, slopes

CONSTANT = 10.0
JITTER = 1e-8
"""Keeps what is known twice from being contradictory to the last digit."""

MOST_FITTED = 256
"""Values that a prior is fitted to: more of them hardly change it, and take the third power of the time."""

SETTINGS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("bent", (False, True)),
    ("evenness", (1.0, 0.5, 0.2, 0.05)),
    ("reach", (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)),
    ("additive", (0.01, 0.1, 1.0, 10.0, 100.0)),
    ("pairs", (0.0, 0.01, 0.1, 1.0, 10.0)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """Covariances up to one common factor.

    `importance` says how far each word has moved the output; `evenness` is how much of a word's weight all words have
    in common. `reach` is how far values know of each other, `additive` how much of them is a sum over words, `pairs`
    how much a sum over neighbours. `bent`: covariances are of values on the scale without ends.
    """

    importance: FloatArray
    evenness: float = 0.2
    reach: float = 0.2
    additive: float = 1.0
    pairs: float = 0.1
    bent: bool = False

    @property
    def weights(self) -> FloatArray:
        """Of the words; they add up to one."""
        even, total = np.full(len(self.importance), 1 / len(self.importance)), float(self.importance.sum())
        if not total:
            return even
        return self.evenness * even + (1 - self.evenness) * self.importance / total

    def covariance(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Between coalitions given as signs: +1 for a word that is present, -1 for one that is absent."""
        weights = self.weights
        alike: FloatArray = (first * weights) @ second.T
        found: FloatArray = CONSTANT + self.additive * alike + np.exp((alike - 1) / self.reach)
        if self.pairs and len(weights) > 1:
            pairs = np.sqrt(weights[1:] * weights[:-1])
            pairs *= self.pairs / max(float(pairs.sum()), np.finfo(float).tiny)
            found += (_neighbours(first) * pairs) @ _neighbours(second).T
        return found

    def scaled(self, values: FloatArray) -> FloatArray:
        """On the scale of the forecasts."""
        return bend(values) if self.bent else values

    def fitted(self, signs: FloatArray, values: FloatArray) -> "Prior":
        """The prior of this kind under which the values are likeliest, their common factor being the likeliest, too:
        one setting after the other is moved to its best, twice."""
        some = np.unique(np.linspace(0, len(values) - 1, min(len(values), MOST_FITTED)).astype(int))
        best, likeliest = replace(self, bent=False), -np.inf
        settings = SETTINGS if can_be_bent(values) else SETTINGS[1:]
        for setting, choices in (*settings, *settings):
            for choice in choices:
                changed: dict[str, Any] = {setting: choice}
                prior = replace(best, **changed)
                likelihood = prior.likelihood(signs[some], values[some])
                if likelihood > likeliest:
                    best, likeliest = prior, likelihood
        return best

    def likelihood(self, signs: FloatArray, values: FloatArray) -> float:
        """Logarithm of the likelihood of values, up to a constant."""
        count = len(values)
        try:
            root = np.linalg.cholesky(self.covariance(signs, signs) + JITTER * np.eye(count))
        except np.linalg.LinAlgError:
            return -np.inf
        surprise = solve_triangular(root, self.scaled(values), lower=True)
        mean_square = max(float(surprise @ surprise) / count, np.finfo(float).tiny)
        likelihood = -0.5 * count * float(np.log(mean_square)) - float(np.log(np.diagonal(root)).sum())
        return likelihood - float(np.log(slopes(bend(values))).sum()) if self.bent else likelihood


def _neighbours(signs: FloatArray) -> FloatArray:
    """+1 where a word and the next one are both present or both absent."""
    found: FloatArray = signs[:, 1:] * signs[:, :-1]
    return found
