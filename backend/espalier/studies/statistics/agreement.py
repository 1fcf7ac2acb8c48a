"""What people of a study judged, as units on which they may agree."""

from collections import defaultdict
from collections.abc import Sequence

from espalier.statistics import agreement as general
from espalier.statistics.documents import Agreement
from espalier.studies.statistics.judgements import Judgement


def agreement(rows: Sequence[Judgement]) -> Agreement:
    """A unit is what people judged: a text under one condition, or a pair of explanations. In a preference the value is
    the chosen method, not the letter, which says only where it stood."""
    units: dict[tuple[str, str, str], dict[int, str]] = defaultdict(dict)
    for row in rows:
        chosen = row.other is not None
        units[row.item, row.model, "" if chosen else row.method][row.person] = row.method if chosen else row.answer
    return general.agreement(values.values() for values in units.values())
