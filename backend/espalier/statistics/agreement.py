"""How much people (or whoever judges) agree with each other, beyond chance."""

from collections import Counter
from collections.abc import Iterable

import krippendorff
import numpy as np

from espalier.statistics.documents import Agreement


def agreement(units: Iterable[Iterable[str]]) -> Agreement:
    """Every unit is what was said of one thing, once by each who judged it."""
    counts = [Counter(values) for values in units]
    categories = sorted({value for each in counts for value in each})
    table = np.array([[each[value] for value in categories] for each in counts])
    return Agreement(
        units=len(counts),
        ratings=int(table.sum()) if counts else 0,
        alpha=_alpha(table) if counts else None,
        fleiss=_fleiss(table) if counts else None,
    )


def _alpha(table: np.ndarray) -> float | None:
    """Not defined where no unit has two ratings, or where everybody always said the same."""
    paired = table[table.sum(axis=1) > 1]
    if len(paired) == 0 or (paired.sum(axis=0) > 0).sum() < 2:
        return None
    return float(krippendorff.alpha(value_counts=paired, level_of_measurement="nominal"))


def _fleiss(table: np.ndarray) -> float | None:
    """Only where every unit has the same number of ratings, two or more, and more than one answer was ever given."""
    ratings = set(table.sum(axis=1).tolist())
    if len(ratings) != 1 or max(ratings) < 2 or (table.sum(axis=0) > 0).sum() < 2:
        return None
    from statsmodels.stats.inter_rater import fleiss_kappa

    return float(fleiss_kappa(table, method="fleiss"))
