"""Does a model know its training texts too well? A test that needs no labels (section 5.3, Figure 5)."""

from collections.abc import Sequence

import numpy as np

from espalier.diagnostics.documents import Fitted, OverfittingTest
from espalier.diagnostics.rows import Spread
from espalier.diagnostics.scored import ScoredText
from espalier.statistics.means import FLIPS, mean_intervals
from espalier.statistics.permutations import larger_mean


def score_variance(text: ScoredText) -> float:
    """The variance of the absolute scores of a text's nodes."""
    return float(np.var([score for _, score in text.scored]))


def spread_of(text: ScoredText) -> Spread:
    """All that the test has to know of a text."""
    return Spread(variance=score_variance(text), loss=text.loss, right=text.right)


def overfitting(
    train: Sequence[Spread], test: Sequence[Spread], seed: int, permutations: int = FLIPS
) -> OverfittingTest:
    """Scores of an overfitted model are said to be more spread out on texts it was not trained on. One-sided: small p
    values say that they are, more than texts that were dealt to the two sides at random."""
    before, after = (np.array([text.variance for text in side]) for side in (train, test))
    return OverfittingTest(
        train=_fitted(train, seed),
        test=_fitted(test, seed),
        difference=float(after.mean() - before.mean()),
        p=larger_mean(before, after, seed, permutations),
        permutations=permutations,
    )


def _fitted(texts: Sequence[Spread], seed: int) -> Fitted:
    (variance,) = mean_intervals(np.array([[text.variance] for text in texts]), seed)
    losses = [text.loss for text in texts if text.loss is not None]
    right = [text.right for text in texts if text.right is not None]
    return Fitted(
        variance=variance,
        loss=float(np.mean(losses)) if losses else None,
        accuracy=float(np.mean(right)) if right else None,
    )
