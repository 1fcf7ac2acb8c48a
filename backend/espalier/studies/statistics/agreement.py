"""How much people agree with each other, beyond chance."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import krippendorff
import numpy as np
from statsmodels.stats.inter_rater import fleiss_kappa

from espalier.studies.results import Agreement
from espalier.studies.statistics.judgements import Judgement


def agreement(rows: Sequence[Judgement]) -> Agreement:
    """A unit is what people judged: a text under one condition, or a pair of explanations. In a preference the value is
    the chosen method, not the letter, which says only where it stood."""
    units: dict[tuple[str, str, str], dict[int, str]] = defaultdict(dict)
    for row in rows:
        chosen = row.other is not None
        units[row.item, row.model, "" if chosen else row.method][row.person] = row.method if chosen else row.answer
    counts = [Counter(values.values()) for values in units.values()]
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
    return float(fleiss_kappa(table, method="fleiss"))
